import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { SELLER_COLUMNS, type SellerRow } from '../rows';

/** SQL: the version that holds from now on; NULL where the studio has said nothing of itself. One step in its primary key. */
export const CURRENT_SELLER_VERSION = '(SELECT max(version) FROM sellers)';

/** What the studio says of itself at present; null where it has said nothing. */
export function findCurrentSeller(sql: Sql): Promise<SellerRow | null> {
  return sql.row(`SELECT ${SELLER_COLUMNS.list} FROM sellers WHERE version = ${CURRENT_SELLER_VERSION}`);
}

/** From the next invoice on; those that are there keep theirs. */
export async function insertSeller(sql: Sql, seller: Omit<SellerRow, 'version'>, now: Date): Promise<void> {
  await insertRow(sql, 'sellers', [...SELLER_COLUMNS.without('version').names, 'created_at'], { ...seller, created_at: now });
}
