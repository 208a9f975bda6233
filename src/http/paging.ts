import type { PageMark } from '../db/keyset';
import { readPage, type Cursors } from './cursor';
import type { Answer } from './types';

export interface List<R> {
  /** Names the list with everything that filters it: a cursor is good for this list only. */
  name: string;
  find: (limit: number, after: PageMark | null) => Promise<R[]>;
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
export async function answerPage<R>({ deps, query }: ListRequest, { name, find, mark, present }: List<R>): Promise<Answer> {
  const { limit, after } = readPage(query, deps.cursors, name);
  const found = await find(limit + 1, after);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? deps.cursors.issue(name, mark(last)) : null;
  return { data: page.map(present), nextCursor };
}

/** The mark of rows that are listed by (created_at, id). */
export function markByAge(row: { created_at: Date; id: string }): PageMark {
  return { createdAt: row.created_at, id: row.id };
}
