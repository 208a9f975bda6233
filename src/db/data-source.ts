import { Client, types, type ClientConfig } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { AddWebhooks1763800000000 } from '../../migrations/1763800000000-AddWebhooks';
import { CreateOrderService1763700000000 } from '../../migrations/1763700000000-CreateOrderService';
import { IndexTimelines1763900000000 } from '../../migrations/1763900000000-IndexTimelines';
import { PlaceInTheApi1764000000000 } from '../../migrations/1764000000000-PlaceInTheApi';
import { RelayDeliveries1764100000000 } from '../../migrations/1764100000000-RelayDeliveries';
import { KnowMessagesByKind1764210000000 } from '../../migrations/1764210000000-KnowMessagesByKind';
import { LimitStudioTokens1764220000000 } from '../../migrations/1764220000000-LimitStudioTokens';
import { RaiseAttention1764200000000 } from '../../migrations/1764200000000-RaiseAttention';
import { FixArtwork1764400000000 } from '../../migrations/1764400000000-FixArtwork';
import { EraseAuditedTexts1764510000000 } from '../../migrations/1764510000000-EraseAuditedTexts';
import { EraseOnRequest1764500000001 } from '../../migrations/1764500000001-EraseOnRequest';
import { GiveUpMail1764500000000 } from '../../migrations/1764500000000-GiveUpMail';

// Cents and counts fit a double exactly; a value that does not is a fault worth stopping at.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} does not fit a JavaScript number`);
  return value;
});

export const MIGRATIONS = [
  CreateOrderService1763700000000,
  AddWebhooks1763800000000,
  IndexTimelines1763900000000,
  PlaceInTheApi1764000000000,
  RelayDeliveries1764100000000,
  RaiseAttention1764200000000,
  KnowMessagesByKind1764210000000,
  LimitStudioTokens1764220000000,
  FixArtwork1764400000000,
  GiveUpMail1764500000000,
  EraseOnRequest1764500000001,
  EraseAuditedTexts1764510000000,
];

/** Anything that runs SQL: the pool, or the transaction one is in. */
export type Sql = Pick<EntityManager, 'query'>;

/**
 * An error of a connection that nobody holds just then would end the process; who holds it hears of it by their query.
 * Statements that every request runs are planned once per connection.
 */
class SteadyClient extends Client {
  constructor(config: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }

  // `Client.query` has many forms; TypeORM uses (text), (text, values).
  override query(...args: unknown[]): never {
    const [text, values] = args;
    const name = args.length === 2 && typeof text === 'string' && Array.isArray(values) && values.length > 0 ? statementName(text) : null;
    const send = super.query.bind(this) as (...args: unknown[]) => never;
    return name === null ? send(...args) : send({ name, text, values });
  }
}

const MAX_STATEMENTS = 300;
const statementNames = new Map<string, string | null>();

/**
 * The name under which a connection keeps this statement's plan; null where it may not. A kept `SELECT *` would fail once a
 * migration adds a column while this process runs, so only statements that name their columns are kept.
 */
function statementName(text: string): string | null {
  let name = statementNames.get(text);
  if (name === undefined && statementNames.size < MAX_STATEMENTS) {
    name = /(^|[\s,.])\*/.test(text) ? null : `s${statementNames.size}`;
    statementNames.set(text, name);
  }
  return name ?? null;
}

/**
 * How long the server lets a statement wait for a lock, run, or a transaction do nothing, ms: a frozen process or a stuck row holds
 * its own account up, and not for long. All are below what an activity or a client waits.
 */
const TIMEOUTS = { lock_timeout: 2000, statement_timeout: 5000, idle_in_transaction_session_timeout: 5000 };
/** For work that takes as long as it takes: migrations, making test data. */
export const PATIENT = { lock_timeout: 0, statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
/** For what may be lost when PostgreSQL crashes, because it is found out again: commits do not wait for the disk. */
export const UNFLUSHED = { ...TIMEOUTS, options: '-c synchronous_commit=off' };

/** A pool on `url`; at most `poolSize` connections. Connects on `initialize()`. */
export function createDataSource(url: string, poolSize = 20, session: typeof TIMEOUTS & { options?: string } = TIMEOUTS): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolSize,
    connectTimeoutMS: 5000,
    applicationName: 'trade-print',
    // A dead connection is the pool's business: the next query gets a fresh one.
    poolErrorHandler: () => undefined,
    extra: { Client: SteadyClient, ...session },
  });
}

/**
 * Runs `work` in one transaction that sees what others commit meanwhile; rolled back when it throws.
 * @param first a statement without parameters that goes along with the BEGIN, in one round trip; `work` gets its rows
 */
export async function transaction<T>(
  dataSource: DataSource,
  work: (sql: Sql, begun: Record<string, unknown>[]) => Promise<T>,
  first = '',
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    const result = await work(runner, await begin(runner, first)); // TypeORM's own BEGIN takes two round trips
    await runner.query('COMMIT');
    return result;
  } catch (error) {
    await runner.query('ROLLBACK').catch(() => undefined); // the first error says more
    throw error;
  } finally {
    await runner.release();
  }
}

/** The BEGIN, and the rows of what goes with it: several statements in one text are one round trip. */
async function begin(runner: QueryRunner, first: string): Promise<Record<string, unknown>[]> {
  const client = (await runner.connect()) as Client;
  const answered: unknown = await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; ${first}`);
  const last = (Array.isArray(answered) ? answered.at(-1) : answered) as { rows?: Record<string, unknown>[] };
  return last.rows ?? [];
}

/** Rows of a query; the caller names their shape. */
export async function rows<T>(sql: Sql, text: string, parameters: unknown[] = []): Promise<T[]> {
  const result: unknown = await sql.query(text, parameters);
  // TypeORM answers UPDATE and DELETE with [rows, count].
  if (Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number') return result[0] as T[];
  return result as T[];
}

/** The first row, or null. */
export async function row<T>(sql: Sql, text: string, parameters: unknown[] = []): Promise<T | null> {
  return (await rows<T>(sql, text, parameters))[0] ?? null;
}

/**
 * Applies what is missing, once, however many processes start together: the others wait at an advisory lock.
 * @returns the names applied.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const patient = await createDataSource(urlOf(dataSource), 2, PATIENT).initialize();
  const runner = patient.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock(7311201)');
    const applied = await patient.runMigrations({ transaction: 'each' });
    return applied.map((migration) => migration.name);
  } finally {
    await runner.query('SELECT pg_advisory_unlock(7311201)').catch(() => undefined);
    await runner.release();
    await patient.destroy();
  }
}

function urlOf({ options }: DataSource): string {
  return 'url' in options && typeof options.url === 'string' ? options.url : '';
}
