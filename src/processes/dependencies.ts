import type { ActivityDeps } from '../../activities/deps';
import path from 'node:path';
import { childUser } from '../platform/child-user';
import { systemClock, type Clock } from '../platform/clock';
import type { Config } from '../config/config';
import { openPool, TIMEOUTS, type Database, type SessionTimeouts } from '../db/database';
import { CatalogueReader } from '../db/repositories/catalogue';
import { PriceBookReader } from '../db/repositories/price-book-reader';
import { StudioCalendar } from '../db/repositories/studio-calendar';
import { requireSecretKeys, loadServiceSecret } from '../db/repositories/secrets';
import { Cursors } from '../http/cursor';
import type { StudioServerDeps, TradeServerDeps } from '../http/deps';
import { AuthenticationCache } from '../http/authentication-cache';
import { FailureAudit } from '../http/failure-audit';
import { parseRanges } from '../http/source-address';
import { createLogger, type Logger } from '../platform/logger';
import { createMailer } from '../mail';
import { createArtworkStorage } from '../storage';
import { PdfRenderer, type RendererBounds } from '../documents/pdf-renderer';
import { STREAM_LIMITS } from '../domain/change-feed';
import { ChangeFeed } from '../live/change-feed';
import { EventStreams } from '../live/streams';
import { DeliveryNotifier } from '../orders/delivery-notifier';
import { WorkflowStarter } from '../orders/workflow-starter';
import { KeyedQueue } from '../runtime/keyed-queue';
import { EndpointCache } from '../relay/endpoint-cache';
import { ATTEMPTS_PER_ENDPOINT } from '../relay/endpoint-queues';
import type { RelayDeps } from '../relay/relay';
import { SecretBox } from '../security/secret-box';
import { openTemporal, type TemporalOverrides } from '../temporal';
import { assertCodecKeys } from '../temporal/codec-check';
import { connectLazily } from '../temporal/connect';
import { observeProcess } from '../telemetry/observers';
import { createServiceMetrics } from '../telemetry/metrics';
import { Telemetry } from '../telemetry/telemetry';
import { createWebhookSender, type WebhookSender } from '../webhooks/send';

/**
 * For each account two transactions run at once: one has locked the account's row, the other waits for it. Further requests wait
 * without a database connection.
 */
const ACCOUNT_WRITE_QUEUE = { concurrency: 2, maxWaiting: 200 };
/** Requests of one credential are admitted one at a time, because they share a budget. */
const ADMISSION_QUEUE = { concurrency: 1, maxWaiting: 200 };
/**
 * One account's reads, writes and new orders together use at most a quarter of the default connection pool. The three queues do not wait for
 * each other.
 */
const TRADE_READ_QUEUE = { concurrency: 2, maxWaiting: 100 };
const TRADE_WRITE_QUEUE = { concurrency: 1, maxWaiting: 100 };
/** These requests mostly wait for Temporal, without a database connection. */
const TRADE_MESSAGE_QUEUE = { concurrency: 4, maxWaiting: 100 };
/** Slow requests run one at a time, and wait without a database connection. */
const SLOW_REQUEST_QUEUE = { concurrency: 1, maxWaiting: 100 };

/** The dependencies of the API, worker and relay. Each layer declares the part that it needs. */
export interface Dependencies extends TradeServerDeps, StudioServerDeps, ActivityDeps, RelayDeps {
  config: Config;
  /** Signs the embedded store's URLs. */
  storageSecret: string;
  telemetry: Telemetry;
  /** Aborting it makes `/readyz` fail and then stops the process. */
  stopController: AbortController;
  /** Changes of all processes, for the event streams. */
  changeFeed: ChangeFeed;
  close(): Promise<void>;
}

export interface Overrides extends TemporalOverrides {
  logger?: Logger;
  clock?: Clock;
  /** PostgreSQL's statement and lock timeouts. */
  session?: SessionTimeouts;
  webhookSender?: WebhookSender;
  /** How often an event stream's credential is checked. */
  streamRecheckMs?: number;
  pdfBounds?: RendererBounds;
}

/** The composition root of the API, worker and relay. Call `close` when done. */
export async function createDependencies(config: Config, name: string, overrides: Overrides = {}): Promise<Dependencies> {
  const core = await openCore(config, name, overrides);
  const { database, temporal, telemetry, connection } = core;
  const orders = createOrderParts(core);
  const deliveries = createDeliveryParts(core, overrides);
  const http = createHttpParts(core, overrides);
  const { accountWriteQueue, storage } = orders;
  const { admissionQueue, tradeReadQueue, tradeWriteQueue, tradeMessageQueue, slowRequestQueue } = http;
  const queues = {
    accountWriteQueue,
    admissionQueue,
    tradeReadQueue,
    tradeWriteQueue,
    tradeMessageQueue,
    slowRequestQueue,
    attemptQueue: deliveries.attemptQueue,
  };
  observeProcess(telemetry.meter, { database, clock: core.clock, buildId: config.temporal.buildId, queues, breaker: temporal.breaker });
  return {
    ...core,
    ...orders,
    ...deliveries,
    ...http,
    async close() {
      await telemetry.close(); // its last export reads the other parts
      await http.failureAudit.close();
      await orders.workflowStarter.close();
      orders.deliveryNotifier.close();
      http.changeFeed.close();
      http.pdfRenderer.close();
      deliveries.endpointCache.close();
      await deliveries.webhookSender.close();
      await storage.close?.();
      temporal.close();
      await connection.close();
      await database.close();
    },
  };
}

type Core = Awaited<ReturnType<typeof openCore>>;

/** What every process needs: settings, log, telemetry, database, Temporal and secrets. */
async function openCore(config: Config, name: string, overrides: Overrides) {
  const database = await openPool(config, name, overrides.session);
  const clock = overrides.clock ?? systemClock;
  const secretBox = new SecretBox(config.secretsKeys);
  const [cursorSecret, storedStorageSecret] = await loadServiceSecrets(database, config, secretBox, clock);
  const connection = await connectLazily(config.temporal);
  const logger = overrides.logger ?? createLogger(config.logLevel, name);
  const telemetry = new Telemetry(name, config.otlp, logger);
  const stopController = new AbortController();
  const { statement_timeout: maxWaitMs, lock_timeout: lockMs } = overrides.session ?? TIMEOUTS;
  return {
    config,
    logger,
    clock,
    database,
    connection,
    temporal: openTemporal(connection, config, overrides),
    telemetry,
    metrics: createServiceMetrics(telemetry.meter),
    stopController,
    stopSignal: stopController.signal,
    secretBox,
    cursorSecret,
    storageSecret: config.storageSigningSecret ?? storedStorageSecret,
    maxWaitMs,
    lockMs,
  };
}

/** What handlers and activities need to change orders. */
function createOrderParts({ config, logger, clock, database, temporal, metrics, storageSecret, maxWaitMs, lockMs }: Core) {
  const priceBooks = new PriceBookReader();
  return {
    priceBooks,
    calendar: new StudioCalendar(priceBooks),
    storage: createArtworkStorage({
      s3: config.s3,
      local: {
        dir: artworkDir(config),
        secret: storageSecret,
        publicUrl: config.storagePublicUrl,
        clock: () => clock.now().getTime(),
      },
    }),
    mailer: createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, outboxDir: config.mailOutboxDir }, (result) =>
      metrics.mails.add(1, { result }),
    ),
    workflowStarter: new WorkflowStarter({ database, temporal, clock, logger }),
    deliveryNotifier: new DeliveryNotifier(database, logger),
    accountWriteQueue: new KeyedQueue({ ...ACCOUNT_WRITE_QUEUE, maxWaitMs: maxWaitMs - lockMs }), // leaves time for the row lock
    studioMail: config.studioMail,
    publicBaseUrl: config.publicBaseUrl,
    studioUrl: config.studioPublicUrl,
    uploadUnusedDays: config.uploadUnusedDays,
    quoteRetentionDays: config.quoteRetentionDays,
    webhookAttemptRetentionDays: config.webhookAttemptRetentionDays,
  };
}

/** What the relay and the worker of webhooks need to send events. */
function createDeliveryParts({ config, database, secretBox }: Core, { webhookSender }: Overrides) {
  return {
    webhookSender: webhookSender ?? createWebhookSender({ allowedOrigins: config.webhookAllowedOrigins }),
    endpointCache: new EndpointCache(database, secretBox),
    attemptQueue: new KeyedQueue({ concurrency: ATTEMPTS_PER_ENDPOINT }),
    webhookRetryScheduleMs: config.webhookRetryScheduleMs,
  };
}

/** What only the listeners of the API need. */
function createHttpParts({ config, logger, clock, database, cursorSecret, maxWaitMs }: Core, { streamRecheckMs, pdfBounds }: Overrides) {
  const changeFeed = new ChangeFeed(database, logger);
  return {
    admissionQueue: new KeyedQueue({ ...ADMISSION_QUEUE, maxWaitMs }),
    tradeReadQueue: new KeyedQueue({ ...TRADE_READ_QUEUE, maxWaitMs }),
    tradeWriteQueue: new KeyedQueue({ ...TRADE_WRITE_QUEUE, maxWaitMs }),
    tradeMessageQueue: new KeyedQueue({ ...TRADE_MESSAGE_QUEUE, maxWaitMs }),
    slowRequestQueue: new KeyedQueue({ ...SLOW_REQUEST_QUEUE, maxWaitMs }),
    authenticationCache: new AuthenticationCache(() => performance.now(), maxWaitMs),
    inFlightKeys: new Set<string>(),
    changeFeed,
    eventStreams: new EventStreams(changeFeed, logger, streamRecheckMs ?? STREAM_LIMITS.recheckMs),
    failureAudit: new FailureAudit(database, clock, logger),
    cursors: new Cursors(cursorSecret),
    catalogue: new CatalogueReader(),
    pdfRenderer: new PdfRenderer(logger, pdfBounds, undefined, childUser(config.childUser)),
    trustedProxies: parseRanges(config.trustedProxies),
  };
}

/** Loads the secrets that sign cursors and the embedded store's URLs. Fails if a key for stored secrets or payloads is missing. */
async function loadServiceSecrets(database: Database, config: Config, secretBox: SecretBox, clock: Clock): Promise<[string, string]> {
  try {
    await assertCodecKeys(database, config.codecKeys, clock.now());
    await requireSecretKeys(database, secretBox);
    const secret = (name: 'cursors' | 'storage') => loadServiceSecret(database, secretBox, name);
    return [await secret('cursors'), await secret('storage')];
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function artworkDir(config: Config): string {
  return path.join(config.dataDir, 'artwork');
}
