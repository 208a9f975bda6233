import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Environment, Role } from '../api/types';
import { Refusal } from '../api/refusal';
import { ask, studio } from '../api/studio';

/** Who is signed in, until when, and where the studio's clock is. */
export interface Session {
  name: string;
  role: Role;
  timeZone: string;
  expiresAt: string | null;
}

const RANK: Readonly<Record<Role, number>> = { floor: 0, office: 1, admin: 2 };

export const sessionQuery = queryOptions<Session>({
  queryKey: ['session'],
  queryFn: async () => ask(studio.GET('/session')),
  staleTime: 60_000,
  retry: false,
});

/** Who is signed in; only below the frame, which is shown to nobody else. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether what needs `role` is shown. The API decides what is allowed. */
export function useMay(role: Role): boolean {
  return RANK[useSession().role] >= RANK[role];
}

/** Signs in; the page keeps nothing of the token. @throws Refusal */
export async function signIn(token: string): Promise<void> {
  await ask(studio.POST('/session', { body: { token } }));
}

/** Ends the session in the API; one that is over already is as good. @throws Refusal where it may still stand */
export async function signOut(): Promise<void> {
  try {
    await ask(studio.DELETE('/session'));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
  }
}

const CHOSEN = 'studio-environment';

/** Live or test orders: as it was chosen last on this machine. */
export function chosenEnvironment(): Environment {
  return localStorage.getItem(CHOSEN) === 'test' ? 'test' : 'live';
}

export function chooseEnvironment(environment: Environment): void {
  localStorage.setItem(CHOSEN, environment);
}
