import { ConnectionError, TradePrintError, type ErrorCode, type Refusal } from '@trade-print/client';
import { request } from 'undici';

/** An unexpected response. The message names the request and the response. */
export class DemoError extends Error {}

const START_HINT =
  'start the service with npm start; if it uses API_PORT, STUDIO_PORT or other address settings, set the same values for the demo';

/** The studio API over plain HTTP. */
export class StudioClient {
  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  /** Returns the data of a response. @throws DemoError for any error response */
  async post<T>(path: string, body: object): Promise<T> {
    const reply = await request(`${this.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch((error: Error) => {
      throw new DemoError(`no response from ${this.baseUrl} (${error.message}); ${START_HINT}`);
    });
    const { data, error } = (await reply.body.json()) as { data: T | null; error: Pick<Refusal, 'code' | 'message'> | null };
    if (data === null) throw new DemoError(`POST ${path} returned ${reply.statusCode} ${error?.code}: ${error?.message}`);
    return data;
  }
}

/** Returns the expected error. @throws DemoError if the call succeeds or fails with another error */
export async function expectRefusal(code: ErrorCode, call: Promise<unknown>): Promise<TradePrintError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof TradePrintError && error.code === code) return error;
  throw toDemoError(error ?? new DemoError(`the call should fail with ${code}, but it succeeded`));
}

/** Converts errors of the client package to errors with a message for the terminal. */
export function toDemoError(error: unknown): unknown {
  if (error instanceof ConnectionError) return new DemoError(`${error.message}; ${START_HINT}`);
  if (error instanceof TradePrintError)
    return new DemoError(`${error.status} ${error.code}: ${error.message} (request ${error.requestId})`);
  return error;
}
