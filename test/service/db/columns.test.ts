import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { columns, DECLARED_COLUMNS, nullable, text, type RowOf } from '../../../src/db/columns';
import { useDatabase } from '../../support/fixtures';

const SOURCES = path.join(projectRoot, 'src');
const declaringFiles = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== path.join('db', 'columns.ts'))
  .map((file) => ({ file, lists: readFileSync(path.join(SOURCES, file), 'utf8').match(/= columns\(/g) ?? [] }))
  .filter(({ lists }) => lists.length > 0);
// Modules declare their columns when they load; the declarations of this file come later.
for (const { file } of declaringFiles) require(path.join(SOURCES, file));
const SOURCE_COLUMNS = [...DECLARED_COLUMNS];

const PARCEL = { id: text, carrier: nullable(text) };

describe('columns', () => {
  it('are listed as they are, and under an alias', () => {
    const parcel = columns('parcels', PARCEL);
    expect([parcel.list, parcel.of('p'), parcel.json('p')]).toEqual([
      'id, carrier',
      'p.id, p.carrier',
      "jsonb_build_object('id', p.id, 'carrier', p.carrier)",
    ]);
  });

  it('select some of a table, or all except some', () => {
    const parcel = columns('parcels', PARCEL);
    expect([parcel.only('carrier').list, parcel.without('carrier').list]).toEqual(['carrier', 'id']);
    const row = { id: 'P1', carrier: 'Post' };
    expect(parcel.only('id').pick(row)).toEqual({ id: 'P1' });
  });

  it('define the type of a row', () => {
    const parcel = columns('parcels', PARCEL);
    const row: RowOf<typeof parcel> = { id: 'P1', carrier: null };
    // @ts-expect-error a parcel has no weight
    const heavy: RowOf<typeof parcel> = { ...row, weight: 1 };
    // @ts-expect-error `id` is not null
    const nameless: RowOf<typeof parcel> = { ...row, id: null };
    // @ts-expect-error a parcel has no weight
    expect([heavy, nameless, parcel.only('weight').list]).toHaveLength(3);
  });

  describe('of the tables', () => {
    const { database } = useDatabase();

    it('are declared at the top of their modules', () => {
      expect(SOURCE_COLUMNS).toHaveLength(declaringFiles.flatMap(({ lists }) => lists).length);
    });

    it('exist in their tables', async () => {
      expect(SOURCE_COLUMNS.length).toBeGreaterThan(20);
      expect(await findUndeclared(SOURCE_COLUMNS)).toEqual([]);
    });

    it('a missing column and a missing table are found', async () => {
      const before = DECLARED_COLUMNS.length;
      columns('payments', PARCEL);
      columns(['parcels', 'packages'], PARCEL);
      expect(await findUndeclared(DECLARED_COLUMNS.slice(before))).toEqual(['payments.carrier', 'packages.id', 'packages.carrier']);
    });

    /** Declared columns that no table has. */
    async function findUndeclared(declared: typeof DECLARED_COLUMNS): Promise<string[]> {
      const found = await database.rows<{ name: string }>(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
      );
      const known = new Set(found.map(({ name }) => name));
      return declared
        .flatMap(({ tables, names }) => tables.flatMap((table) => names.map((name) => `${table}.${name}`)))
        .filter((name) => !known.has(name));
    }
  });
});
