import { DatabaseError, type Pool, type QueryResult } from 'pg';
import type { DataSource } from 'typeorm';
import { openDataSource, poolOf, TIMEOUTS, type Connection, type SessionTimeouts } from './data-source';
import { inChildSpan, SpanKind } from '../telemetry/tracing';
import { migrateDatabase, type MigrateOptions } from './migrate';

export { DatabaseUnreachable, NO_TIMEOUTS, PoolerError, TIMEOUTS, type SessionTimeouts } from './data-source';

/**
 * Runs statements on the pool or within a transaction. Parameters are `$1`, `$2`, …. Rows keep PostgreSQL's values and order. Statements of a
 * transaction that are called at once (`Promise.all`) take one round trip. PostgreSQL runs them in the order of the calls.
 */
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
  /**
   * Sends COMMIT in one round trip with the statements that \`work\` calls at once. Only for statements whose every failure is an error of
   * PostgreSQL, because what they return cannot stop the commit.
   */
  commitWith<T>(work: () => Promise<T>): Promise<T>;
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
  /**
   * Runs the reads that `work` calls at once in one transaction and one round trip. They all see the data of the same moment.
   * A later call is refused.
   */
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

/** The forms of a result. */
abstract class SqlRunner implements Sql {
  async rows<T>(text: string, parameters: unknown[] = []): Promise<T[]> {
    return (await this.query(text, parameters)).rows as T[];
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

  protected query(text: string, parameters: unknown[]): Promise<QueryResult> {
    return inStatementSpan(text, () => this.send(text, parameters));
  }

  /** Writes the statement before it returns, if its connection is there. */
  protected abstract send(text: string, parameters: unknown[]): Promise<QueryResult>;
}

/** The span contains the statement's text, which has no values, because they are parameters. */
function inStatementSpan<T>(text: string, work: () => Promise<T>): Promise<T> {
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text.trim() };
  return inChildSpan(operation, { kind: SpanKind.CLIENT, attributes }, work);
}

/** Statements that change nothing even if they run outside of their transaction. */
const READS = /^\s*SELECT\b/i;

class TransactionRunner extends SqlRunner implements Transaction {
  /** BEGIN, which is sent with the first statement. */
  private begun: Promise<void> | undefined;
  private beginState: 'waiting' | 'open' | 'failed' = 'waiting';
  /** Whether statements wait for the answer to BEGIN. Later ones wait too, because their order matters. */
  private hasWaiting = false;
  private hasEnded = false;
  private commitState: 'none' | 'sent' | 'answered' = 'none';
  /** The first error that PostgreSQL reported. It fails all later statements of a group with another error. */
  private firstError: unknown;

  constructor(
    private readonly client: Connection,
    private readonly isolation: 'READ COMMITTED' | 'REPEATABLE READ',
  ) {
    super();
  }

  setStatementTimeout(ms: number): Promise<void> {
    this.assertOpen();
    return this.inOrder(() => this.client.setStatementTimeout(ms));
  }

  async commitWith<T>(work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const answer = work();
    const exceptions: unknown[] = [];
    answer.catch((error: unknown) => exceptions.push(error));
    await new Promise<void>((resolve) => process.nextTick(resolve)); // no answer has arrived, but an exception of `work` is known
    if (exceptions.length > 0) return answer;
    const [answered, committed] = await Promise.allSettled([answer, this.commit()]);
    if (answered.status === 'fulfilled' && committed.status === 'fulfilled') return answered.value;
    // An error that PostgreSQL reported for a statement is certain: COMMIT then rolled back.
    const isCertain = answered.status === 'rejected' && answered.reason instanceof DatabaseError && !isEnded(answered.reason);
    throw committed.status === 'rejected' && !isCertain ? committed.reason : (answered as PromiseRejectedResult).reason;
  }

  /** Commits, if `commitWith` has not. Refuses later statements, because they would run outside of the transaction and be stored in any case. */
  async commit(): Promise<void> {
    this.hasEnded = true;
    if (this.begun === undefined || this.commitState !== 'none') return;
    this.commitState = 'sent';
    const readsOnly = this.isolation === 'REPEATABLE READ'; // a snapshot stores nothing
    const sent = this.inOrder(() => {
      const answer = this.client.query('COMMIT');
      return readsOnly ? answer : answer.catch(throwCommitUnknown);
    }, true);
    const [begun, committed] = await Promise.allSettled([this.begun, sent]);
    if (committed.status === 'fulfilled') this.commitState = 'answered';
    if (begun.status === 'rejected') throw begun.reason;
    if (committed.status === 'rejected') throw committed.reason;
    // PostgreSQL answers COMMIT with ROLLBACK if a statement has failed, even if `work` caught the error.
    if (committed.value.command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
  }

  /** Rolls back. A lost connection has already rolled back, and the first error says more than one of this. */
  async rollback(): Promise<void> {
    this.hasEnded = true;
    if (this.begun === undefined || this.commitState === 'answered') return;
    const send = () => this.client.query('ROLLBACK');
    await (this.hasWaiting ? this.begun.then(send, send) : send()).catch(() => undefined);
  }

  /** The cause of an error: "the transaction is aborted" and "no such prepared statement" follow from another error. */
  causeOf(error: unknown): unknown {
    const isConsequence = error instanceof DatabaseError && ['25P02', '26000'].includes(error.code ?? '');
    return isConsequence ? (this.firstError ?? error) : error;
  }

  protected override query(text: string, parameters: unknown[]): Promise<QueryResult> {
    this.assertOpen();
    return super.query(text, parameters);
  }

  protected send(text: string, parameters: unknown[]): Promise<QueryResult> {
    return this.inOrder(() => {
      const answer = this.client.query(text, parameters);
      answer.catch((error: unknown) => (this.firstError ??= error));
      return answer;
    }, READS.test(text));
  }

  /**
   * Sends BEGIN first. What only reads follows at once. Other statements wait for its answer, because they would be stored outside of the
   * transaction if BEGIN failed, for example if it was cancelled. Nothing is sent after that.
   */
  private inOrder<T>(send: () => Promise<T>, isRead = false): Promise<T> {
    this.begun ??= this.begin();
    if (this.beginState === 'open' || (this.beginState === 'waiting' && isRead && !this.hasWaiting)) return send();
    this.hasWaiting = true;
    return this.begun.then(send);
  }

  private begin(): Promise<void> {
    const begun = this.client.query(`BEGIN ISOLATION LEVEL ${this.isolation}`).then(
      () => {
        this.beginState = 'open';
      },
      (error: unknown) => {
        this.beginState = 'failed';
        throw error;
      },
    );
    begun.catch(() => undefined); // reported by COMMIT
    return begun;
  }

  private assertOpen(): void {
    if (this.hasEnded) throw new Error('the transaction has ended: one of its statements was not awaited');
  }
}

class PostgresDatabase extends SqlRunner implements Database {
  private readonly pool: Pool;

  constructor(
    private readonly url: string,
    private readonly dataSource: DataSource,
  ) {
    super();
    this.pool = poolOf(dataSource);
  }

  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.runInTransaction('READ COMMITTED', work);
  }

  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.runInTransaction('REPEATABLE READ', (sql) => sql.commitWith(() => work(sql)));
  }

  migrate(options: MigrateOptions = {}): Promise<string[]> {
    return migrateDatabase(this.url, options);
  }

  connections(): PoolState {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    // Below the maximum, pg opens a connection for the work that waits.
    const waiting = totalCount < options.max ? 0 : waitingCount;
    return { used: totalCount - idleCount, idle: idleCount, waiting, max: options.max };
  }

  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  protected async send(text: string, parameters: unknown[]): Promise<QueryResult> {
    const client = (await this.pool.connect()) as Connection;
    try {
      return await client.query(text, parameters);
    } finally {
      client.release(mustClose(client));
    }
  }

  private runInTransaction<T>(isolation: 'READ COMMITTED' | 'REPEATABLE READ', work: (sql: Transaction) => Promise<T>): Promise<T> {
    return inChildSpan('transaction', { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, () =>
      this.runOnConnection(isolation, work),
    );
  }

  private async runOnConnection<T>(isolation: 'READ COMMITTED' | 'REPEATABLE READ', work: (sql: Transaction) => Promise<T>): Promise<T> {
    const client = (await this.pool.connect()) as Connection;
    const statements = new TransactionRunner(client, isolation);
    try {
      const result = await work(statements);
      await statements.commit();
      return result;
    } catch (error) {
      await statements.rollback();
      throw statements.causeOf(error);
    } finally {
      client.resetStatementTimeout();
      client.release(mustClose(client));
    }
  }
}

/** Whether the connection is lost or has an open or failed transaction, for example because COMMIT was cancelled. The pool then closes it. */
const mustClose = (client: Connection): boolean => client.isDestroyed || client.getTransactionStatus() !== 'I';

/** Whether the server ended the connection: operator_intervention and connection_exception. */
const isEnded = ({ code = '' }: DatabaseError): boolean => /^(57P|08)/.test(code);

/** Reports that a COMMIT without an answer may have stored everything. Other statements without an answer have stored nothing. */
function throwCommitUnknown(error: Error): never {
  const isAnswer = error instanceof DatabaseError && !isEnded(error);
  throw isAnswer ? error : new Error('COMMIT has no answer: the transaction may be stored', { cause: error });
}
