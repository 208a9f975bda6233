import createClient from 'openapi-fetch';
import type { paths } from '../generated/studio';
import { plainAnswer } from '../shared/plain';
import { isAttended } from './attended';
import { fetchReauthenticated } from './reauthentication';
import { refusalOf, unreachable } from './refusal';
import { isOfAnybody, signedInAs } from './signed-in-as';

/** The studio API, typed by its contract. The session's cookie goes along by itself. Give what it returns to `ask` or `page`. */
export const studio = createClient<paths>({ baseUrl: '/studio/v1', fetch: fetchReauthenticated });
studio.use({
  onRequest({ request, schemaPath }) {
    const shown = signedInAs();
    if (!isAttended()) request.headers.set('Service-Unattended', 'true');
    if (shown !== null && !isOfAnybody(schemaPath)) request.headers.set('Service-Signed-In-As', shown);
    return request;
  },
});

interface Enveloped<T> {
  data: T;
  nextCursor?: string | null;
}
/** What a call of `studio` comes to. */
type Call<T> = Promise<{ data?: Enveloped<T>; error?: unknown; response: Response }>;

/** One page of a list. `nextCursor` is null at its end. */
export interface Page<T> {
  rows: T;
  nextCursor: string | null;
}

/** The data of an answer. @throws Refusal */
export async function ask<T>(call: Call<T>): Promise<T> {
  return (await envelopeOf(call)).data;
}

/** One page of a list. @throws Refusal */
export async function page<T>(call: Call<T>): Promise<Page<T>> {
  const { data, nextCursor } = await envelopeOf(call);
  return { rows: data, nextCursor: nextCursor ?? null };
}

async function envelopeOf<T>(call: Call<T>): Promise<Enveloped<T>> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable();
  });
  if (data === undefined) throw refusalOf(plainAnswer<unknown>(error), response);
  return plainAnswer(data);
}
