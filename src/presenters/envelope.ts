import type { ApiError } from '../domain/errors';
import { LIMITS } from '../domain/limits';

/** `{ data, error: null }`, with `nextCursor` beside `data` on lists, as the text that is sent and replayed (rulings 1 and 10). */
export function successBody(data: unknown, nextCursor?: string | null): string {
  return JSON.stringify(nextCursor === undefined ? { data, error: null } : { data, error: null, nextCursor });
}

/** What the body of a page has besides its entries: the envelope, with a cursor of any length. */
const ENVELOPE_BYTES = 4096;
/** Of the entries of a page and the commas behind them, UTF-8. */
export const ENTRIES_BYTES = LIMITS.pageBytes - ENVELOPE_BYTES;

/** The same of a list whose entries are JSON already, each sent as it is stored. */
export function listBody(entries: readonly string[], nextCursor: string | null): string {
  return `{"data":[${entries.join(',')}],"error":null,"nextCursor":${JSON.stringify(nextCursor)}}`;
}

/** `{ data: null, error: { code, message, details? } }`; details absent where they do not apply. */
export function errorBody(error: ApiError): string {
  const { code, message, details } = error;
  return JSON.stringify({ data: null, error: details === undefined ? { code, message } : { code, message, details } });
}
