import { STORED_SECTIONS, rowId, type StoredCatalogue, type StoredCatalogueSection, type TieredRow } from './catalogue';

export type CatalogueRow<S extends StoredCatalogueSection> = StoredCatalogue[S][number];
/** True if a row was withdrawn. Affects only the wording of refusals. */
export type WithdrawnLookup = (section: StoredCatalogueSection, id: string) => boolean;

/** The catalogue's rows by id. Built once for each request, so that 200 lines do not scan the sections 200 times. */
export class CatalogueIndex {
  private readonly sections = new Map<StoredCatalogueSection, Map<string, object>>();
  /** The tiers of each section's rows; null if a row fits any tier. Calculated when first needed. */
  private readonly tiers = new Map<StoredCatalogueSection, ReadonlySet<string> | null>();

  constructor(
    catalogue: StoredCatalogue,
    readonly isWithdrawn: WithdrawnLookup = () => false,
  ) {
    for (const section of STORED_SECTIONS) {
      const rows: readonly object[] = catalogue[section];
      this.sections.set(section, new Map(rows.map((row) => [rowId(section, row), row])));
    }
  }

  find<S extends StoredCatalogueSection>(section: S, id: string): CatalogueRow<S> | undefined {
    return this.sections.get(section)?.get(id) as CatalogueRow<S> | undefined;
  }

  rows<S extends StoredCatalogueSection>(section: S): CatalogueRow<S>[] {
    return [...(this.sections.get(section)?.values() ?? [])] as CatalogueRow<S>[];
  }

  ids(section: StoredCatalogueSection): string[] {
    return [...(this.sections.get(section)?.keys() ?? [])];
  }

  /** Whether a row of the section fits one of the tiers. */
  hasRowInTiers(section: StoredCatalogueSection, tiers: readonly string[]): boolean {
    const sectionTiers = this.tiersOf(section);
    return tiers.some((tier) => sectionTiers === null || sectionTiers.has(tier));
  }

  private tiersOf(section: StoredCatalogueSection): ReadonlySet<string> | null {
    const cached = this.tiers.get(section);
    if (cached !== undefined) return cached;
    const lists = [...(this.sections.get(section)?.values() ?? [])].map((row) => (row as TieredRow).qualityTierIds);
    const tiers = lists.includes(null) ? null : new Set(lists.flatMap((list) => list ?? []));
    this.tiers.set(section, tiers);
    return tiers;
  }
}
