import { openDatabase, type Database } from '../../../src/db/database';
import { waitFor } from '../../support/wait-for';
import { createDatabase, type TestDatabase } from '../../support/database';

describe('a transaction', () => {
  let own: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    own = await createDatabase({ empty: true });
    database = await openDatabase(own.url, 2);
    await database.run('CREATE TABLE kept (number integer)');
  });
  beforeEach(() => database.run('TRUNCATE kept'));
  afterAll(async () => {
    await database?.close();
    await own?.drop();
  });

  const kept = () => database.rows<{ number: number }>('SELECT number FROM kept');

  it('rejects where a statement of it failed, also when its work went on as if nothing had happened', async () => {
    const stored = database.transaction(async (sql) => {
      await sql.run('INSERT INTO kept VALUES (1)');
      await sql.run('SELECT 1 / 0').catch(() => undefined);
      return 'stored';
    });
    await expect(stored).rejects.toThrow('was rolled back');
    expect(await kept()).toEqual([]);
  });

  it('gives one row, one column or one value, and says where a row is missing', async () => {
    expect(await database.column('INSERT INTO kept VALUES (1), (2) RETURNING number, number + 1')).toEqual([1, 2]);
    expect(await database.column('UPDATE kept SET number = number + 1 RETURNING number')).toEqual([2, 3]);
    expect(await database.one('SELECT number, $1::text AS name FROM kept ORDER BY number', ['two'])).toEqual({ number: 2, name: 'two' });
    await expect(database.one('SELECT number FROM kept WHERE number > 9')).rejects.toThrow('SELECT number FROM kept WHERE number > 9');
    expect(await database.value('SELECT max(number), 7 FROM kept')).toBe(3);
    expect(await database.value('SELECT number FROM kept WHERE number > 9')).toBeNull();
    expect(await database.value('SELECT false FROM kept LIMIT 1')).toBe(false);
    expect(await database.exists('SELECT FROM kept')).toBe(true);
    expect(await database.exists('SELECT FROM kept WHERE number > 9')).toBe(false);
  });

  it('leaves nothing when its work throws, also of a statement that comes after', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const refused = database.transaction(async (sql) => {
      const first = sql.run('SELECT 1');
      late = sql.run('SELECT pg_sleep(0.05)').then(() => sql.run('INSERT INTO kept VALUES (7)'));
      late.catch(() => undefined);
      await first;
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await expect(late).rejects.toThrow('the transaction is over');
    expect(await kept()).toEqual([]);
  });

  it('says why its connection was lost, and the next one works', async () => {
    const lost = database.transaction(async (sql) => {
      const backend = await sql.row<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.run('SELECT pg_terminate_backend($1)', [backend?.pid]);
      await waitFor(
        'the connection to be gone',
        async () => (await database.rows('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [backend?.pid])).length === 0,
      );
      await sql.run('INSERT INTO kept VALUES (1)');
    });
    await expect(lost).rejects.toThrow(/terminat/i);
    await database.transaction((sql) => sql.run('INSERT INTO kept VALUES (2)'));
    expect(await kept()).toEqual([{ number: 2 }]);
  });

  it('a statement whose plan no longer fits fails once at most on each connection, whatever a migration changed', async () => {
    await database.run('CREATE TABLE changed (name varchar(20))');
    const read = () => database.rows('SELECT name FROM changed WHERE $1::int = 1', [1]);
    await Promise.all([read(), read()]);
    await database.run('ALTER TABLE changed ALTER COLUMN name TYPE text');
    await Promise.allSettled([read(), read()]);
    await expect(Promise.all([read(), read(), read()])).resolves.toEqual([[], [], []]);
  });
});
