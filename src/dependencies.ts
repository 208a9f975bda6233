import type { ActivityDeps } from '../activities/deps';
import path from 'node:path';
import type { Connection } from '@temporalio/client';
import { childUser } from './child-user';
import { systemClock, type Clock } from './clock';
import type { Config } from './config';
import { openDatabase, TIMEOUTS, type Database, type Session } from './db/database';
import { CatalogueReader } from './db/repositories/catalogue';
import { PricingTermsReader } from './db/repositories/pricing-terms';
import { requireSecretKeys, serviceSecret } from './db/repositories/secrets';
import { Cursors } from './http/cursor';
import type { HttpDeps } from './http/deps';
import { AuthenticationCache } from './http/authentication-cache';
import { FailureAudit } from './http/failure-audit';
import { parseRanges } from './http/source-address';
import { createLogger, type Logger } from './logger';
import { createMailer } from './mail';
import { createArtworkStorage } from './storage';
import { Press } from './documents/press';
import { STREAMS } from './domain/news';
import { NewsFeed } from './live/feed';
import { EventStreams } from './live/streams';
import { DeliveryBell } from './orders/delivery-bell';
import { WorkflowStarts } from './orders/workflow-starts';
import { KeyedQueue } from './runtime/keyed-queue';
import { FreshEndpoints } from './relay/fresh-endpoints';
import { ATTEMPTS_PER_ENDPOINT } from './relay/lanes';
import type { RelayDeps } from './relay/relay';
import { SecretBox } from './security/secret-box';
import { openTemporal, type Temporal } from './temporal';
import { assertCodecFits } from './temporal/codec-check';
import { connectLazily } from './temporal/connect';
import { createWebhookSender, type WebhookSender } from './webhooks/send';

/** Two transactions of an account: one that has the lock of the account's row, and the next. Others wait without a connection. */
const ACCOUNT_WRITES = { concurrency: 2, maxWaiting: 200 };
/** One credential is admitted one request at a time, because its requests share a budget. */
const ADMISSIONS = { concurrency: 1, maxWaiting: 200 };
/** With placing, a quarter of the pool. None of the three waits for another. */
const TRADE_READS = { concurrency: 2, maxWaiting: 100 };
const TRADE_WRITES = { concurrency: 1, maxWaiting: 100 };
/** They hold no connection while they wait. */
const TRADE_SLOW = { concurrency: 1, maxWaiting: 100 };

/** Everything that the processes depend on. Each layer declares the part it needs. */
export interface Dependencies extends HttpDeps, ActivityDeps, RelayDeps {
  config: Config;
  /** Signs the embedded store's URLs. */
  storageSecret: string;
  /** Changes of any process, for the event streams of this one. */
  newsFeed: NewsFeed;
  close(): Promise<void>;
}

export interface Overrides {
  logger?: Logger;
  clock?: Clock;
  /** Another task queue than `orders`, so that several services share one Temporal. */
  taskQueue?: string;
  webhooksTaskQueue?: string;
  artworkTaskQueue?: string;
  poolSize?: number;
  /** How long PostgreSQL lets a statement of this process wait and run. */
  session?: Session;
  webhookSender?: WebhookSender;
  /** How often an event stream's credential is judged. */
  streamJudgedMs?: number;
}

/** The composition root: config → logger, database, Temporal, storage, mail. Call `close` when done. */
export async function createDependencies(config: Config, name: string, overrides: Overrides = {}): Promise<Dependencies> {
  const database = await openDatabase(config.databaseUrl, overrides.poolSize, overrides.session);
  const clock = overrides.clock ?? systemClock;
  const { statement_timeout: maxWaitMs, lock_timeout: lockMs } = overrides.session ?? TIMEOUTS;
  const secretBox = new SecretBox(config.secretsKeys);
  const [cursorSecret, storedStorageSecret, senderSecret] = await ownSecrets(database, config, secretBox, clock);
  const connection = await connectLazily(config.temporal);
  const storageSecret = config.storageSigningSecret ?? storedStorageSecret;
  const storage = createArtworkStorage({
    s3: config.s3,
    local: {
      dir: artworkDir(config),
      secret: storageSecret,
      publicUrl: config.storagePublicUrl,
      reserveBytes: config.storageReserveBytes,
      clock: () => clock.now().getTime(),
    },
  });
  const webhookSender = overrides.webhookSender ?? createWebhookSender({ allowedOrigins: config.webhookAllowedOrigins });
  const temporal = temporalOf(config, connection, overrides);
  const logger = overrides.logger ?? createLogger(config.logLevel, name);
  const workflowStarts = new WorkflowStarts({ database, temporal, clock, logger });
  const deliveryBell = new DeliveryBell(database, logger);
  const newsFeed = new NewsFeed(database, logger);
  const press = new Press(logger, undefined, undefined, childUser(config.childUser));
  const failureAudit = new FailureAudit(database, clock, logger);
  const freshEndpoints = new FreshEndpoints(database, secretBox);
  return {
    config,
    logger,
    clock,
    accountWrites: new KeyedQueue({ ...ACCOUNT_WRITES, maxWaitMs: maxWaitMs - lockMs }), // and then for the lock of the account's row
    admissions: new KeyedQueue({ ...ADMISSIONS, maxWaitMs }),
    tradeReads: new KeyedQueue({ ...TRADE_READS, maxWaitMs }),
    tradeWrites: new KeyedQueue({ ...TRADE_WRITES, maxWaitMs }),
    tradeSlow: new KeyedQueue({ ...TRADE_SLOW, maxWaitMs }),
    authenticationCache: new AuthenticationCache(() => performance.now()),
    keysInHand: new Set(),
    workflowStarts,
    deliveryBell,
    newsFeed,
    failureAudit,
    eventStreams: new EventStreams(newsFeed, logger, overrides.streamJudgedMs ?? STREAMS.judgedMs),
    secretBox,
    senderSecret,
    freshEndpoints,
    database,
    temporal,
    storage,
    storageSecret,
    mailer: createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, outboxDir: config.mailOutboxDir }),
    press,
    cursors: new Cursors(cursorSecret),
    catalogue: new CatalogueReader(),
    pricingTerms: new PricingTermsReader(),
    trustedProxies: parseRanges(config.trustedProxies),
    webhookSender,
    webhookRetryScheduleMs: config.webhookRetryScheduleMs,
    attempts: new KeyedQueue({ concurrency: ATTEMPTS_PER_ENDPOINT }),
    studioMail: config.studioMail,
    publicBaseUrl: config.publicBaseUrl,
    uploadUnusedDays: config.uploadUnusedDays,
    quoteRetentionDays: config.quoteRetentionDays,
    async close() {
      await failureAudit.close();
      await workflowStarts.close();
      deliveryBell.close();
      newsFeed.close();
      press.close();
      freshEndpoints.close();
      await webhookSender.close();
      await storage.close?.();
      temporal.close();
      await connection.close();
      await database.close();
    },
  };
}

/**
 * What signs cursors, the embedded store's URLs and messages to workflows; without every key that stored secrets or payloads need, nothing
 * starts.
 */
async function ownSecrets(database: Database, config: Config, box: SecretBox, clock: Clock): Promise<[string, string, string]> {
  try {
    await assertCodecFits(database, config.codecKeys, clock.now());
    await requireSecretKeys(database, box);
    const secret = (name: 'cursors' | 'storage' | 'senders') => serviceSecret(database, box, name);
    return [await secret('cursors'), await secret('storage'), await secret('senders')];
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function artworkDir(config: Config): string {
  return path.join(config.dataDir, 'artwork');
}

function temporalOf(config: Config, connection: Connection, { taskQueue, webhooksTaskQueue, artworkTaskQueue }: Overrides): Temporal {
  return openTemporal({
    connection,
    namespace: config.temporal.namespace,
    quietPeriodMs: config.orderQuietPeriodMs,
    confirmationDelayMs: config.confirmationDelayMs,
    codecKeys: config.codecKeys,
    ...(taskQueue === undefined ? {} : { taskQueue }),
    ...(webhooksTaskQueue === undefined ? {} : { webhooksTaskQueue }),
    ...(artworkTaskQueue === undefined ? {} : { artworkTaskQueue }),
  });
}
