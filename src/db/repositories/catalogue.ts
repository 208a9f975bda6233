import { STORED_SECTIONS, type StoredCatalogue, type StoredCatalogueSection } from '../../domain/catalogue';
import type { Sql } from '../database';
import { bool, columns, text, typed, type RowOf } from '../columns';

export const CATALOGUE_COLUMNS = columns('catalogue_rows', {
  section: typed<StoredCatalogueSection>(),
  id: text,
  content: typed<object>(),
  withdrawn: bool,
});
type CatalogueDbRow = RowOf<typeof CATALOGUE_COLUMNS>;

/** The catalogue at one moment: the rows on offer, and the withdrawn ids, which have their own refusal. */
export interface CatalogueSnapshot {
  revision: number;
  onOffer: StoredCatalogue;
  withdrawn: ReadonlySet<string>;
}

export const withdrawnKey = (section: StoredCatalogueSection, id: string): string => `${section}/${id}`;

/**
 * Reads the catalogue. Rows are cached by revision. Each read checks the revision in PostgreSQL, because the next request must not sell a
 * withdrawn material.
 */
export class CatalogueReader {
  private cached: CatalogueSnapshot | null = null;

  async read(sql: Sql): Promise<CatalogueSnapshot> {
    return this.readAtRevision(sql, (await sql.value<number | null>('SELECT revision FROM catalogue_revision')) ?? 0);
  }

  /** Returns the catalogue for callers that have already read the revision. */
  async readAtRevision(sql: Sql, revision: number): Promise<CatalogueSnapshot> {
    if (this.cached?.revision === revision) return this.cached;
    const stored = await sql.rows<CatalogueDbRow>(`SELECT ${CATALOGUE_COLUMNS.list} FROM catalogue_rows ORDER BY section, position, id`);
    this.cached = toSnapshot(revision, stored);
    return this.cached;
  }
}

function toSnapshot(revision: number, stored: CatalogueDbRow[]): CatalogueSnapshot {
  const onOffer = Object.fromEntries(STORED_SECTIONS.map((section) => [section, [] as object[]]));
  const withdrawn = new Set<string>();
  for (const { section, id, content, withdrawn: isWithdrawn } of stored) {
    if (isWithdrawn) withdrawn.add(withdrawnKey(section, id));
    else onOffer[section]?.push(content);
  }
  return { revision, onOffer: onOffer as unknown as StoredCatalogue, withdrawn };
}
