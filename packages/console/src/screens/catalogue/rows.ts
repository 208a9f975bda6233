import { queryOptions } from '@tanstack/react-query';
import { page, studio } from '../../api/studio';
import { type Field, type Section, SECTIONS } from './sections';

/** A row of any section, as the trade catalogue shows it, and whether it is withdrawn. */
export type Row = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** Every row of a section, withdrawn ones too: sections are small, and not paged. */
export const sectionQuery = (section: Section) =>
  queryOptions({
    queryKey: ['catalogue', section],
    queryFn: async (): Promise<readonly Row[]> => (await page(studio.GET('/catalogue/{section}', { params: { path: { section } } }))).rows,
  });

export const idField = (section: Section): string => SECTIONS[section].fields[0]?.name ?? 'id';
export const idOf = (section: Section, row: Row): string => String(row[idField(section)]);
export const isWithdrawn = (row: Row): boolean => row.withdrawn === true;

export function nameOf(section: Section, row: Row): string {
  return String(row.name ?? row.label ?? row[idField(section)]);
}

/** The fields of a section, and those that a row has besides: what the service came to know later can be edited too. */
export function fieldsOf(section: Section, row?: Row): readonly Field[] {
  const { fields } = SECTIONS[section];
  const known = new Set([...fields.map(({ name }) => name), 'withdrawn']);
  const others = Object.entries(row ?? {}).filter(([name]) => !known.has(name));
  return [...fields, ...others.map(([name, value]) => fieldOf(name, value))];
}

function fieldOf(name: string, value: unknown): Field {
  if (typeof value === 'boolean') return { name, label: name, kind: 'yes' };
  if (typeof value === 'number') return { name, label: name, kind: 'whole', optional: true };
  if (typeof value === 'string') return { name, label: name, kind: 'text', optional: true };
  return { name, label: name, kind: 'json', optional: true, help: 'As JSON.' };
}

export function found(rows: readonly Row[], typed: string): readonly Row[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = Object.values(row).join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
