import type { PageMark } from '../db/keyset';
import { queryError, readPage, type Cursors } from './cursor';
import type { Answer } from './types';

export interface List<R> {
  /** Names the list with what it is of: a cursor is good for this list only. */
  name: string;
  /** Of a list whose cursors keep its filters: those that the request names, as text; null where it names none, then a cursor's hold. */
  filters?: string | null;
  find: (limit: number, after: PageMark | null, filters: string) => Promise<R[]>;
  mark: (row: R) => PageMark;
  present: (row: R) => unknown;
}

interface ListRequest {
  deps: { cursors: Cursors };
  query: URLSearchParams;
}

/**
 * One page of a list, newest first, with its nextCursor, null on the last (ruling 10). One row more than the page tells whether there is
 * another.
 */
export async function answerPage<R>({ deps, query }: ListRequest, list: List<R>): Promise<Answer> {
  const { name, find, mark, present } = list;
  const { limit, after, filters: kept } = readPage(query, deps.cursors, name);
  const filters = list.filters ?? kept;
  if (after !== null && filters !== kept)
    throw queryError('cursor', 'was given for other filters; send it with the same, or without any, or start again without it');
  const found = await find(limit + 1, after, filters);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? deps.cursors.issue(name, { mark: mark(last), filters }) : null;
  return { data: page.map(present), nextCursor };
}

/** The mark of rows that are listed by (created_at, id). */
export function markByAge(row: { created_at: Date; id: string }): PageMark {
  return { createdAt: row.created_at, id: row.id };
}
