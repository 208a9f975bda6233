import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource, QUERY_TIMEOUT_MESSAGE, TIMEOUTS, type Connection, type SessionTimeouts } from './data-source';
import { migrateDatabase, type MigrateOptions } from './migrate';

export { NO_TIMEOUTS, TIMEOUTS, type SessionTimeouts } from './data-source';

/**
 * Runs statements on the pool or within a transaction. Parameters are `$1`, `$2`, …. Rows keep PostgreSQL's values and sequence.
 */
export interface Sql {
  /** All rows, of RETURNING too; the caller names their shape. */
  rows<T>(text: string, parameters?: unknown[]): Promise<T[]>;
  /** The first row, or null. */
  row<T>(text: string, parameters?: unknown[]): Promise<T | null>;
  /** The first row. @throws Error where none came */
  one<T>(text: string, parameters?: unknown[]): Promise<T>;
  /** The first column of every row. */
  column<T>(text: string, parameters?: unknown[]): Promise<T[]>;
  /** The first column of the first row; null where none came, which `T` then includes. */
  value<T>(text: string, parameters?: unknown[]): Promise<T>;
  /** Whether a row came. */
  exists(text: string, parameters?: unknown[]): Promise<boolean>;
  run(text: string, parameters?: unknown[]): Promise<void>;
}

/** Runs statements in one transaction. */
export interface Transaction extends Sql {
  /** Lets each later statement of the transaction run for so long instead of the usual time (`TIMEOUTS`). */
  setStatementTimeout(ms: number): Promise<void>;
}

/** All that the program knows of PostgreSQL; a statement outside of a transaction is one of its own. */
export interface Database extends Sql {
  /** Runs `work` in one transaction that sees what others commit meanwhile; rolled back when it throws. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction whose statements all see one moment. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Applies what is missing, once, however many processes start together: the others wait at an advisory lock. It waits at most 200 ms for
   * the lock of a table, then releases what it holds and tries again every five seconds.
   * @returns the names applied.
   */
  migrate(options?: MigrateOptions): Promise<string[]>;
  /** Gives every connection back; nothing runs afterwards. */
  close(): Promise<void>;
}

/**
 * Connects to `url` with at most `poolSize` connections. Rejects when the database does not answer.
 * @param timeouts of each connection, ms, which the server enforces
 */
export async function openDatabase(url: string, poolSize = 20, timeouts: SessionTimeouts = TIMEOUTS): Promise<Database> {
  return new PostgresDatabase(url, await createDataSource(url, poolSize, timeouts).initialize());
}

/** Rows of whatever TypeORM runs statements with. */
class SqlRunner implements Sql {
  constructor(private readonly runner: Pick<QueryRunner, 'query'> | Pick<DataSource, 'query'>) {}

  async rows<T>(text: string, parameters: unknown[] = []): Promise<T[]> {
    const result = await this.query(text, parameters);
    // TypeORM answers UPDATE and DELETE with [rows, count].
    if (Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number') return result[0] as T[];
    return result as T[];
  }

  async row<T>(text: string, parameters: unknown[] = []): Promise<T | null> {
    return (await this.rows<T>(text, parameters))[0] ?? null;
  }

  async one<T>(text: string, parameters?: unknown[]): Promise<T> {
    const row = await this.row<T>(text, parameters);
    if (row === null) throw new Error(`no row came of: ${text.trim().slice(0, 100)}`);
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
    return this.runner.query(text, parameters);
  }
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

  /** A statement after the transaction would run outside of it and be stored in any case. */
  end(): void {
    this.hasEnded = true;
  }

  protected override query(text: string, parameters: unknown[]): Promise<unknown> {
    this.assertOpen();
    return super.query(text, parameters);
  }

  private assertOpen(): void {
    if (this.hasEnded) throw new Error('the transaction is over: a statement of it was not awaited');
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

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  private async runInTransaction<T>(isolation: 'READ COMMITTED' | 'REPEATABLE READ', work: (sql: Transaction) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let statements: TransactionRunner | undefined;
    let client: Connection | undefined;
    try {
      client = (await runner.connect()) as Connection;
      statements = new TransactionRunner(runner, client);
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`); // one round trip, where TypeORM's own BEGIN takes two
      const result = await work(statements);
      statements.end();
      await commit(client);
      return result;
    } catch (error) {
      statements?.end();
      await rollback(client); // the first error says more
      throw client?.causeOf(error) ?? error;
    } finally {
      client?.resetStatementTimeout();
      await runner.release();
    }
  }
}

/** PostgreSQL answers COMMIT with ROLLBACK where a statement has failed, also one whose failure `work` did not mind. */
async function commit(client: Connection): Promise<void> {
  const { command } = (await client.query('COMMIT').catch(throwCommitUnknown)) as { command: string };
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement of it had failed');
}

/** Any other statement of the transaction without an answer has stored nothing; a COMMIT may have stored everything. */
function throwCommitUnknown(error: Error): never {
  throw error.message === QUERY_TIMEOUT_MESSAGE
    ? new Error('COMMIT has no answer: the transaction may be stored', { cause: error })
    : error;
}

async function rollback(client: Connection | undefined): Promise<void> {
  try {
    await client?.query('ROLLBACK');
  } catch {
    // A connection that is lost has rolled back by itself.
  }
}
