import { queryOptions } from '@tanstack/react-query';
import { callApi, callApiPage, studio } from '../../api/studio';
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
/** The last day without stock; null if the material is in stock, or the row is no material. */
export const stockDay = (row: Row): string | null => (typeof row.outOfStockUntil === 'string' ? row.outOfStockUntil : null);
export const isMaterial = (section: Section): boolean => !['products', 'sizes', 'qualityTiers'].includes(section);

/** The number of open orders that need each material of a section. */
export const openOrdersQuery = (section: Section) =>
  queryOptions({
    queryKey: ['orders', 'materials', section],
    queryFn: async (): Promise<ReadonlyMap<string, number>> => {
      const needs = await callApi(studio.GET('/materials/{section}/open-orders', { params: { path: { section } } }));
      return new Map(needs.map(({ id, orders }) => [id, orders]));
    },
    enabled: isMaterial(section),
  });

export const isWithdrawn = (row: Row): boolean => row.withdrawn === true;

export function nameOf(section: Section, row: Row): string {
  return String(row.name ?? row.label ?? row[idField(section)]);
}

export function searchRows(rows: readonly Row[], query: string): readonly Row[] {
  return rows.filter((row) => hasWords(Object.values(row).join(' '), query));
}
