import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A cell as LibreOffice reads it: its type, its value, and the text that it shows. A formula has the type `formula`. */
export interface SpreadsheetCell {
  type: string;
  value: string | null;
  text: string;
}

export interface SpreadsheetOptions {
  /** The locale of a new profile, such as `de-DE`. */
  locale: string;
  /** "Detect special numbers" of the import dialog. */
  detectSpecialNumbers: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const decode = (xml: string): string =>
  xml
    .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count?: string) => ' '.repeat(Number(count ?? '1')))
    .replaceAll('<text:tab/>', '\t')
    .replaceAll('</text:p><text:p>', '\n')
    .replace(/<[^>]{1,500}>/g, '')
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '');

function readCell(attributes: string, content: string): SpreadsheetCell {
  const valueOf = (name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
  const type = valueOf('table:formula') === undefined ? (valueOf('office:value-type') ?? 'empty') : 'formula';
  const value = valueOf('office:value') ?? valueOf('office:date-value') ?? valueOf('office:time-value') ?? null;
  return { type, value, text: decode(content.trim()) };
}

/** The rows of a flat OpenDocument file. Empty cells and rows at the end are left out. */
function readRows(fods: string): SpreadsheetCell[][] {
  const rows = [...fods.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(([, attributes = '', content = '']) => {
      const repeated = Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? '1');
      return Array.from({ length: Math.min(repeated, 200) }, () => readCell(attributes, content));
    }),
  );
  return rows.filter((row) => row.some(({ type }) => type !== 'empty'));
}

/** Opens CSV files in LibreOffice with an empty home and profile. @returns the rows of each file, by the names given */
export async function openInLibreOffice(
  folder: string,
  files: ReadonlyMap<string, string>,
  { locale, detectSpecialNumbers }: SpreadsheetOptions,
): Promise<Map<string, SpreadsheetCell[][]>> {
  const profile = join(folder, 'profile');
  mkdirSync(join(profile, 'user'), { recursive: true });
  writeFileSync(
    join(profile, 'user', 'registrymodifications.xcu'),
    `<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">
    <item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item></oor:items>`,
  );
  const names = [...files.keys()];
  const paths = names.map((_, index) => join(folder, `list-${index}.csv`));
  for (const [index, text] of [...files.values()].entries()) writeFileSync(paths[index] ?? '', text);
  // Commas, double quotes, UTF-8, from line 1, the language of the profile, quoted fields as other fields.
  const filter = `CSV:44,34,76,1,,0,false,${detectSpecialNumbers}`;
  const options = [
    `-env:UserInstallation=file://${profile}`,
    '--headless',
    `--infilter=${filter}`,
    '--convert-to',
    'fods',
    '--outdir',
    folder,
  ];
  await promisify(execFile)('soffice', [...options, ...paths], { env: { PATH: process.env['PATH'], HOME: folder } });
  return new Map(names.map((name, index) => [name, readRows(readFileSync(join(folder, `list-${index}.fods`), 'utf8'))]));
}
