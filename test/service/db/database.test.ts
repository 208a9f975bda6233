import { openDatabase, openPool, TIMEOUTS, type Database, type Sql } from '../../../src/db/database';
import { databaseOverload } from '../../../src/db/repositories/overload';
import { databaseChecks } from '../../../src/runtime/readiness';
import { waitFor } from '../../support/wait-for';
import { useDatabase } from '../../support/fixtures';
import { RoundTrips } from '../../support/round-trips';

describe('a transaction', () => {
  const { own, database } = useDatabase(2, { empty: true });
  beforeAll(() => database.run('CREATE TABLE kept (number integer)'));
  beforeEach(() => database.run('TRUNCATE kept'));

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

  describe('on the wire', () => {
    let trips: RoundTrips;
    let recorded: Database;
    beforeAll(async () => {
      trips = await RoundTrips.to(own.url);
      recorded = await openDatabase(trips.url, 1);
    });
    beforeEach(() => trips.take());
    afterAll(async () => {
      await recorded?.close();
      await trips?.close();
    });
    const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
    const statements = () => trips.take().map((trip) => trip.statements);

    it('sends BEGIN with a first statement that reads, and statements that are called at once together', async () => {
      const rows = await recorded.transaction(async (sql) => {
        await sql.run('SELECT 1');
        const [, read] = await Promise.all([sql.run('INSERT INTO kept VALUES ($1)', [5]), sql.column('SELECT number FROM kept')]);
        return read;
      });
      expect(rows).toEqual([5]);
      expect(statements()).toEqual([[BEGIN, 'SELECT 1'], ['INSERT INTO kept VALUES ($1)', 'SELECT number FROM kept'], ['COMMIT']]);
    });

    it('sends a first statement that writes, and those after it, when BEGIN has an answer', async () => {
      await recorded.transaction((sql) => Promise.all([sql.run('INSERT INTO kept VALUES (1)'), sql.run('SELECT 2')]));
      expect(statements()).toEqual([[BEGIN], ['INSERT INTO kept VALUES (1)', 'SELECT 2'], ['COMMIT']]);
    });

    it('sends COMMIT with the last statements', async () => {
      const numbers = await recorded.transaction((sql) =>
        sql.commitWith(() => Promise.all([sql.value('SELECT 1'), sql.value('INSERT INTO kept VALUES (3) RETURNING number')])),
      );
      expect(numbers).toEqual([1, 3]);
      expect(statements()).toEqual([
        [BEGIN, 'SELECT 1'],
        ['INSERT INTO kept VALUES (3) RETURNING number', 'COMMIT'],
      ]);
      expect(await readNumbers()).toEqual([{ number: 3 }]);
    });

    it('sends a snapshot as one round trip', async () => {
      expect(await recorded.snapshot((sql) => Promise.all([sql.value('SELECT 1'), sql.value('SELECT 2')]))).toEqual([1, 2]);
      expect(statements()).toEqual([['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1', 'SELECT 2', 'COMMIT']]);
    });

    it('sends nothing for a transaction without statements', async () => {
      expect(await recorded.transaction(async () => 'done')).toBe('done');
      await expect(recorded.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
      expect(statements()).toEqual([]);
    });

    it('runs the same prepared statement twice in the first group', async () => {
      await recorded.transaction((sql) =>
        sql.commitWith(() => Promise.all([4, 5].map((number) => sql.run('INSERT INTO kept SELECT $1::integer', [number])))),
      );
      expect(await readNumbers()).toEqual([{ number: 4 }, { number: 5 }]);
      const twice = await recorded.transaction((sql) => Promise.all([4, 5].map((number) => sql.value('SELECT $1::integer + 1', [number]))));
      expect(twice).toEqual([5, 6]);
    });

    it('the first error of a group is thrown, the others are handled, and nothing is stored', async () => {
      const failed = recorded.transaction((sql) =>
        sql.commitWith(() =>
          Promise.all([sql.run('INSERT INTO kept VALUES (6)'), sql.run('SELECT 1 / 0'), sql.run('INSERT INTO missing VALUES (1)')]),
        ),
      );
      await expect(failed).rejects.toThrow('division by zero');
      expect(await readNumbers()).toEqual([]);
      expect(statements()).toEqual([[BEGIN], ['INSERT INTO kept VALUES (6)', 'SELECT 1 / 0', 'INSERT INTO missing VALUES (1)', 'COMMIT']]);
      await recorded.run('INSERT INTO kept VALUES (7)');
      expect(await readNumbers()).toEqual([{ number: 7 }]);
    });

    it('the first error of a group is thrown, also if a later one needs fewer steps to arrive', async () => {
      const divide = async (sql: Sql) => sql.run('SELECT 1 / 0');
      const deep = async (sql: Sql) => {
        await Promise.all([divide(sql), divide(sql)]);
      };
      const failed = recorded.transaction(async (sql) => {
        await sql.run('SELECT 1');
        await Promise.all([deep(sql), sql.run('SELECT 2')]);
      });
      await expect(failed).rejects.toThrow('division by zero');
    });

    it('does not commit if its work throws between two statements', async () => {
      const failed = recorded.transaction((sql) =>
        sql.commitWith(async () => {
          const first = sql.run('INSERT INTO kept VALUES (1)');
          if (statements.length === 0) throw new Error('between');
          return first;
        }),
      );
      await expect(failed).rejects.toThrow('between');
      expect(await readNumbers()).toEqual([]);
    });

    it('cannot commit after it was rolled back', async () => {
      let late: Promise<unknown> = Promise.resolve();
      let go = (): void => undefined;
      const waits = new Promise<void>((resolve) => (go = resolve));
      const failed = recorded.transaction((sql) => {
        late = waits.then(() => sql.commitWith(() => sql.run('SELECT 1')));
        late.catch(() => undefined);
        return Promise.all([late, sql.run('INSERT INTO kept VALUES (1)').then(() => Promise.reject(new Error('refused')))]);
      });
      await expect(failed).rejects.toThrow('refused');
      go();
      await expect(late).rejects.toThrow('the transaction has ended');
      expect(await readNumbers()).toEqual([]);
    });

    it('does not reuse a connection that is still in a transaction', async () => {
      const pid = await recorded.value('SELECT pg_backend_pid()');
      await recorded.run('BEGIN');
      expect(await recorded.value('SELECT pg_backend_pid()')).not.toBe(pid);
    });

    it('a statement after `commitWith` is refused', async () => {
      let late: Promise<unknown> = Promise.resolve();
      await recorded.transaction(async (sql) => {
        await sql.commitWith(() => sql.run('INSERT INTO kept VALUES (8)'));
        late = sql.run('INSERT INTO kept VALUES (9)');
        late.catch(() => undefined);
      });
      await expect(late).rejects.toThrow('the transaction has ended');
      expect(await readNumbers()).toEqual([{ number: 8 }]);
    });
  });

  it('fails as in doubt if the connection is lost after COMMIT was written, and the server may store it', async () => {
    const trips = await RoundTrips.to(own.url);
    const one = await openDatabase(trips.url, 1);
    let pid = 0;
    try {
      const failed = one.transaction(async (sql) => {
        pid = await sql.value<number>('SELECT pg_backend_pid()');
        process.kill(pid, 'SIGSTOP');
        const committed = sql.commitWith(() => sql.run('INSERT INTO kept VALUES (1)'));
        committed.catch(() => undefined);
        await waitFor('COMMIT on the wire', async () => trips.peek().at(-1)?.statements.includes('COMMIT'));
        await trips.close();
        return committed;
      });
      const error = await failed.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: 'COMMIT has no answer: the transaction may be stored' });
      expect(databaseOverload(error)).toBeNull();
    } finally {
      if (pid > 0) process.kill(pid, 'SIGCONT');
      await one.close();
    }
    await waitFor('the rows', async () => (await readNumbers()).length === 1);
  });

  it('stores nothing if BEGIN is cancelled', async () => {
    const one = await openDatabase(own.url, 1);
    try {
      const pid = await one.value<number>('SELECT pg_backend_pid()');
      process.kill(pid, 'SIGSTOP');
      const failed = one.transaction((sql) =>
        Promise.all([sql.run('INSERT INTO kept VALUES (1)'), sql.run('INSERT INTO kept VALUES (2)')]),
      );
      failed.catch(() => undefined);
      process.kill(pid, 'SIGINT'); // what pg_cancel_backend sends
      process.kill(pid, 'SIGCONT');
      const outcome = await failed.then(
        () => 'stored',
        () => 'failed',
      );
      expect(await readNumbers()).toHaveLength(outcome === 'stored' ? 2 : 0);
    } finally {
      await one.close();
    }
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
    let go = (): void => undefined;
    const waits = new Promise<void>((resolve) => (go = resolve));
    const refused = database.transaction(async (sql) => {
      late = waits.then(() => sql.run('INSERT INTO kept VALUES (7)'));
      late.catch(() => undefined);
      await sql.run('SELECT 1');
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    go();
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
      impatient = await openDatabase(own.url, 1, { ...TIMEOUTS, statement_timeout: 1_000 });
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
        await sql.run('SELECT pg_sleep(2.5)'); // longer than the pool's timeout
      });
      expect(databaseOverload(await impatient.run('SELECT pg_sleep(30)').catch((reason: unknown) => reason))).toBe('answer');
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

    it('the time counts from the answer before, not from the call', async () => {
      const patient = await openDatabase(own.url, 1, { ...TIMEOUTS, statement_timeout: 6000 });
      try {
        const waits = Array.from({ length: 12 }, () => 'SELECT pg_sleep(0.7)');
        await patient.transaction((sql) => Promise.all(waits.map((text) => sql.run(text)))); // 8.4 s, and 7 s for each answer
      } finally {
        await patient.close();
      }
    });

    it('statements that are sent with COMMIT fail as in doubt, and not as overload', async () => {
      const failed = impatient.transaction(async (sql) => {
        await sql.run('INSERT INTO kept VALUES (1)');
        await freeze(sql);
        await sql.commitWith(() => sql.run('INSERT INTO kept VALUES (2)'));
      });
      const error = await failed.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: 'COMMIT has no answer: the transaction may be stored' });
      expect(databaseOverload(error)).toBeNull();
    });

    it('a snapshot fails as overload, because it stores nothing', async () => {
      await freeze(impatient);
      const error = await impatient.snapshot((sql) => sql.rows('SELECT number FROM kept')).catch((reason: unknown) => reason);
      expect(databaseOverload(error)).toBe('answer');
    });

    it('a snapshot fails as overload, also if the server freezes after it has begun', async () => {
      const isSleeping = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND query LIKE '%pg_sleep%'`;
      /** Null if the snapshot ended before its server was frozen, as on a slow machine. */
      async function freezeSnapshot(): Promise<unknown> {
        const pid = await backend(impatient);
        let hasEnded = false;
        const failed = impatient
          .snapshot((sql) => sql.run('SELECT pg_sleep(0.8)'))
          .then(
            () => null,
            (reason: unknown) => reason,
          )
          .finally(() => (hasEnded = true));
        await waitFor('its read', async () => hasEnded || (await database.rows(isSleeping, [pid])).length > 0);
        if (!hasEnded) process.kill(pid, 'SIGSTOP');
        const error = await failed;
        process.kill(pid, 'SIGCONT');
        return error;
      }
      expect(databaseOverload(await waitFor('a frozen snapshot', freezeSnapshot))).toBe('answer');
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

describe('a connection to a server that a failover has made a standby', () => {
  const { own, database } = useDatabase(1, { empty: true });
  const alter = (change: string) => database.run(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${change}', current_database()); END $$`);

  it('is closed after the first refused write, so the next one reaches the new primary', async () => {
    await database.run('CREATE TABLE written (number integer)');
    await alter('SET default_transaction_read_only = on');
    const opened = await openDatabase(own.url, 1);
    try {
      expect(await databaseChecks(opened).database.passes()).toBe(false);
      await alter('RESET default_transaction_read_only');
      const refused = opened.run('INSERT INTO written VALUES (1)');
      const waiting = opened.value('SELECT 4');
      await expect(refused).rejects.toMatchObject({ code: '25006' });
      expect(await waiting).toBe(4);
      await opened.run('INSERT INTO written VALUES (2)');
      await opened.transaction((sql) => sql.run('INSERT INTO written VALUES (3)'));
      expect(await database.column('SELECT number FROM written ORDER BY number')).toEqual([2, 3]);
      expect(await databaseChecks(opened).database.passes()).toBe(true);
    } finally {
      await opened.close();
    }
  });
});
