import { openDatabase, openPool, TIMEOUTS, type Database, type Sql } from '../../../src/db/database';
import { databaseOverload } from '../../../src/db/repositories/overload';
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

  const readNumbers = () => database.rows<{ number: number }>('SELECT number FROM kept');

  it('rejects after a failed statement, also if its work continues', async () => {
    const stored = database.transaction(async (sql) => {
      await sql.run('INSERT INTO kept VALUES (1)');
      await sql.run('SELECT 1 / 0').catch(() => undefined);
      return 'stored';
    });
    await expect(stored).rejects.toThrow('was rolled back');
    expect(await readNumbers()).toEqual([]);
  });

  it('returns one row, one column or one value, and reports a missing row', async () => {
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

  it("has its process's name in the list of sessions", async () => {
    const pool = await openPool({ databaseUrl: own.url, databasePoolSize: 1, databasePreparedStatements: true }, 'relay');
    try {
      const sessions = 'SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()';
      expect(await pool.value(sessions)).toBe('trade-print-relay');
      expect(await database.value(sessions)).toBe('trade-print');
    } finally {
      await pool.close();
    }
  });

  it('stores nothing if its work throws, also of a later statement', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const refused = database.transaction(async (sql) => {
      const first = sql.run('SELECT 1');
      late = sql.run('SELECT pg_sleep(0.05)').then(() => sql.run('INSERT INTO kept VALUES (7)'));
      late.catch(() => undefined);
      await first;
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    await expect(late).rejects.toThrow('the transaction has ended');
    expect(await readNumbers()).toEqual([]);
  });

  it('reports why its connection was lost, and the next one works', async () => {
    const lost = database.transaction(async (sql) => {
      const backend = await sql.row<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.run('SELECT pg_terminate_backend($1)', [backend?.pid]);
      await waitFor(
        'the end of the connection',
        async () => (await database.rows('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [backend?.pid])).length === 0,
      );
      await sql.run('INSERT INTO kept VALUES (1)');
    });
    await expect(lost).rejects.toThrow(/terminat/i);
    await database.transaction((sql) => sql.run('INSERT INTO kept VALUES (2)'));
    expect(await readNumbers()).toEqual([{ number: 2 }]);
  });

  describe('on a server that does not answer', () => {
    let impatient: Database;
    const frozen: number[] = [];
    beforeAll(async () => {
      impatient = await openDatabase(own.url, 1, { ...TIMEOUTS, statement_timeout: 100 });
    });
    afterEach(() => frozen.splice(0).forEach((pid) => process.kill(pid, 'SIGCONT')));
    afterAll(() => impatient?.close());

    const backend = async (sql: Sql) => (await sql.row<{ pid: number }>('SELECT pg_backend_pid() AS pid'))?.pid ?? 0;
    async function freeze(sql: Sql): Promise<number> {
      const pid = await backend(sql);
      process.kill(pid, 'SIGSTOP');
      frozen.push(pid);
      return pid;
    }

    it('a statement fails as overload, and no other one uses its connection', async () => {
      const pid = await freeze(impatient);
      const error = await impatient.rows('SELECT number FROM kept').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: 'Query read timeout' });
      expect(databaseOverload(error)).toBe('answer');
      expect(await backend(impatient)).not.toBe(pid);
    });

    it('a transaction can allow its statements more time, and the next one does not get it', async () => {
      await impatient.transaction(async (sql) => {
        await sql.setStatementTimeout(60_000);
        await sql.run('SELECT pg_sleep(1.5)'); // longer than the pool's timeout
      });
      await expect(impatient.run('SELECT pg_sleep(60)')).rejects.toThrow('statement timeout');
      await freeze(impatient);
      await expect(impatient.run('SELECT 1')).rejects.toThrow('Query read timeout');
    });

    it('a transaction stores nothing and fails as overload', async () => {
      const failed = impatient.transaction(async (sql) => {
        await sql.run('INSERT INTO kept VALUES (1)');
        await freeze(sql);
        await sql.run('INSERT INTO kept VALUES (2)');
      });
      expect(databaseOverload(await failed.catch((reason: unknown) => reason))).toBe('answer');
      frozen.splice(0).forEach((pid) => process.kill(pid, 'SIGCONT'));
      expect(await readNumbers()).toEqual([]);
    });

    it('a COMMIT fails as in doubt, and not as overload', async () => {
      const failed = impatient.transaction(async (sql) => {
        await sql.run('INSERT INTO kept VALUES (1)');
        await freeze(sql);
      });
      const error = await failed.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: 'COMMIT has no answer: the transaction may be stored' });
      expect(databaseOverload(error)).toBeNull();
    });
  });

  it('a statement with a stale plan fails at most once on each connection, after any migration', async () => {
    await database.run('CREATE TABLE changed (name varchar(20))');
    const readNames = () => database.rows('SELECT name FROM changed WHERE $1::int = 1', [1]);
    await Promise.all([readNames(), readNames()]);
    await database.run('ALTER TABLE changed ALTER COLUMN name TYPE text');
    await Promise.allSettled([readNames(), readNames()]);
    await expect(Promise.all([readNames(), readNames(), readNames()])).resolves.toEqual([[], [], []]);
  });
});
