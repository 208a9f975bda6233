import { ConnectionError, TradePrintError, type ErrorCode, type Refusal } from '@trade-print/client';
import { request } from 'undici';

/** What the demo expected of an answer did not come: says what was asked and what was answered. */
export class DemoError extends Error {}

const START_HINT =
  'start the service with npm start; where it was started with API_PORT, STUDIO_PORT or another setting of addresses, set the same here';

/** The studio's side of the demo: plain HTTP, the envelope taken apart. */
export class StudioClient {
  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  /** The answer's data. @throws DemoError for anything but a success */
  async post<T>(path: string, body: object): Promise<T> {
    const reply = await request(`${this.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch((error: Error) => {
      throw new DemoError(`nothing answers at ${this.baseUrl} (${error.message}); ${START_HINT}`);
    });
    const { data, error } = (await reply.body.json()) as { data: T | null; error: Pick<Refusal, 'code' | 'message'> | null };
    if (data === null) throw new DemoError(`POST ${path} answered ${reply.statusCode} ${error?.code}: ${error?.message}`);
    return data;
  }
}

/** The refusal that the demo is about to show. @throws DemoError where the call succeeds, or fails in another way */
export async function expectRefusal(code: ErrorCode, call: Promise<unknown>): Promise<TradePrintError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof TradePrintError && error.code === code) return error;
  throw toDemoError(error ?? new DemoError(`the call should be refused with ${code}; it succeeded`));
}

/** What the client package told, as the demo tells it. */
export function toDemoError(error: unknown): unknown {
  if (error instanceof ConnectionError) return new DemoError(`${error.message}; ${START_HINT}`);
  if (error instanceof TradePrintError)
    return new DemoError(`${error.status} ${error.code}: ${error.message} (request ${error.requestId})`);
  return error;
}
