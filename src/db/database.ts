import type { Pool } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { openDataSource, QUERY_TIMEOUT_MESSAGE, TIMEOUTS, type Connection, type SessionTimeouts } from './data-source';
import { inChildSpan, SpanKind } from '../telemetry/tracing';
import { migrateDatabase, type MigrateOptions } from './migrate';

export { DatabaseUnreachable, NO_TIMEOUTS, PoolerError, TIMEOUTS, type SessionTimeouts } from './data-source';

/** Runs statements on the pool or within a transaction. Parameters are `$1`, `$2`, …. Rows keep PostgreSQL's values and order. */
export interface Sql {
  /** Returns all rows, including those of RETURNING. The caller provides their type. */
  rows<T>(text: string, parameters?: unknown[]): Promise<T[]>;
  /** The first row, or null. */
  row<T>(text: string, parameters?: unknown[]): Promise<T | null>;
  /**
   * Returns the first row.
   * @throws Error if there is none
   */
  one<T>(text: string, parameters?: unknown[]): Promise<T>;
  /** The first column of every row. */
  column<T>(text: string, parameters?: unknown[]): Promise<T[]>;
  /** Returns the first column of the first row. Null if there is no row; `T` must then include null. */
  value<T>(text: string, parameters?: unknown[]): Promise<T>;
  /** True if the statement returns a row. */
  exists(text: string, parameters?: unknown[]): Promise<boolean>;
  run(text: string, parameters?: unknown[]): Promise<void>;
}

/** Runs statements in one transaction. */
export interface Transaction extends Sql {
  /** Sets how long each later statement of the transaction may run, instead of the default (`TIMEOUTS`). */
  setStatementTimeout(ms: number): Promise<void>;
}

/** Connections of a pool. `waiting` is the number of queries and transactions without one. */
export interface PoolState {
  used: number;
  idle: number;
  waiting: number;
  max: number;
}

/** The program's only access to PostgreSQL. A statement outside of a transaction is its own transaction. */
export interface Database extends Sql {
  /** Runs `work` in one transaction, which sees what others commit meanwhile. Rolls back if `work` throws. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction whose statements all see the data of the same moment. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Applies pending migrations. Concurrent processes wait at an advisory lock, so each migration is applied once. A migration waits at most
   * 200 ms for the lock of a table, then releases its locks and tries again every five seconds.
   * @returns the names of the applied migrations
   */
  migrate(options?: MigrateOptions): Promise<string[]>;
  /** The current state of the pool. */
  connections(): PoolState;
  /** Closes all connections. No statement can run afterwards. */
  close(): Promise<void>;
}

/**
 * Connects to `url` with at most `poolSize` connections. Rejects when the database does not answer.
 * @param timeouts of each connection, ms, which the server enforces
 * @param applicationName names its sessions in `pg_stat_activity`
 * @throws DatabaseUnreachable
 * @throws PoolerError if it would not
 */
export async function openDatabase(
  url: string,
  poolSize: number,
  timeouts: SessionTimeouts = TIMEOUTS,
  preparedStatements = true,
  applicationName?: string,
): Promise<Database> {
  return new PostgresDatabase(url, await openDataSource({ url, poolSize, timeouts, preparedStatements, applicationName }));
}

/** The connections of a process. Its sessions have its name, such as `trade-print-relay`. */
export function openPool(
  config: { databaseUrl: string; databasePoolSize: number; databasePreparedStatements: boolean },
  processName: string,
  timeouts?: SessionTimeouts,
): Promise<Database> {
  const { databaseUrl, databasePoolSize, databasePreparedStatements } = config;
  return openDatabase(databaseUrl, databasePoolSize, timeouts, databasePreparedStatements, `trade-print-${processName}`);
}

/** Runs statements with a TypeORM data source or query runner. */
class SqlRunner implements Sql {
  constructor(private readonly runner: Pick<QueryRunner, 'query'> | Pick<DataSource, 'query'>) {}

  async rows<T>(text: string, parameters: unknown[] = []): Promise<T[]> {
    const result = await this.query(text, parameters);
    // For UPDATE and DELETE, TypeORM returns [rows, count].
    if (Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number') return result[0] as T[];
    return result as T[];
  }

  async row<T>(text: string, parameters: unknown[] = []): Promise<T | null> {
    return (await this.rows<T>(text, parameters))[0] ?? null;
  }

  async one<T>(text: string, parameters?: unknown[]): Promise<T> {
    const row = await this.row<T>(text, parameters);
    if (row === null) throw new Error(`no row was returned by: ${text.trim().slice(0, 100)}`);
    return row;
  }

  async column<T>(text: string, parameters?: unknown[]): Promise<T[]> {
    return (await this.rows<object>(text, parameters)).map((row) => Object.values(row)[0] as T);
  }

  async value<T>(text: string, parameters?: unknown[]): Promise<T> {
    return (await this.column<T>(text, parameters))[0] ?? (null as T);
  }

  async exists(text: string, parameters?: unknown[]): Promise<boolean> {
    return (await this.row(text, parameters)) !== null;
  }

  async run(text: string, parameters: unknown[] = []): Promise<void> {
    await this.query(text, parameters);
  }

  protected query(text: string, parameters: unknown[]): Promise<unknown> {
    return inStatementSpan(text, () => this.runner.query(text, parameters));
  }
}

/** The span contains the statement's text, which has no values, because they are parameters. */
function inStatementSpan<T>(text: string, work: () => Promise<T>): Promise<T> {
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text.trim() };
  return inChildSpan(operation, { kind: SpanKind.CLIENT, attributes }, work);
}

class TransactionRunner extends SqlRunner implements Transaction {
  private hasEnded = false;

  constructor(
    runner: QueryRunner,
    private readonly client: Connection,
  ) {
    super(runner);
  }

  setStatementTimeout(ms: number): Promise<void> {
    this.assertOpen();
    return this.client.setStatementTimeout(ms);
  }

  /** Refuses later statements, because they would run outside of the transaction and be stored in any case. */
  end(): void {
    this.hasEnded = true;
  }

  protected override query(text: string, parameters: unknown[]): Promise<unknown> {
    this.assertOpen();
    return super.query(text, parameters);
  }

  private assertOpen(): void {
    if (this.hasEnded) throw new Error('the transaction has ended: one of its statements was not awaited');
  }
}

class PostgresDatabase extends SqlRunner implements Database {
  constructor(
    private readonly url: string,
    private readonly dataSource: DataSource,
  ) {
    super(dataSource);
  }

  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.runInTransaction('READ COMMITTED', work);
  }

  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.runInTransaction('REPEATABLE READ', work);
  }

  migrate(options: MigrateOptions = {}): Promise<string[]> {
    return migrateDatabase(this.url, options);
  }

  connections(): PoolState {
    const { totalCount, idleCount, waitingCount, options } = (this.dataSource.driver as unknown as { master: Pool }).master;
    // Below the maximum, pg opens a connection for the work that waits.
    const waiting = totalCount < options.max ? 0 : waitingCount;
    return { used: totalCount - idleCount, idle: idleCount, waiting, max: options.max };
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  private runInTransaction<T>(isolation: 'READ COMMITTED' | 'REPEATABLE READ', work: (sql: Transaction) => Promise<T>): Promise<T> {
    return inChildSpan('transaction', { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, () =>
      this.runOnConnection(isolation, work),
    );
  }

  private async runOnConnection<T>(isolation: 'READ COMMITTED' | 'REPEATABLE READ', work: (sql: Transaction) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let statements: TransactionRunner | undefined;
    let client: Connection | undefined;
    try {
      client = (await runner.connect()) as Connection;
      statements = new TransactionRunner(runner, client);
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`); // one round trip; TypeORM's own BEGIN takes two
      const result = await work(statements);
      statements.end();
      await commit(client);
      return result;
    } catch (error) {
      statements?.end();
      await rollback(client); // its own error is ignored, because the first one says more
      throw client?.causeOf(error) ?? error;
    } finally {
      client?.resetStatementTimeout();
      await runner.release();
    }
  }
}

/** Commits. PostgreSQL answers COMMIT with ROLLBACK if a statement has failed, even if `work` caught the error. */
async function commit(client: Connection): Promise<void> {
  const { command } = (await client.query('COMMIT').catch(throwCommitUnknown)) as { command: string };
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
}

/** Reports that a COMMIT without an answer may have stored everything. Other statements without an answer have stored nothing. */
function throwCommitUnknown(error: Error): never {
  throw error.message === QUERY_TIMEOUT_MESSAGE
    ? new Error('COMMIT has no answer: the transaction may be stored', { cause: error })
    : error;
}

async function rollback(client: Connection | undefined): Promise<void> {
  try {
    await client?.query('ROLLBACK');
  } catch {
    // A lost connection has already rolled back.
  }
}
