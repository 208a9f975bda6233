import type { ApiError } from '../domain/errors';
import { LIMITS } from '../domain/limits';

/** `{ data, error: null }`, with `nextCursor` on lists, as the text to send and replay. */
export function successBody(data: unknown, nextCursor?: string | null): string {
  return JSON.stringify(nextCursor === undefined ? { data, error: null } : { data, error: null, nextCursor });
}

/** The maximum size of a page without its entries. The longest cursor determines it. */
const ENVELOPE_BYTES = 4096;
/** The maximum size of a page's entries with their commas, in UTF-8 bytes. */
export const ENTRIES_BYTES = LIMITS.pageBytes - ENVELOPE_BYTES;

/** The envelope of a list whose entries are stored JSON. */
export function listBody(entries: readonly string[], nextCursor: string | null): string {
  return `{"data":[${entries.join(',')}],"error":null,"nextCursor":${JSON.stringify(nextCursor)}}`;
}

/** `{ data: null, error: { code, message, details? } }`. */
export function errorBody(error: ApiError): string {
  const { code, message, details } = error;
  return JSON.stringify({ data: null, error: details === undefined ? { code, message } : { code, message, details } });
}
