import { queryOptions } from '@tanstack/react-query';
import { callApiPage, studio } from '../../api/studio';
import { hasWords } from '../../shared/search-words';
import { type Section, SECTIONS } from './sections';

/** A row of any section of the catalogue. */
export type Row = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** All rows of a section, also withdrawn ones. Sections are small and have no pages. */
export const sectionQuery = (section: Section) =>
  queryOptions({
    queryKey: ['catalogue', section],
    queryFn: async (): Promise<readonly Row[]> =>
      (await callApiPage(studio.GET('/catalogue/{section}', { params: { path: { section } } }))).rows,
  });

export const idField = (section: Section): string => SECTIONS[section].fields[0]?.name ?? 'id';
export const idOf = (section: Section, row: Row): string => String(row[idField(section)]);
export const isWithdrawn = (row: Row): boolean => row.withdrawn === true;

export function nameOf(section: Section, row: Row): string {
  return String(row.name ?? row.label ?? row[idField(section)]);
}

export function searchRows(rows: readonly Row[], query: string): readonly Row[] {
  return rows.filter((row) => hasWords(Object.values(row).join(' '), query));
}
