import type { StoredCatalogueSection } from '../../domain/catalogue';
import type { MaterialSection } from '../../domain/materials';
import type { Sql } from '../database';
import { HAS_OPEN_PIECES, needsOfLines } from './order-list';
import { bool, columns, nullable, text, typed, type RowOf } from '../columns';

/** A row of the catalogue as the studio edits it. */
const ENTRY_COLUMNS = columns('catalogue_rows', {
  id: text,
  content: typed<object>(),
  withdrawn: bool,
  /** The last day without stock, `YYYY-MM-DD`; null if it is in stock. */
  out_of_stock_until: nullable(text),
});
export type CatalogueEntry = RowOf<typeof ENTRY_COLUMNS>;

/** Every row of a section in catalogue order, including withdrawn ones. */
export function listEntries(sql: Sql, section: StoredCatalogueSection): Promise<CatalogueEntry[]> {
  return sql.rows(`SELECT ${ENTRY_COLUMNS.list} FROM catalogue_rows WHERE section = $1 ORDER BY position, id`, [section]);
}

/** Finds one row, or null. Locks the catalogue until the transaction ends, because each edit is checked against the other rows. */
export async function lockEntry(sql: Sql, section: StoredCatalogueSection, id: string): Promise<CatalogueEntry | null> {
  await sql.run(`SELECT revision FROM catalogue_revision FOR UPDATE`);
  return sql.row(`SELECT ${ENTRY_COLUMNS.list} FROM catalogue_rows WHERE section = $1 AND id = $2`, [section, id]);
}

export function findSectionsWithId(sql: Sql, id: string): Promise<StoredCatalogueSection[]> {
  return sql.column(`SELECT section FROM catalogue_rows WHERE id = $1`, [id]);
}

/** The quality tiers among these ids that exist, including withdrawn ones. */
export async function findExistingTierIds(sql: Sql, ids: string[]): Promise<Set<string>> {
  return new Set(await sql.column<string>(`SELECT id FROM catalogue_rows WHERE section = 'qualityTiers' AND id = ANY ($1)`, [ids]));
}

/** Stores a whole row. A new row goes to the end of its section. A trigger increases the catalogue's revision. */
export async function putEntry(sql: Sql, section: StoredCatalogueSection, entry: CatalogueEntry, now: Date): Promise<void> {
  await sql.run(
    `INSERT INTO catalogue_rows (section, id, position, content, withdrawn, out_of_stock_until, updated_at)
     SELECT $1, $2, COALESCE(max(position) + 1, 0), $3, $4, $5, $6 FROM catalogue_rows WHERE section = $1
     ON CONFLICT (section, id) DO UPDATE SET content = EXCLUDED.content, withdrawn = EXCLUDED.withdrawn,
       out_of_stock_until = EXCLUDED.out_of_stock_until, updated_at = EXCLUDED.updated_at`,
    [section, entry.id, JSON.stringify(entry.content), entry.withdrawn, entry.out_of_stock_until, now],
  );
}

/** How many open orders need a row, and for how many pieces. */
export interface MaterialNeed {
  id: string;
  orders: number;
  pieces: number;
}

/** The rows of a section that open live orders need, by id. */
export function findMaterialNeeds(sql: Sql, section: MaterialSection): Promise<MaterialNeed[]> {
  return sql.rows(
    `
    SELECT c.id, count(DISTINCT o.id)::int AS orders, sum(n.pieces)::int AS pieces
      FROM orders o CROSS JOIN LATERAL ${needsOfLines(section)} n JOIN catalogue_rows c ON c.section = $1 AND c.id = n.id
     WHERE o.environment = 'live' AND ${HAS_OPEN_PIECES} AND n.pieces > 0
     GROUP BY c.id ORDER BY c.id`,
    [section],
  );
}
