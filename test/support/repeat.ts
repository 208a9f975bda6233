import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient, type Reply } from './client';

/** Below all rate limits. */
const PAUSE_MS = 1000;
const PATIENCE_MS = 120_000;

/** Repeats a request after a 503 with one of these codes. @returns the last reply */
async function repeatWhile(codes: readonly string[], send: () => Promise<Reply>): Promise<Reply> {
  const startedMs = Date.now();
  for (;;) {
    const reply = await send();
    if (reply.status !== 503 || !codes.includes(reply.json.error?.code ?? '') || Date.now() > startedMs + PATIENCE_MS) return reply;
    await delay(PAUSE_MS);
  }
}

/** Repeats a request that was refused as OVERLOADED. On a slow machine, PostgreSQL may respond too late. */
export const repeatWhileOverloaded = (send: () => Promise<Reply>): Promise<Reply> => repeatWhile(['OVERLOADED'], send);

/**
 * Repeats every request after a 503. That is safe: orders and payments have an id or a key, and a second quote or upload is only one
 * more.
 */
export class PatientClient extends HttpClient {
  override send<T = any>(...request: Parameters<HttpClient['send']>): Promise<Reply<T>> {
    return repeatWhile(['OVERLOADED', 'SERVICE_UNAVAILABLE'], () => super.send<T>(...request));
  }
}
