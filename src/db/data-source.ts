import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, types, type ClientConfig, type Pool, type PoolClient } from 'pg';
import { readUrl } from '../domain/urls';
import { DataSource, type MigrationInterface } from 'typeorm';

export type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

// Cents and counts are exact as JavaScript numbers. A larger value is an error.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} does not fit a JavaScript number`);
  return value;
});
// A day is `YYYY-MM-DD` without a time zone. As a Date it would become another day in some time zones.
types.setTypeParser(types.builtins.DATE, (text) => text);

const MIGRATIONS_FOLDER = join(__dirname, '..', '..', 'migrations');

/** The migration classes of all files in migrations/. A glob would find nothing below a folder with brackets in its name. */
export const MIGRATIONS = readdirSync(MIGRATIONS_FOLDER)
  .filter((file) => /\.[jt]s$/.test(file)) // .js in a build, .ts in tests
  .sort()
  .flatMap((file) => Object.values(loadMigration(file)));

function loadMigration(file: string): Record<string, new () => MigrationInterface> {
  // oxlint-disable-next-line import/no-dynamic-require -- the folder is the list
  return require(join(MIGRATIONS_FOLDER, file)) as Record<string, new () => MigrationInterface>;
}

/**
 * A connection that sends statements without waiting for the answers of earlier ones; PostgreSQL runs them in order. Ignores errors while it
 * is idle, which would end the process. Errors of a connection in use reject its statements. Statements that every request runs are planned
 * once per connection, unless `preparedStatements` is false.
 */
class PipelinedClient extends Client {
  private connectionError: Error | null = null;
  private readonly preparedStatements: boolean;
  private readonly poolTimeoutMs: number;
  /** How long to wait for an answer, ms; 0 means without end. Replaces pg's `query_timeout`, which counts from when a statement was queued. */
  private answerTimeoutMs: number;
  private unanswered = 0;
  private answerTimer: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig & { preparedStatements: boolean; answerTimeoutMs: number }) {
    super(config);
    this.preparedStatements = config.preparedStatements;
    this.poolTimeoutMs = config.answerTimeoutMs;
    this.answerTimeoutMs = config.answerTimeoutMs;
    this.on('error', (error) => {
      this.connectionError ??= error;
    });
  }

  /** Sets how long a statement may run until `resetStatementTimeout`, for the server and for the wait for its answer. */
  async setStatementTimeout(ms: number): Promise<void> {
    this.answerTimeoutMs = ms + ANSWER_TIMEOUT_MARGIN_MS;
    await (this as Client).query(`SET LOCAL statement_timeout = ${ms}`);
  }

  /** Resets the wait for an answer. The server resets its own timeout at the end of the transaction. */
  resetStatementTimeout(): void {
    this.answerTimeoutMs = this.poolTimeoutMs;
  }

  // `Client.query` has many forms; TypeORM uses (text), (text, values).
  override query(...args: unknown[]): never {
    const [text, values] = args;
    const send = super.query.bind(this) as (...args: unknown[]) => Promise<unknown> | undefined;
    const isStatement = typeof text === 'string' && args.length <= 2;
    const isPrepared = this.preparedStatements && isStatement && Array.isArray(values) && values.length > 0;
    const name = isPrepared ? statementName(text) : null;
    if (!isStatement) return send(...args) as never;
    this.gatherWrites();
    const result = send({ name, text, values });
    this.unanswered += 1;
    if (this.unanswered === 1) this.awaitAnswer();
    return result?.then(
      (answer) => {
        this.countAnswer();
        return answer;
      },
      (error: Error & { code?: string }) => {
        this.countAnswer();
        if (name !== null && error.code === CACHED_PLAN_INVALID) statementNames.set(String(text), null);
        // A failover has made the server a standby. The pool drops the connection, and the next one finds the new primary.
        if (error.code === READ_ONLY) this.wire.stream.destroy(error);
        throw error.message === NOT_QUERYABLE ? (this.connectionError ?? error) : error;
      },
    ) as never;
  }

  /** Statements that are called at once are one write to the socket. */
  private gatherWrites(): void {
    const { stream } = this.wire;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  /** Whether the socket was destroyed. The pool learns of it only later. */
  get isDestroyed(): boolean {
    return this.wire.stream.destroyed;
  }

  private get wire(): { stream: WritableSocket } {
    return (this as unknown as { connection: { stream: WritableSocket } }).connection;
  }

  private countAnswer(): void {
    this.unanswered -= 1;
    this.awaitAnswer();
  }

  /** The time counts from the answer before. */
  private awaitAnswer(): void {
    clearTimeout(this.answerTimer);
    if (this.unanswered === 0 || this.answerTimeoutMs === 0) return;
    this.answerTimer = setTimeout(() => this.giveUp(), this.answerTimeoutMs);
  }

  /** The answer may still arrive, so the connection cannot be used again. All its statements fail. */
  private giveUp(): void {
    this.wire.stream.destroy(new Error(QUERY_TIMEOUT_MESSAGE));
  }
}

interface WritableSocket {
  destroyed: boolean;
  writableCorked: number;
  cork(): void;
  uncork(): void;
  destroy(error: Error): void;
}

/** pg's message for a statement on a lost connection. */
const NOT_QUERYABLE = 'Client has encountered a connection error and is not queryable';

/** The message of the error when a statement has no answer in time. */
export const QUERY_TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * PostgreSQL's error for a prepared statement whose result type a migration has changed. The statement then fails on every connection that
 * has prepared it.
 */
const CACHED_PLAN_INVALID = '0A000';
/** PostgreSQL's error for a write to a standby. */
const READ_ONLY = '25006';

export type Connection = PoolClient & Pick<PipelinedClient, 'setStatementTimeout' | 'resetStatementTimeout' | 'isDestroyed'>;

const MAX_PREPARED_STATEMENTS = 300;
const statementNames = new Map<string, string | null>();

/**
 * Returns the name of a prepared statement; null if the text must not be prepared. A prepared `SELECT *` would fail after a migration that
 * adds a column, so only statements that list their columns are prepared.
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
 * How long, in ms, a statement may wait for a lock and run, and a transaction may be idle. A frozen process or a locked row thus delays
 * only its own account, and briefly. An attempt of a local activity ends at five seconds, possibly before its statement. Its retry finds
 * the stored result.
 */
export const TIMEOUTS = { lock_timeout: 2000, statement_timeout: 5000, idle_in_transaction_session_timeout: 5000 };
/** Without timeouts, for migrations and for creating test data. */
export const NO_TIMEOUTS = { lock_timeout: 0, statement_timeout: 0, idle_in_transaction_session_timeout: 0 };

export type SessionTimeouts = typeof TIMEOUTS;

/** A working server ends a statement before this margin. Only a frozen server or a lost connection gives no answer. */
const ANSWER_TIMEOUT_MARGIN_MS = 1000;

interface DataSourceOptions {
  url: string;
  poolSize: number;
  timeouts: SessionTimeouts;
  preparedStatements?: boolean;
  applicationName?: string;
  migrations?: readonly (new () => MigrationInterface)[];
}

/** The address is a pooler's that does not provide what the program needs. The message says what helps. */
export class PoolerError extends Error {}

/** The server does not answer or refuses the connection. The message names the setting and contains no password. */
export class DatabaseUnreachable extends Error {
  constructor(url: string, cause: unknown) {
    const first: unknown = cause instanceof AggregateError && cause.message === '' ? cause.errors[0] : cause;
    const reason = (first instanceof Error ? first.message : String(first)).replace(/\s+/g, ' ').trim().slice(0, 200);
    const remedy = /self-signed|unable to (?:get|verify)/.test(reason)
      ? 'add sslmode=verify-full&sslrootcert=<file with the certificate of its authority> to DATABASE_URL (and DATABASE_DIRECT_URL if set)'
      : 'check that it runs; DATABASE_URL (or DATABASE_DIRECT_URL if set) needs the correct host, port, user, password and database';
    super(`cannot use PostgreSQL at ${describeAddress(url)} (${reason || 'no reason given'}); ${remedy}`, { cause });
  }
}

/** `host:port/database` of a URL, without user and password. */
function describeAddress(url: string): string {
  const parsed = readUrl(url);
  if (parsed === null) return 'an invalid URL';
  const { hostname, port, pathname } = parsed;
  return `${hostname}:${port || 5432}${pathname}`;
}

/**
 * Connects a pool with at most `poolSize` connections. Connections ask for their timeouts only if their role does not have them, because
 * poolers refuse that: a server connection serves many clients.
 * @throws DatabaseUnreachable
 * @throws PoolerError if the server would not enforce the timeouts
 */
export async function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  const source = await createDataSource(options, {})
    .initialize()
    .catch((error: unknown) => {
      throw new DatabaseUnreachable(options.url, error);
    });
  const isEnforced = await hasTimeouts(source, options.timeouts).catch(async (error: unknown) => {
    await source.destroy();
    throw error;
  });
  if (isEnforced) return source;
  const [{ role }] = (await source.query('SELECT current_user AS role')) as [{ role: string }];
  await source.destroy();
  const direct = await createDataSource(options, startupParameters(options.timeouts)).initialize().catch(nullIfRefused);
  if (direct !== null && (await hasTimeouts(direct, options.timeouts))) return direct;
  await direct?.destroy();
  throw new PoolerError(
    `the pooler does not set the timeouts of a connection; for the processes run "trade-print migrate --app-role ${role}" and RECONNECT in PgBouncer, ` +
      'for trade-print set DATABASE_DIRECT_URL to the address of the database itself',
  );
}

/** The pool of a data source. */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/** Strings, because pg does not send a 0. */
const startupParameters = (timeouts: SessionTimeouts) =>
  Object.fromEntries(Object.entries(timeouts).map(([name, ms]) => [name, String(ms)]));

async function hasTimeouts(source: DataSource, timeouts: SessionTimeouts): Promise<boolean> {
  const rows = (await source.query('SELECT name, setting::integer AS ms FROM pg_settings WHERE name = ANY ($1)', [
    Object.keys(timeouts),
  ])) as { name: keyof SessionTimeouts; ms: number }[];
  return rows.every(({ name, ms }) => timeouts[name] === ms);
}

/** PostgreSQL's protocol_violation, which PgBouncer reports for a startup parameter that it does not pass on. */
const REFUSED_PARAMETER = '08P01';

function nullIfRefused(error: { code?: string }): null {
  if (error.code === REFUSED_PARAMETER) return null;
  throw error;
}

/** What it is to the program: `Database` in database.ts. */
function createDataSource(
  { url, poolSize, timeouts, preparedStatements = true, applicationName = 'trade-print', migrations = MIGRATIONS }: DataSourceOptions,
  startup: Record<string, string>,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize,
    connectTimeoutMS: Math.max(timeouts.statement_timeout, TIMEOUTS.statement_timeout), // also limits the wait for a free connection of the pool
    applicationName,
    // Ignored, because the pool opens a new connection for the next query.
    poolErrorHandler: () => undefined,
    extra: {
      Client: PipelinedClient,
      pipeline: true,
      // A gateway can forget a connection that waits.
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000,
      preparedStatements,
      ...startup,
      answerTimeoutMs: timeouts.statement_timeout && timeouts.statement_timeout + ANSWER_TIMEOUT_MARGIN_MS,
    },
  });
}
