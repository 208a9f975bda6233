import type { Page } from '../../api/studio';
import type { Environment } from '../../api/types';

/** Of a list that has live and test together, a page of those of one: as many pages are read as it takes to find any. */
export async function pageOf<Row extends { environment: Environment }>(
  environment: Environment,
  cursor: string | undefined,
  read: (cursor: string | undefined) => Promise<Page<Row[]>>,
): Promise<Page<Row[]>> {
  const { rows, nextCursor } = await read(cursor);
  const found = rows.filter((row) => row.environment === environment);
  return found.length > 0 || nextCursor === null ? { rows: found, nextCursor } : pageOf(environment, nextCursor, read);
}
