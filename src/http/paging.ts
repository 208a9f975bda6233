import type { PageCursor } from '../db/keyset';
import { LIMITS } from '../domain/limits';
import { ENTRIES_BYTES, listBody } from '../presenters/envelope';
import { queryError, readPage, type Cursors } from './cursor';
import type { HandlerResponse } from './types';

export interface PagedList<R> {
  /** Identifies the list; a cursor is valid only for this list. */
  name: string;
  /** The filters of the request as text. Null for a request without filters; the filters in its cursor then apply. */
  filters?: string | null;
  find: (limit: number, after: PageCursor | null, filters: string) => Promise<R[]>;
  cursorOf: (row: R) => PageCursor;
  present: (row: R) => unknown;
}

interface ListRequest {
  deps: { cursors: Cursors };
  query: URLSearchParams;
}

/** The number of rows of the first read: a default page and one more. Their average size determines the number of the next read. */
const FIRST_ROWS = LIMITS.defaultPageSize + 1;

/**
 * Responds with a page of a list, newest first, and its `nextCursor`, null on the last page. A page ends after `limit` rows, or before the
 * row that would exceed the maximum size. It reads one more row to find out whether another page follows.
 */
export async function respondWithPage<R>({ deps, query }: ListRequest, list: PagedList<R>): Promise<HandlerResponse> {
  const { name, find, cursorOf, present } = list;
  const { limit, after, filters: cursorFilters } = readPage(query, deps.cursors, name);
  const filters = list.filters ?? cursorFilters;
  if (after !== null && filters !== cursorFilters)
    throw queryError('cursor', 'belongs to other filters; send it with the same filters or without any, or leave it out to start again');
  const entries: string[] = [];
  let last = after;
  let bytes = 0;
  const cursor = (): string | null => (last === null ? null : deps.cursors.issue(name, { pageCursor: last, filters }));
  for (;;) {
    const rowsThatFit = entries.length === 0 ? FIRST_ROWS : Math.ceil(((ENTRIES_BYTES - bytes) / bytes) * entries.length) + 1;
    const batchSize = Math.min(limit + 1 - entries.length, rowsThatFit);
    const rows = await find(batchSize, last, filters);
    for (const row of rows) {
      const entry = JSON.stringify(present(row));
      bytes += Buffer.byteLength(entry) + 1;
      if (entries.length === limit || (entries.length > 0 && bytes > ENTRIES_BYTES)) return { text: listBody(entries, cursor()) };
      entries.push(entry);
      last = cursorOf(row);
    }
    if (rows.length < batchSize) return { text: listBody(entries, null) };
  }
}

/** The cursor position of rows ordered by (created_at, id). */
export function cursorByAge(row: { created_at: Date; id: string }): PageCursor {
  return { createdAt: row.created_at, id: row.id };
}
