import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { columns, DECLARED, expressions } from '../../../src/db/columns';
import { openDatabase, type Database } from '../../../src/db/database';
import { createDatabase, type TestDatabase } from '../../support/database';

const SOURCES = path.join(projectRoot, 'src');
const declaring = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== path.join('db', 'columns.ts'))
  .map((file) => ({ file, lists: readFileSync(path.join(SOURCES, file), 'utf8').match(/\bcolumns(?:<|\()/g) ?? [] }))
  .filter(({ lists }) => lists.length > 0);
// Modules declare their columns when they load; the declarations of this file come later.
for (const { file } of declaring) require(path.join(SOURCES, file));
const OF_THE_SOURCES = [...DECLARED];

interface Parcel {
  id: string;
  carrier: string | null;
}

describe('columns', () => {
  it('are listed as they are, and under an alias', () => {
    const parcel = columns<Parcel>('parcels')('id', 'carrier');
    expect([parcel.list, parcel.of('p'), parcel.json('p')]).toEqual([
      'id, carrier',
      'p.id, p.carrier',
      "jsonb_build_object('id', p.id, 'carrier', p.carrier)",
    ]);
    expect(expressions<Parcel>({ id: 'p.id', carrier: 'c.name' })).toBe('p.id, c.name AS carrier');
  });

  it('do not compile where a field of the row is missing, or where the row has no such field', () => {
    // @ts-expect-error `carrier` is missing
    columns<Parcel>('parcels')('id');
    // @ts-expect-error a parcel has no weight
    columns<Parcel>('parcels')('id', 'carrier', 'weight');
    // @ts-expect-error `carrier` is missing
    expressions<Parcel>({ id: 'p.id' });
    // @ts-expect-error a parcel has no weight
    expressions<Parcel>({ id: 'p.id', carrier: 'p.carrier', weight: 'p.weight' });
  });

  describe('of the tables', () => {
    let own: TestDatabase;
    let database: Database;
    beforeAll(async () => {
      own = await createDatabase();
      database = await openDatabase(own.url, 1);
    });
    afterAll(async () => {
      await database?.close();
      await own?.drop();
    });

    it('are declared at the top of their modules', () => {
      expect(OF_THE_SOURCES).toHaveLength(declaring.flatMap(({ lists }) => lists).length);
    });

    it('are in their tables', async () => {
      expect(OF_THE_SOURCES.length).toBeGreaterThan(20);
      expect(await strangers(OF_THE_SOURCES)).toEqual([]);
    });

    it('a column that its table has not is found, and a table that is not there', async () => {
      const before = DECLARED.length;
      columns<Parcel>('payments')('id', 'carrier');
      columns<Parcel>('parcels', 'packages')('id', 'carrier');
      expect(await strangers(DECLARED.slice(before))).toEqual(['payments.carrier', 'packages.id', 'packages.carrier']);
    });

    /** What is declared and is in no table. */
    async function strangers(declared: typeof DECLARED): Promise<string[]> {
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
