import type { ApiError } from '../domain/errors';

/** `{ data, error: null }`, with `nextCursor` beside `data` on lists, as the text that is sent and replayed (rulings 1 and 10). */
export function successBody(data: unknown, nextCursor?: string | null): string {
  return JSON.stringify(nextCursor === undefined ? { data, error: null } : { data, error: null, nextCursor });
}

/** The same of a list whose entries are JSON already, each sent as it is stored. */
export function listBody(entries: readonly string[], nextCursor: string | null): string {
  return `{"data":[${entries.join(',')}],"error":null,"nextCursor":${JSON.stringify(nextCursor)}}`;
}

/** `{ data: null, error: { code, message, details? } }`; details absent where they do not apply. */
export function errorBody(error: ApiError): string {
  const { code, message, details } = error;
  return JSON.stringify({ data: null, error: details === undefined ? { code, message } : { code, message, details } });
}
