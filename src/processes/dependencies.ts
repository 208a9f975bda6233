import type { ActivityDeps } from '../../activities/deps';
import path from 'node:path';
import type { Connection } from '@temporalio/client';
import { childUser } from '../platform/child-user';
import { systemClock, type Clock } from '../platform/clock';
import type { Config } from '../config/config';
import { openPool, TIMEOUTS, type Database, type SessionTimeouts } from '../db/database';
import { CatalogueReader } from '../db/repositories/catalogue';
import { PricingTermsReader } from '../db/repositories/pricing-terms';
import { requireSecretKeys, loadServiceSecret } from '../db/repositories/secrets';
import { Cursors } from '../http/cursor';
import type { HttpDeps } from '../http/deps';
import { AuthenticationCache } from '../http/authentication-cache';
import { FailureAudit } from '../http/failure-audit';
import { parseRanges } from '../http/source-address';
import { createLogger, type Logger } from '../platform/logger';
import { createMailer } from '../mail';
import { createArtworkStorage } from '../storage';
import { PdfRenderer } from '../documents/pdf-renderer';
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
import { openTemporal, type Temporal } from '../temporal';
import { assertCodecKeys } from '../temporal/codec-check';
import { connectLazily } from '../temporal/connect';
import { observeProcess } from '../telemetry/observers';
import { createServiceMetrics } from '../telemetry/metrics';
import { Telemetry } from '../telemetry/telemetry';
import { createWebhookSender, type WebhookSender } from '../webhooks/send';

/**
 * For each account two transactions run at once: one holds the lock of the account's row, the other waits for it. Further requests wait
 * without a database connection.
 */
const ACCOUNT_WRITE_QUEUE = { concurrency: 2, maxWaiting: 200 };
/** Requests of one credential are admitted one at a time, because they share a budget. */
const ADMISSION_QUEUE = { concurrency: 1, maxWaiting: 200 };
/**
 * One account's reads, writes and new orders together use at most a quarter of the default connection pool. The three queues do not wait for each
 * other.
 */
const TRADE_READ_QUEUE = { concurrency: 2, maxWaiting: 100 };
const TRADE_WRITE_QUEUE = { concurrency: 1, maxWaiting: 100 };
/** Slow requests run one at a time, and wait without a database connection. */
const SLOW_REQUEST_QUEUE = { concurrency: 1, maxWaiting: 100 };

/** The dependencies of the processes. Each layer declares the part that it needs. */
export interface Dependencies extends HttpDeps, ActivityDeps, RelayDeps {
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

export interface Overrides {
  logger?: Logger;
  clock?: Clock;
  /** Replaces the task queue `orders`, so that several services can share one Temporal. */
  taskQueue?: string;
  webhooksTaskQueue?: string;
  artworkTaskQueue?: string;
  /** PostgreSQL's statement and lock timeouts. */
  session?: SessionTimeouts;
  webhookSender?: WebhookSender;
  /** How often an event stream's credential is checked. */
  streamRecheckMs?: number;
}

/** The composition root: config → logger, database, Temporal, storage, mail. Call `close` when done. */
export async function createDependencies(config: Config, name: string, overrides: Overrides = {}): Promise<Dependencies> {
  const database = await openPool(config, name, overrides.session);
  const clock = overrides.clock ?? systemClock;
  const { statement_timeout: maxWaitMs, lock_timeout: lockMs } = overrides.session ?? TIMEOUTS;
  const secretBox = new SecretBox(config.secretsKeys);
  const [cursorSecret, storedStorageSecret, senderSecret] = await loadServiceSecrets(database, config, secretBox, clock);
  const connection = await connectLazily(config.temporal);
  const storageSecret = config.storageSigningSecret ?? storedStorageSecret;
  const storage = createArtworkStorage({
    s3: config.s3,
    local: {
      dir: artworkDir(config),
      secret: storageSecret,
      publicUrl: config.storagePublicUrl,
      clock: () => clock.now().getTime(),
    },
  });
  const webhookSender = overrides.webhookSender ?? createWebhookSender({ allowedOrigins: config.webhookAllowedOrigins });
  const temporal = createTemporal(config, connection, overrides);
  const logger = overrides.logger ?? createLogger(config.logLevel, name);
  const workflowStarter = new WorkflowStarter({ database, temporal, clock, logger });
  const deliveryNotifier = new DeliveryNotifier(database, logger);
  const changeFeed = new ChangeFeed(database, logger);
  const pdfRenderer = new PdfRenderer(logger, undefined, undefined, childUser(config.childUser));
  const failureAudit = new FailureAudit(database, clock, logger);
  const endpointCache = new EndpointCache(database, secretBox);
  const telemetry = new Telemetry(name, config.otlp, logger);
  const metrics = createServiceMetrics(telemetry.meter);
  const stopController = new AbortController();
  const queues = {
    accountWriteQueue: new KeyedQueue({ ...ACCOUNT_WRITE_QUEUE, maxWaitMs: maxWaitMs - lockMs }), // leaves time for the row lock
    admissionQueue: new KeyedQueue({ ...ADMISSION_QUEUE, maxWaitMs }),
    tradeReadQueue: new KeyedQueue({ ...TRADE_READ_QUEUE, maxWaitMs }),
    tradeWriteQueue: new KeyedQueue({ ...TRADE_WRITE_QUEUE, maxWaitMs }),
    slowRequestQueue: new KeyedQueue({ ...SLOW_REQUEST_QUEUE, maxWaitMs }),
    attemptQueue: new KeyedQueue({ concurrency: ATTEMPTS_PER_ENDPOINT }),
  };
  observeProcess(telemetry.meter, { database, clock, buildId: config.temporal.buildId, queues, breaker: temporal.breaker });
  return {
    config,
    telemetry,
    metrics,
    stopController,
    stopSignal: stopController.signal,
    logger,
    clock,
    ...queues,
    authenticationCache: new AuthenticationCache(() => performance.now()),
    inFlightKeys: new Set(),
    workflowStarter,
    deliveryNotifier,
    changeFeed,
    failureAudit,
    eventStreams: new EventStreams(changeFeed, logger, overrides.streamRecheckMs ?? STREAM_LIMITS.recheckMs),
    secretBox,
    senderSecret,
    endpointCache,
    database,
    temporal,
    storage,
    storageSecret,
    mailer: createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, outboxDir: config.mailOutboxDir }, (result) =>
      metrics.mails.add(1, { result }),
    ),
    pdfRenderer,
    cursors: new Cursors(cursorSecret),
    catalogue: new CatalogueReader(),
    pricingTerms: new PricingTermsReader(),
    trustedProxies: parseRanges(config.trustedProxies),
    webhookSender,
    webhookRetryScheduleMs: config.webhookRetryScheduleMs,
    studioMail: config.studioMail,
    publicBaseUrl: config.publicBaseUrl,
    uploadUnusedDays: config.uploadUnusedDays,
    quoteRetentionDays: config.quoteRetentionDays,
    webhookAttemptRetentionDays: config.webhookAttemptRetentionDays,
    async close() {
      await telemetry.close(); // its last export reads the other parts
      await failureAudit.close();
      await workflowStarter.close();
      deliveryNotifier.close();
      changeFeed.close();
      pdfRenderer.close();
      endpointCache.close();
      await webhookSender.close();
      await storage.close?.();
      temporal.close();
      await connection.close();
      await database.close();
    },
  };
}

/**
 * Loads the secrets that sign cursors, the embedded store's URLs and messages to workflows. Fails if a key for stored secrets or payloads is
 * missing.
 */
async function loadServiceSecrets(
  database: Database,
  config: Config,
  secretBox: SecretBox,
  clock: Clock,
): Promise<[string, string, string]> {
  try {
    await assertCodecKeys(database, config.codecKeys, clock.now());
    await requireSecretKeys(database, secretBox);
    const secret = (name: 'cursors' | 'storage' | 'senders') => loadServiceSecret(database, secretBox, name);
    return [await secret('cursors'), await secret('storage'), await secret('senders')];
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function artworkDir(config: Config): string {
  return path.join(config.dataDir, 'artwork');
}

function createTemporal(config: Config, connection: Connection, { taskQueue, webhooksTaskQueue, artworkTaskQueue }: Overrides): Temporal {
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
