import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, types, type ClientConfig } from 'pg';
import { DataSource, QueryRunnerAlreadyReleasedError, type MigrationInterface } from 'typeorm';

export type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

// Cents and counts fit a double exactly; a value that does not is a fault worth stopping at.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} does not fit a JavaScript number`);
  return value;
});
// A day is `YYYY-MM-DD`, in no time zone: as a Date it would be another one to the west of here.
types.setTypeParser(types.builtins.DATE, (text) => text);

const MIGRATIONS_FOLDER = join(__dirname, '..', '..', 'migrations');

/** The class in each file of migrations/. No glob: it finds nothing below a folder whose name has brackets. */
export const MIGRATIONS = readdirSync(MIGRATIONS_FOLDER)
  .filter((file) => /\.[jt]s$/.test(file)) // .js in a build, .ts in tests
  .sort()
  .flatMap((file) => Object.values(loadMigration(file)));

function loadMigration(file: string): Record<string, new () => MigrationInterface> {
  // oxlint-disable-next-line import/no-dynamic-require -- the folder is the list
  return require(join(MIGRATIONS_FOLDER, file)) as Record<string, new () => MigrationInterface>;
}

/**
 * Ignores errors of idle connections, which would end the process. A connection in use reports them by its query.
 * Statements that every request runs are planned once per connection.
 */
class ResilientClient extends Client {
  private connectionError: Error | null = null;
  /** Instead of the pool's `query_timeout`. */
  private queryTimeoutMs: number | undefined;

  constructor(config: ClientConfig) {
    super(config);
    this.on('error', (error) => {
      this.connectionError ??= error;
    });
  }

  /** Why something failed: where TypeORM only says that it has let go of a lost connection, why that was lost. */
  causeOf(error: unknown): unknown {
    return error instanceof QueryRunnerAlreadyReleasedError ? (this.connectionError ?? error) : error;
  }

  /** How long a statement may run until `resetStatementTimeout`, for the server and for the wait for its answer. */
  async setStatementTimeout(ms: number): Promise<void> {
    this.queryTimeoutMs = ms + QUERY_TIMEOUT_MARGIN_MS;
    await (this as Client).query(`SET LOCAL statement_timeout = ${ms}`);
  }

  /** The server resets its own at the end of the transaction. */
  resetStatementTimeout(): void {
    this.queryTimeoutMs = undefined;
  }

  // `Client.query` has many forms; TypeORM uses (text), (text, values).
  override query(...args: unknown[]): never {
    const [text, values] = args;
    const send = super.query.bind(this) as (...args: unknown[]) => Promise<unknown> | undefined;
    const isStatement = typeof text === 'string' && args.length <= 2;
    const name = isStatement && Array.isArray(values) && values.length > 0 ? statementName(text) : null;
    const result = isStatement ? send({ name, text, values, query_timeout: this.queryTimeoutMs }) : send(...args);
    result?.catch((error: { code?: string; message: string }) => {
      if (name !== null && error.code === CACHED_PLAN_INVALID) statementNames.set(String(text), null);
      if (error.message === QUERY_TIMEOUT_MESSAGE) this.end(() => undefined); // its answer may still come: nothing else may use this connection
    });
    return result as never;
  }
}

/** The message of pg's error when a statement has no answer within `query_timeout`. */
export const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * A migration changed the type of a column that the statement answers: its kept plan fails from then on, on every connection that has it.
 */
const CACHED_PLAN_INVALID = '0A000';

export type Connection = Client & Pick<ResilientClient, 'causeOf' | 'setStatementTimeout' | 'resetStatementTimeout'>;

const MAX_PREPARED_STATEMENTS = 300;
const statementNames = new Map<string, string | null>();

/**
 * The name under which a connection keeps this statement's plan; null where it may not. A kept `SELECT *` would fail once a
 * migration adds a column while this process runs, so only statements that name their columns are kept.
 */
function statementName(text: string): string | null {
  let name = statementNames.get(text);
  if (name === undefined && statementNames.size < MAX_PREPARED_STATEMENTS) {
    name = /(^|[\s,.])\*/.test(text) ? null : `s${statementNames.size}`;
    statementNames.set(text, name);
  }
  return name ?? null;
}

/**
 * How long the server lets a statement wait for a lock, run, or a transaction do nothing, ms: a frozen process or a stuck row delays
 * only its own account, and briefly. An attempt of a local activity ends at five seconds, possibly before its statement; its retry finds
 * what is stored.
 */
export const TIMEOUTS = { lock_timeout: 2000, statement_timeout: 5000, idle_in_transaction_session_timeout: 5000 };
/** For work that takes as long as it takes: migrations, making test data. */
export const NO_TIMEOUTS = { lock_timeout: 0, statement_timeout: 0, idle_in_transaction_session_timeout: 0 };

export type SessionTimeouts = typeof TIMEOUTS;

/** A server that is alive ends a statement before; one that stands still, or a cut line, gives no answer. */
const QUERY_TIMEOUT_MARGIN_MS = 1000;

/** A pool on `url`; at most `poolSize` connections. Connects on `initialize()`. What it is to the program: `Database` in database.ts. */
export function createDataSource(
  url: string,
  poolSize: number,
  timeouts: SessionTimeouts,
  migrations: readonly (new () => MigrationInterface)[] = MIGRATIONS,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize,
    connectTimeoutMS: 5000,
    applicationName: 'trade-print',
    // Nothing to do about a dead connection: the pool gives the next query a fresh one.
    poolErrorHandler: () => undefined,
    extra: {
      Client: ResilientClient,
      ...timeouts,
      query_timeout: timeouts.statement_timeout && timeouts.statement_timeout + QUERY_TIMEOUT_MARGIN_MS,
    },
  });
}
