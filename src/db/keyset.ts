import type { Sql } from './database';

/** The last row of a page: the next one begins after it. Lists that go by their id alone use that of it. */
export interface PageMark {
  createdAt: Date;
  id: string;
  /** In lists by name: the name that the row had, because it may change between two pages. */
  name?: string;
}

export interface Page {
  limit: number;
  /** Null: the first page. */
  after: PageMark | null;
}

/** What a list is ordered by, newest first unless it says otherwise: `created_at` and `id` under an alias or none, or an id that grows. */
export type NewestFirst = readonly [createdAt: string, id: string] | readonly [id: string];

export interface List {
  text: string;
  parameters?: readonly unknown[];
  by: NewestFirst;
  oldestFirst?: boolean;
}

export const newestFirst = (by: NewestFirst): string => `ORDER BY ${by.map((column) => `${column} DESC`).join(', ')}`;
export const oldestFirst = (by: NewestFirst): string => `ORDER BY ${by.join(', ')}`;

/** One page of a list. The first has a statement of its own, so that the others can begin at their mark in the index. */
export function pageOfList<Row>(sql: Sql, list: List, { limit, after }: Page): Promise<Row[]> {
  const { text, parameters = [], by, oldestFirst: isOldestFirst = false } = list;
  const next = parameters.length + 1;
  const marks = after === null ? [] : [...(by.length === 1 ? [] : [after.createdAt]), after.id];
  const beyond =
    after === null
      ? ''
      : `AND (${by.join(', ')}) ${isOldestFirst ? '>' : '<'} (${marks.map((_, index) => `$${next + 1 + index}`).join(', ')})`;
  return sql.rows(`${text} ${beyond} ${isOldestFirst ? oldestFirst(by) : newestFirst(by)} LIMIT $${next}`, [
    ...parameters,
    limit,
    ...marks,
  ]);
}
