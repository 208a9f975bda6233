import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Refusal } from '../api/refusal';
import { ask, showAs, signedInAs, studio } from '../api/studio';
import type { Of, Role } from '../api/types';
import { known } from '../shared/known';

type Session = Of<'SignedIn'>;

const RANK: Readonly<Record<Role, number>> = { floor: 0, office: 1, admin: 2 };

export const sessionQuery = queryOptions<Session>({
  queryKey: ['session'],
  queryFn: sameAgain,
  staleTime: 60_000,
  retry: false,
});

export const whoever = async (): Promise<Session> => ask(studio.GET('/session'));

export const ANOTHER = 'SIGNED_IN_AS_ANOTHER';

/** Whether the session query was refused because nobody is signed in any more. */
export const hasEnded = (error: unknown): boolean => error instanceof Refusal && error.status === 401 && error.code !== ANOTHER;

export const useHasEnded = (): boolean => hasEnded(useQuery(sessionQuery).error);

/** Who is signed in: from the first time on the same person, or a refusal as the API's own. */
async function sameAgain(): Promise<Session> {
  const session = await whoever();
  const shown = signedInAs();
  if (shown !== null && shown !== session.tokenId)
    throw new Refusal(ANOTHER, 'somebody else has signed in in this browser: load the page anew to go on', 401);
  showAs(session.tokenId);
  return session;
}

/** Who is signed in; only below the frame, which is shown to nobody else. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether what needs `role` is shown. The API decides what is allowed. */
export function useMay(role: Role): boolean {
  return (known(RANK, useSession().role) ?? -1) >= RANK[role];
}

export const NOT_KEPT = 'SIGN_IN_NOT_KEPT';

/**
 * Signs in; the page keeps nothing of the token, and shows that person from then on.
 * @throws Refusal, its own where the cookie does not count
 */
export async function signIn(token: string): Promise<string> {
  const { tokenId } = await ask(studio.POST('/session', { body: { token } }));
  if ((await comesBackAs()) !== tokenId)
    throw new Refusal(
      NOT_KEPT,
      'The token is right, but this browser did not send the sign-in back. Either it blocks cookies: allow them for this address. Or it has another cookie of that name: clear the cookies of this site. Then sign in again.',
      401,
    );
  showAs(tokenId);
  return tokenId;
}

/** As whom the browser comes back after a sign-in; null: as nobody. */
async function comesBackAs(): Promise<string | null> {
  try {
    return (await whoever()).tokenId;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}

export const SIGN_OUT = ['sign-out'];

/** Ends the session in the API; one that is over already is as good. @throws Refusal where it may still stand */
export async function signOut(): Promise<void> {
  try {
    await ask(studio.DELETE('/session'));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
  }
}
