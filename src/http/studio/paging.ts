import type { PageMark } from '../../db/repositories/orders';
import { pageOf, readPage } from '../cursor';
import type { Answer } from '../types';
import type { StudioRequest } from './types';

export interface List<R> {
  /** Names the list with everything that filters it: a cursor is good for this list only. */
  name: string;
  find: (limit: number, after: PageMark | null) => Promise<R[]>;
  mark: (row: R) => PageMark;
  present: (row: R) => unknown;
}

/** One page of a list, newest first, with its nextCursor (ruling 10). */
export async function answerPage<R>({ deps, query }: StudioRequest, list: List<R>): Promise<Answer> {
  const name = `studio/${list.name}`;
  const { limit, after } = readPage(query, deps.cursors, name);
  const found = await list.find(limit + 1, after);
  const { page, nextCursor } = pageOf(found, limit, (last) => deps.cursors.issue(name, list.mark(last)));
  return { data: page.map(list.present), nextCursor };
}

/** The mark of rows that are listed by (created_at, id). */
export function markByAge(row: { created_at: Date; id: string }): PageMark {
  return { createdAt: row.created_at, id: row.id };
}
