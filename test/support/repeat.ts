import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient, type Reply } from './client';
import { waitFor } from './wait-for';

/** Below all rate limits. */
const PAUSE_MS = 1000;

/** Repeats a request after a 503. On a slow machine, PostgreSQL, Temporal and the workers may respond too late. */
export function repeatWhileUnavailable(
  send: () => Promise<Reply>,
  codes: readonly string[] = ['OVERLOADED', 'SERVICE_UNAVAILABLE'],
): Promise<Reply> {
  return waitFor('a response other than 503', async () => {
    const reply = await send();
    if (reply.status !== 503 || !codes.includes(reply.json.error?.code ?? '')) return reply;
    await delay(PAUSE_MS);
    return null;
  });
}

/** Repeats every request after a 503. Orders and payments have an id or a key; a repeated quote or upload only makes another. */
export class PatientClient extends HttpClient {
  override send<T = any>(...request: Parameters<HttpClient['send']>): Promise<Reply<T>> {
    return repeatWhileUnavailable(() => super.send<T>(...request));
  }
}
