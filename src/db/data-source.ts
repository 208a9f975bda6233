import { Client, types, type ClientConfig } from 'pg';
import { DataSource, QueryRunnerAlreadyReleasedError, type MigrationInterface } from 'typeorm';
import { CreateOrderService1763700000000 } from '../../migrations/1763700000000-CreateOrderService';
import { AddWebhooks1763800000000 } from '../../migrations/1763800000000-AddWebhooks';
import { IndexTimelines1763900000000 } from '../../migrations/1763900000000-IndexTimelines';
import { PlaceInTheApi1764000000000 } from '../../migrations/1764000000000-PlaceInTheApi';
import { RelayDeliveries1764100000000 } from '../../migrations/1764100000000-RelayDeliveries';
import { RaiseAttention1764200000000 } from '../../migrations/1764200000000-RaiseAttention';
import { KnowMessagesByKind1764210000000 } from '../../migrations/1764210000000-KnowMessagesByKind';
import { LimitStudioTokens1764220000000 } from '../../migrations/1764220000000-LimitStudioTokens';
import { FixArtwork1764400000000 } from '../../migrations/1764400000000-FixArtwork';
import { GiveUpMail1764500000000 } from '../../migrations/1764500000000-GiveUpMail';
import { EraseOnRequest1764500000001 } from '../../migrations/1764500000001-EraseOnRequest';
import { EraseAuditedTexts1764510000000 } from '../../migrations/1764510000000-EraseAuditedTexts';
import { FindOrders1764520000000 } from '../../migrations/1764520000000-FindOrders';
import { LineUpEvents1764530000000 } from '../../migrations/1764530000000-LineUpEvents';
import { CountFailuresAsTold1764650000000 } from '../../migrations/1764650000000-CountFailuresAsTold';
import { KeepLedger1764700000000 } from '../../migrations/1764700000000-KeepLedger';
import { ListInvoices1764700000010 } from '../../migrations/1764700000010-ListInvoices';
import { SeeToOrders1764710000000 } from '../../migrations/1764710000000-SeeToOrders';
import { InspectArtwork1764720000000 } from '../../migrations/1764720000000-InspectArtwork';
import { TellWhatParcelsHold1764730000000 } from '../../migrations/1764730000000-TellWhatParcelsHold';
import { FreezeSeller1764730000001 } from '../../migrations/1764730000001-FreezeSeller';
import { RemakeOrders1764740000000 } from '../../migrations/1764740000000-RemakeOrders';
import { SearchOrders1764750000000 } from '../../migrations/1764750000000-SearchOrders';
import { DateOrders1764750000001 } from '../../migrations/1764750000001-DateOrders';
import { FilterLists1764750000002 } from '../../migrations/1764750000002-FilterLists';
import { TakeTurns1764760000000 } from '../../migrations/1764760000000-TakeTurns';
import { RemakeBeyondLost1764770000000 } from '../../migrations/1764770000000-RemakeBeyondLost';
import { OpenSessions1764800000000 } from '../../migrations/1764800000000-OpenSessions';
import { TellNews1764810000000 } from '../../migrations/1764810000000-TellNews';
import { SortLists1764820000000 } from '../../migrations/1764820000000-SortLists';
import { DeliveriesByEnvironment1764830000000 } from '../../migrations/1764830000000-DeliveriesByEnvironment';
import { KnowAccountsBySender1764830000001 } from '../../migrations/1764830000001-KnowAccountsBySender';

// Cents and counts fit a double exactly; a value that does not is a fault worth stopping at.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} does not fit a JavaScript number`);
  return value;
});
// A day is `YYYY-MM-DD`, in no time zone: as a Date it would be another one to the west of here.
types.setTypeParser(types.builtins.DATE, (text) => text);

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
  FindOrders1764520000000,
  LineUpEvents1764530000000,
  CountFailuresAsTold1764650000000,
  KeepLedger1764700000000,
  ListInvoices1764700000010,
  SeeToOrders1764710000000,
  InspectArtwork1764720000000,
  TellWhatParcelsHold1764730000000,
  FreezeSeller1764730000001,
  RemakeOrders1764740000000,
  SearchOrders1764750000000,
  DateOrders1764750000001,
  FilterLists1764750000002,
  TakeTurns1764760000000,
  RemakeBeyondLost1764770000000,
  OpenSessions1764800000000,
  TellNews1764810000000,
  SortLists1764820000000,
  DeliveriesByEnvironment1764830000000,
  KnowAccountsBySender1764830000001,
];
export type Migrations = readonly (new () => MigrationInterface)[];

/**
 * Ignores errors of a connection that is idle, which would end the process; whoever is using one learns of them by their query.
 * Statements that every request runs are planned once per connection.
 */
class ResilientClient extends Client {
  private lost: Error | null = null;

  constructor(config: ClientConfig) {
    super(config);
    this.on('error', (error) => {
      this.lost ??= error;
    });
  }

  /** Why something failed: where TypeORM only says that it has let go of a lost connection, why that was lost. */
  causeOf(error: unknown): unknown {
    return error instanceof QueryRunnerAlreadyReleasedError ? (this.lost ?? error) : error;
  }

  // `Client.query` has many forms; TypeORM uses (text), (text, values).
  override query(...args: unknown[]): never {
    const [text, values] = args;
    const name = args.length === 2 && typeof text === 'string' && Array.isArray(values) && values.length > 0 ? statementName(text) : null;
    const send = super.query.bind(this) as (...args: unknown[]) => never;
    if (name === null) return send(...args);
    const sent: Promise<unknown> = send({ name, text, values });
    sent.catch((error: { code?: string }) => {
      if (error.code === PLAN_NO_LONGER_FITS) statementNames.set(String(text), null);
    });
    return sent as never;
  }
}

/**
 * A migration changed the type of a column that the statement answers: its kept plan fails from then on, on every connection that has it.
 */
const PLAN_NO_LONGER_FITS = '0A000';

/** A connection of the pool. */
export type Connection = Client & Pick<ResilientClient, 'causeOf'>;

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
 * How long the server lets a statement wait for a lock, run, or a transaction do nothing, ms: a frozen process or a stuck row holds
 * its own account up, and not for long. All are below what an activity or a client waits.
 */
export const TIMEOUTS = { lock_timeout: 2000, statement_timeout: 5000, idle_in_transaction_session_timeout: 5000 };
/** For work that takes as long as it takes: migrations, making test data. */
export const PATIENT = { lock_timeout: 0, statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
/** For what may be lost when PostgreSQL crashes, because it is found out again: commits do not wait for the disk. */
export const UNFLUSHED = { ...TIMEOUTS, options: '-c synchronous_commit=off' };

export type Session = typeof TIMEOUTS & { options?: string };

/** A pool on `url`; at most `poolSize` connections. Connects on `initialize()`. What it is to the program: `Database` in database.ts. */
export function createDataSource(url: string, poolSize: number, session: Session, migrations: Migrations): DataSource {
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
    extra: { Client: ResilientClient, ...session },
  });
}
