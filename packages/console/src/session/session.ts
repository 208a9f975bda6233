import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Refusal } from '../api/refusal';
import { callApi, type Role, showAs, signedInAs, studio } from '../api/studio';
import { ownValue } from '../shared/own-value';
import { fetchSession, type Session } from './sign-in';

const RANK: Readonly<Record<Role, number>> = { floor: 0, office: 1, admin: 2 };

export const sessionQuery = queryOptions<Session>({
  queryKey: ['session'],
  queryFn: fetchSameSession,
  staleTime: 60_000,
  retry: false,
});

export const SIGNED_IN_AS_ANOTHER = 'SIGNED_IN_AS_ANOTHER';

/** Whether the error says that the session has ended. */
export const isSessionEnded = (error: unknown): boolean =>
  error instanceof Refusal && error.status === 401 && error.code !== SIGNED_IN_AS_ANOTHER;

export const useIsSessionEnded = (): boolean => isSessionEnded(useQuery(sessionQuery).error);

/** Fetches the session and checks that it belongs to the person for whom this page was loaded. @throws Refusal if another person has signed in in this browser */
async function fetchSameSession(): Promise<Session> {
  const session = await fetchSession();
  const shown = signedInAs();
  if (shown !== null && shown !== session.tokenId)
    throw new Refusal(SIGNED_IN_AS_ANOTHER, 'Another person has signed in in this browser. Reload the page.', 401);
  showAs(session.tokenId);
  return session;
}

/** The signed-in person. Only for components on the pages behind the sign-in. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether the person has this role or a higher one. The API checks it too. */
export function useHasRole(role: Role): boolean {
  return (ownValue(RANK, useSession().role) ?? -1) >= RANK[role];
}

/** The mutation key of requests that change the session. The page is left or reloaded after them. */
export const SESSION_CHANGE = ['session-change'];

/** Ends the session. @throws Refusal if it may still be open */
export async function signOut(): Promise<void> {
  try {
    await callApi(studio.DELETE('/session'));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
  }
}
