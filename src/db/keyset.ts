import type { Sql } from './database';

/** The last row of a page: the next one begins after it. Lists that go by their id alone use that of it. */
export interface PageCursor {
  createdAt: Date;
  id: string;
  /** In lists by name: the name that the row had, because it may change between two pages. */
  name?: string;
}

export interface Page {
  limit: number;
  /** Null: the first page. */
  after: PageCursor | null;
}

/** What a list is ordered by, newest first unless it says otherwise: `created_at` and `id` under an alias or none, or an id that grows. */
export type SortColumns = readonly [createdAt: string, id: string] | readonly [id: string];

export interface ListQuery {
  text: string;
  parameters?: readonly unknown[];
  sortBy: SortColumns;
  oldestFirst?: boolean;
}

export const orderNewestFirst = (columns: SortColumns): string => `ORDER BY ${columns.map((column) => `${column} DESC`).join(', ')}`;
export const orderOldestFirst = (columns: SortColumns): string => `ORDER BY ${columns.join(', ')}`;

/** One page of a list. The first has a statement of its own, so that the others can begin at their mark in the index. */
export function findPage<Row>(sql: Sql, list: ListQuery, { limit, after }: Page): Promise<Row[]> {
  const { text, parameters = [], sortBy, oldestFirst: isOldestFirst = false } = list;
  const next = parameters.length + 1;
  const cursorValues = after === null ? [] : [...(sortBy.length === 1 ? [] : [after.createdAt]), after.id];
  const afterCursor =
    after === null
      ? ''
      : `AND (${sortBy.join(', ')}) ${isOldestFirst ? '>' : '<'} (${cursorValues.map((_, index) => `$${next + 1 + index}`).join(', ')})`;
  return sql.rows(`${text} ${afterCursor} ${isOldestFirst ? orderOldestFirst(sortBy) : orderNewestFirst(sortBy)} LIMIT $${next}`, [
    ...parameters,
    limit,
    ...cursorValues,
  ]);
}
