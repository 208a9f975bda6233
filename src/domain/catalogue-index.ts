import { STORED_SECTIONS, rowId, type StoredCatalogue, type StoredSection } from './catalogue';

export type RowOf<S extends StoredSection> = StoredCatalogue[S][number];
/** Says whether a row existed and was withdrawn; only the wording of refusals depends on it. */
export type WithdrawnLookup = (section: StoredSection, id: string) => boolean;

/** The catalogue's rows by id: built once per call, so that 200 lines do not scan the sections 200 times. */
export class CatalogueIndex {
  private readonly sections = new Map<StoredSection, Map<string, object>>();

  constructor(
    catalogue: StoredCatalogue,
    readonly isWithdrawn: WithdrawnLookup = () => false,
  ) {
    for (const section of STORED_SECTIONS) {
      const rows: readonly object[] = catalogue[section];
      this.sections.set(section, new Map(rows.map((row) => [rowId(section, row), row])));
    }
  }

  find<S extends StoredSection>(section: S, id: string): RowOf<S> | undefined {
    return this.sections.get(section)?.get(id) as RowOf<S> | undefined;
  }

  rows<S extends StoredSection>(section: S): RowOf<S>[] {
    return [...(this.sections.get(section)?.values() ?? [])] as RowOf<S>[];
  }

  ids(section: StoredSection): string[] {
    return [...(this.sections.get(section)?.keys() ?? [])];
  }
}
