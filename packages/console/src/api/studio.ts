import createClient from 'openapi-fetch';
import type { components, operations, paths } from '../generated/studio';
import { badgeCode, setBadge } from '../session/badge';
import { stripInvisibleFromAnswer } from '../shared/strip-invisible';
import { fetchReauthenticated } from './reauthentication';
import { refusalOf, unreachable } from './refusal';
/** After this time without input the person may have left. */
const AWAY_MS = 60_000;
const INPUT_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

let seenAt = Date.now();
for (const event of INPUT_EVENTS) {
  addEventListener(event, () => (seenAt = Date.now()), { capture: true, passive: true });
}

/** Whether a person uses the page. Automatic requests must not extend the session of a forgotten browser. */
const isAttended = (): boolean => Date.now() - seenAt < AWAY_MS;

/** The token id of the person this page shows; null before the first response. */
let shown: string | null = null;

/** Sent with every request. The API refuses it if the cookie belongs to another person. */
export const signedInAs = (): string | null => shown;
export const showAs = (tokenId: string | null): void => void (shown = tokenId);

/** Signing in and out, and reading the session, work for any person. */
const worksForAnyone = (path: string): boolean => path === '/session';

/** The studio API, typed by its contract. Pass its calls to `callApi` or `callApiPage`. */
export const studio = createClient<paths>({ baseUrl: '/studio/v1', fetch: fetchReauthenticated });
studio.use({
  onRequest({ request, schemaPath }) {
    const tokenId = signedInAs();
    if (!isAttended()) request.headers.set('Service-Unattended', 'true');
    const badge = badgeCode();
    if (badge !== null) request.headers.set('Studio-Badge', badge);
    if (tokenId !== null && !worksForAnyone(schemaPath)) request.headers.set('Service-Signed-In-As', tokenId);
    return request;
  },
});

interface Enveloped<T> {
  data: T;
  nextCursor?: string | null;
}
/** The result of a call of `studio`. */
type Call<T> = Promise<{ data?: Enveloped<T>; error?: unknown; response: Response }>;

/** openapi-fetch expands the `string & {}` of open values to an object. This restores the contract's type. */
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

export async function callApi<T>(call: Call<T>): Promise<Contract<T>> {
  return (await envelopeOf(call)).data as Contract<T>;
}

/** One page of a list. @throws Refusal */
export async function callApiPage<T>(call: Call<T>): Promise<Page<Contract<T>>> {
  const { data, nextCursor } = await envelopeOf(call);
  return { rows: data as Contract<T>, nextCursor: nextCursor ?? null };
}

async function envelopeOf<T>(call: Call<T>): Promise<Enveloped<T>> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable();
  });
  if (data === undefined) {
    const refusal = refusalOf(stripInvisibleFromAnswer<unknown>(error), response);
    if (refusal.code === 'BADGE_REFUSED') setBadge(null); // it was revoked
    throw refusal;
  }
  return stripInvisibleFromAnswer(data);
}

/** A schema of the contract by its name: `Schema<'StudioOrder'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The values that this build knows, without later ones. Look up others with `ownValue`. */
export type KnownValue<T extends string> = T extends unknown ? (string extends T ? never : T) : never;

export type Environment = Schema<'Delivery'>['environment'];
export type Role = KnownValue<Schema<'Token'>['role']>;

/** The query and the body of an operation. */
export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
export type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
