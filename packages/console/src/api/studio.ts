import createClient from 'openapi-fetch';
import type { paths } from '../generated/studio';
import { plainAnswer } from '../shared/plain';
import { fetchReauthenticated } from './reauthentication';
import { refusalOf, unreachable } from './refusal';

/** Somebody who did nothing for so long may have left the desk. */
const AWAY_MS = 60_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

let seenAt = Date.now();
for (const sign of SIGNS) {
  addEventListener(sign, () => (seenAt = Date.now()), { capture: true, passive: true });
}

/** Whether somebody is at the page: what it asks for by itself must not keep a forgotten browser signed in (ruling 81). */
const isAttended = (): boolean => Date.now() - seenAt < AWAY_MS;

/** The token of the person whom this page shows; null: nobody yet. */
let shown: string | null = null;

/** Whom the page shows: every request says so, and the API refuses what the cookie would do as somebody else (ruling 81). */
export const signedInAs = (): string | null => shown;
export const showAs = (tokenId: string | null): void => void (shown = tokenId);

/** Who is signed in is asked without it, and whoever signs in or out does so as whoever they are. */
const isOfAnybody = (path: string): boolean => path === '/session';

/** The studio API, typed by its contract. The session's cookie goes along by itself. Give what it returns to `ask` or `page`. */
export const studio = createClient<paths>({ baseUrl: '/studio/v1', fetch: fetchReauthenticated });
studio.use({
  onRequest({ request, schemaPath }) {
    const tokenId = signedInAs();
    if (!isAttended()) request.headers.set('Service-Unattended', 'true');
    if (tokenId !== null && !isOfAnybody(schemaPath)) request.headers.set('Service-Signed-In-As', tokenId);
    return request;
  },
});

interface Enveloped<T> {
  data: T;
  nextCursor?: string | null;
}
/** What a call of `studio` comes to. */
type Call<T> = Promise<{ data?: Enveloped<T>; error?: unknown; response: Response }>;

/** openapi-fetch takes the `string & {}` of open values for an object and lists its methods; this is the contract's type again. */
type Contract<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { codePointAt: unknown }
    ? string & {}
    : { [K in keyof T]: Contract<T[K]> };

/** One page of a list. `nextCursor` is null at its end. */
export interface Page<T> {
  rows: T;
  nextCursor: string | null;
}

export async function ask<T>(call: Call<T>): Promise<Contract<T>> {
  return (await envelopeOf(call)).data as Contract<T>;
}

/** One page of a list. @throws Refusal */
export async function page<T>(call: Call<T>): Promise<Page<Contract<T>>> {
  const { data, nextCursor } = await envelopeOf(call);
  return { rows: data as Contract<T>, nextCursor: nextCursor ?? null };
}

async function envelopeOf<T>(call: Call<T>): Promise<Enveloped<T>> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable();
  });
  if (data === undefined) throw refusalOf(plainAnswer<unknown>(error), response);
  return plainAnswer(data);
}
