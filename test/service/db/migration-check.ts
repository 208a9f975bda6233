import { openDataSource, NO_TIMEOUTS, type DataSource, type MigrationInterface, type QueryRunner } from '../../../src/db/data-source';
import { waitFor } from '../../support/wait-for';

/** Lock modes that conflict with the writes of requests. */
const BLOCKING_MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

interface TableStatistics {
  name: string;
  file: string;
  scans: number;
  written: number;
}

/**
 * Runs a migration and observes its locks, scans and rewrites of existing tables. The tables must have rows.
 * @returns problems that would block requests; empty without any
 */
export async function checkMigration(url: string, Migration: new () => MigrationInterface): Promise<string[]> {
  const source = await openDataSource({ url, poolSize: 6, timeouts: NO_TIMEOUTS });
  const runner = source.createQueryRunner();
  try {
    const migration = new Migration();
    return await (migration.transaction === false ? checkStatements(source, runner, migration) : checkTransaction(runner, migration));
  } finally {
    await runner.release();
    await source.destroy();
  }
}

/** Locks last until the transaction ends, so its end shows all of them. */
async function checkTransaction(runner: QueryRunner, migration: MigrationInterface): Promise<string[]> {
  const session = await sessionSettings(runner);
  await runner.startTransaction();
  try {
    const before = await readTables(runner);
    await migration.up(runner);
    const after = new Map((await readTables(runner)).map((table) => [table.name, table]));
    const locks = await blockingLocks(runner);
    return [
      ...before.flatMap((table) => {
        const now = after.get(table.name);
        return now === undefined ? [] : findProblems(table, now, locks.get(table.name));
      }),
      ...((await sessionSettings(runner)) === session ? [] : ['it leaves lock_timeout or statement_timeout changed']),
    ];
  } finally {
    await runner.rollbackTransaction();
  }
}

function findProblems(before: TableStatistics, after: TableStatistics, lock: string | undefined): string[] {
  if (after.file !== before.file) return [`${after.name} is rewritten`];
  const written = after.written - before.written;
  if (written > MAX_WRITTEN_ROWS) return [`${after.name}: ${written} rows are written in one transaction; backfill in batches`];
  return lock !== undefined && after.scans > before.scans ? [`${after.name} is read whole under ${lock}`] : [];
}

/** Rows of an existing table that a transaction may write; more are a backfill. */
const MAX_WRITTEN_ROWS = 100;

/** Scans and writes of this transaction by table. A statement that reads or checks a whole table counts as a sequential scan. */
async function readTables(runner: QueryRunner): Promise<TableStatistics[]> {
  return (await runner.query(
    `SELECT c.relname AS name, c.relfilenode::text AS file,
       coalesce(s.seq_scan, 0)::integer AS scans, coalesce(s.n_tup_ins + s.n_tup_upd + s.n_tup_del, 0)::integer AS written
     FROM pg_class c LEFT JOIN pg_stat_xact_user_tables s ON s.relid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'`,
  )) as TableStatistics[];
}

async function blockingLocks(runner: QueryRunner): Promise<Map<string, string>> {
  const rows = (await runner.query(
    `SELECT relation::regclass::text AS name, max(mode) AS mode FROM pg_locks
     WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted AND mode = ANY($1) GROUP BY relation`,
    [BLOCKING_MODES],
  )) as { name: string; mode: string }[];
  return new Map(rows.map(({ name, mode }) => [name, mode]));
}

/**
 * Statements of a migration without a transaction release their locks when they end. A writer with every table open shows the
 * locks that they wait for.
 */
async function checkStatements(source: DataSource, runner: QueryRunner, migration: MigrationInterface): Promise<string[]> {
  const session = await sessionSettings(runner);
  const tables = (await readTables(runner)).map(({ name }) => `"${name}"`).join(', ');
  const [{ pid }] = (await runner.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
  const problems = new Set<string>();
  const openWriter = async (): Promise<QueryRunner> => {
    const writer = source.createQueryRunner();
    await writer.startTransaction();
    await writer.query(`LOCK TABLE ${tables} IN ROW EXCLUSIVE MODE`);
    return writer;
  };
  const close = async (writer: QueryRunner): Promise<void> => {
    await writer.rollbackTransaction();
    await writer.release();
  };
  let writer = openWriter();
  const gated = Object.assign(Object.create(runner) as QueryRunner, {
    query: async (text: string, parameters?: unknown[]) => {
      await writer; // every statement starts after a writer has every table open
      return (await runner.query(text, parameters)) as unknown;
    },
  });
  let isOver = false;
  const migrated = migration.up(gated).finally(() => (isOver = true));
  migrated.catch(() => undefined);
  while (!isOver) {
    const current = await writer;
    const waits = await waitFor('the end of the migration, or its lock request', async () => {
      const found = await findLockWaits(source, pid);
      return isOver || found.length > 0 ? found : null;
    });
    const blocked = waits.filter(({ mode, name }) => name !== null && BLOCKING_MODES.includes(mode));
    for (const { mode, name } of blocked) problems.add(`${name} waits for ${mode}`);
    // Another writer starts before this one ends, unless it would queue behind the migration.
    writer = openWriter();
    if (blocked.length === 0) await writer;
    await close(current);
  }
  await close(await writer);
  await migrated;
  return [...problems, ...((await sessionSettings(runner)) === session ? [] : ['it leaves lock_timeout or statement_timeout changed'])];
}

/** A statement that builds an index concurrently waits for the ends of transactions (`virtualxid`), and blocks no request. */
async function findLockWaits(source: DataSource, pid: number): Promise<{ mode: string; name: string | null }[]> {
  return (await source.query(
    `SELECT mode, CASE WHEN locktype = 'relation' THEN relation::regclass::text END AS name FROM pg_locks WHERE pid = $1 AND NOT granted`,
    [pid],
  )) as { mode: string; name: string | null }[];
}

async function sessionSettings(runner: QueryRunner): Promise<string> {
  return JSON.stringify(await runner.query(`SELECT current_setting('lock_timeout'), current_setting('statement_timeout')`));
}
