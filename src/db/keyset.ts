import type { Sql } from './database';

/** The last row of a page; the next page starts after it. Lists sorted by id use only the id. */
export interface PageCursor {
  createdAt: Date;
  id: string;
  /** In lists sorted by name, the row's name when the page was read. The name may change between two pages. */
  name?: string;
}

export interface Page {
  limit: number;
  /** Null means the first page. */
  after: PageCursor | null;
}

/** Sort columns of a list, newest first by default: `created_at` and `id`, with or without an alias, or a growing id. */
export type SortColumns = readonly [createdAt: string, id: string] | readonly [id: string];

export interface ListQuery {
  text: string;
  parameters?: readonly unknown[];
  sortBy: SortColumns;
  oldestFirst?: boolean;
}

export const orderNewestFirst = (columns: SortColumns): string => `ORDER BY ${columns.map((column) => `${column} DESC`).join(', ')}`;
export const orderOldestFirst = (columns: SortColumns): string => `ORDER BY ${columns.join(', ')}`;

/** Reads one page of a list. The first page has its own statement, so that later pages can start at their position in the index. */
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
