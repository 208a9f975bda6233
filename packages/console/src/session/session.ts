import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Environment, Role } from '../api/types';
import { ask, type Call } from '../api/studio';

/** Who is signed in, until when, and where the studio's clock is. */
export interface Session {
  name: string;
  role: Role;
  timeZone: string;
  expiresAt: string;
}

const RANK: Readonly<Record<Role, number>> = { floor: 0, office: 1, admin: 2 };

async function session<T>(method: string, body?: object): Promise<Awaited<Call<T>>> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const response = await fetch('/studio/v1/session', { method, ...sent });
  const told = await response.json();
  return response.ok ? { data: { timeZone: 'Australia/Melbourne', ...told }, response } : { error: told, response };
}

export const sessionQuery = queryOptions<Session>({
  queryKey: ['session'],
  queryFn: async () => ask(session<Session>('GET')),
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
  await ask(session('POST', { token }));
}

/** Ends the session, here and in the API. @throws Refusal */
export async function signOut(): Promise<void> {
  await ask(session('DELETE'));
}

const CHOSEN = 'studio-environment';

/** Live or test orders: as it was chosen last on this machine. */
export function chosenEnvironment(): Environment {
  return localStorage.getItem(CHOSEN) === 'test' ? 'test' : 'live';
}

export function chooseEnvironment(environment: Environment): void {
  localStorage.setItem(CHOSEN, environment);
}
