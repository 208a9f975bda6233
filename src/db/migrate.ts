import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { MIGRATIONS, NO_TIMEOUTS, openDataSource, PoolerError, type Connection } from './data-source';

/** Requests queue behind a migration that waits for a lock, so it gives up after this time. */
const LOCK_TIMEOUT_MS = 200;
const RETRY_MS = 5000;
const BLOCKER_CHECK_MS = 50;
/** Only one process at a time applies migrations. */
const MIGRATIONS_LOCK = 7311201;
/** PostgreSQL's lock_not_available. */
const LOCK_TIMEOUT_ERROR = '55P03';

export interface MigrateOptions {
  migrations?: readonly (new () => MigrationInterface)[];
  /** The pause after an attempt that did not get a lock. */
  retryMs?: number;
  /** Called after each attempt that did not get a lock. The message names the sessions that hold it. */
  onWait?: (message: string) => void;
}

/**
 * Applies pending migrations, each in its own transaction, and retries until it gets their locks.
 * @returns the names of the applied migrations
 */
export async function migrateDatabase(
  url: string,
  { migrations = MIGRATIONS, retryMs = RETRY_MS, onWait = () => undefined }: MigrateOptions,
): Promise<string[]> {
  const source = await openDataSource({ url, poolSize: 2, timeouts: NO_TIMEOUTS, migrations });
  const runner = source.createQueryRunner();
  try {
    await assertNoPooler(runner);
    const holder = await findOtherMigrate(runner);
    if (holder !== null) onWait(`another migrate runs (${holder}); this one waits for its end`);
    await runner.query(`SELECT pg_advisory_lock(${MIGRATIONS_LOCK})`);
    const before = new Set(await appliedNames(source, runner));
    for (;;) {
      const blockers = await attemptMigrations(source, runner);
      if (blockers === null) break;
      const reason = `could not lock ${blockers ?? 'a table'} within ${LOCK_TIMEOUT_MS} ms`;
      onWait(`${reason}; the next attempt is in ${retryMs / 1000} s`);
      await delay(retryMs);
    }
    return (await appliedNames(source, runner)).filter((name) => !before.has(name));
  } finally {
    await runner.query(`SELECT pg_advisory_unlock(${MIGRATIONS_LOCK})`).catch(() => undefined);
    await runner.release();
    await source.destroy();
  }
}

/** Migrations hold a lock of their connection. A pooler shares connections, and gives its clients other process ids than the server's. */
async function assertNoPooler(runner: QueryRunner): Promise<void> {
  const { processID } = (await runner.connect()) as Connection & { processID: number };
  if (processID !== (await backendPid(runner)))
    throw new PoolerError('migrations need the database itself, not a pooler; set DATABASE_DIRECT_URL to its address');
}

/** The session that holds the lock of migrations. Null if there is none. */
async function findOtherMigrate(runner: QueryRunner): Promise<string | null> {
  const [holder] = (await runner.query(
    `SELECT pid, host(client_addr) AS address FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objid = ${MIGRATIONS_LOCK} AND granted AND datname = current_database()`,
  )) as { pid: number; address: string | null }[];
  if (holder === undefined) return null;
  return `process ${holder.pid}${holder.address === null ? '' : ` from ${holder.address}`}`;
}

async function backendPid(runner: QueryRunner): Promise<number> {
  const [{ pid }] = (await runner.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
  return pid;
}

async function appliedNames(source: DataSource, runner: QueryRunner): Promise<string[]> {
  return (await new MigrationExecutor(source, runner).getExecutedMigrations()).map(({ name }) => name);
}

/**
 * Tries to apply all pending migrations.
 * @returns null if it succeeded; the lock and its holders if a lock was not available, or undefined if the holders are unknown
 */
async function attemptMigrations(source: DataSource, runner: QueryRunner): Promise<string | null | undefined> {
  const poller = await BlockerPoller.start(source, await backendPid(runner));
  try {
    await runner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
    return null;
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_TIMEOUT_ERROR) throw error;
    return poller.description;
  } finally {
    await poller.stop();
  }
}

interface Blocker {
  pid: number;
  application: string | null;
  relation: string | null;
  mode: string | null;
  seconds: number | null;
}

/** Polls for the sessions that block a session. */
class BlockerPoller {
  description: string | undefined;
  private readonly stopping = new AbortController();
  private ended = Promise.resolve();

  private constructor(
    private readonly source: DataSource,
    private readonly pid: number,
  ) {}

  /** Connects before the attempt starts, because an attempt may last only 200 ms. */
  static async start(source: DataSource, pid: number): Promise<BlockerPoller> {
    const poller = new BlockerPoller(source, pid);
    await poller.poll();
    poller.ended = poller.run();
    return poller;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.poll();
      await delay(BLOCKER_CHECK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async poll(): Promise<void> {
    const found = (await this.source.query(BLOCKERS, [this.pid]).catch(() => [])) as Blocker[];
    if (found.length > 0) this.description = describeBlockers(found);
  }
}

const BLOCKERS = `
SELECT holder.pid, NULLIF(activity.application_name, '') AS application, wanted.relation::regclass::text AS relation, blocking.mode,
  extract(epoch FROM clock_timestamp() - activity.xact_start)::integer AS seconds
FROM pg_locks wanted
CROSS JOIN LATERAL unnest(pg_blocking_pids(wanted.pid)) AS holder (pid)
LEFT JOIN pg_stat_activity activity ON activity.pid = holder.pid
LEFT JOIN pg_locks blocking ON blocking.pid = holder.pid AND blocking.granted AND blocking.locktype = wanted.locktype
  AND blocking.relation IS NOT DISTINCT FROM wanted.relation AND blocking.virtualxid IS NOT DISTINCT FROM wanted.virtualxid
WHERE wanted.pid = $1 AND NOT wanted.granted`;

function describeBlockers(blockers: readonly Blocker[]): string {
  const holders = blockers.map(({ pid, application, mode, seconds }) => {
    const since = seconds === null ? '' : `, in a transaction of ${seconds} s`;
    return `process ${pid}${application === null ? '' : ` (${application})`}${mode === null ? '' : ` holds ${mode}`}${since}`;
  });
  return `${blockers[0]?.relation ?? 'a table'} (${[...new Set(holders)].join('; ')})`;
}
