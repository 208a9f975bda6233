import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { SELLER_COLUMNS, type SellerRow } from '../rows';

/** SQL: the current version; NULL before the studio enters its details. Costs one lookup in the primary key. */
export const CURRENT_SELLER_VERSION = '(SELECT max(version) FROM sellers)';

/** The studio's current details; null before it enters them. */
export function findCurrentSeller(sql: Sql): Promise<SellerRow | null> {
  return sql.row(`SELECT ${SELLER_COLUMNS.list} FROM sellers WHERE version = ${CURRENT_SELLER_VERSION}`);
}

/** Stores new details, which apply from the next invoice on. Existing invoices keep their version. */
export async function insertSeller(sql: Sql, seller: Omit<SellerRow, 'version'>, now: Date): Promise<void> {
  await insertRow(sql, 'sellers', [...SELLER_COLUMNS.without('version').names, 'created_at'], { ...seller, created_at: now });
}
