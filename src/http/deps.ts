import type { Clock } from '../platform/clock';
import type { Config } from '../config/config';
import type { Database } from '../db/database';
import type { CatalogueReader } from '../db/repositories/catalogue';
import type { PriceBookReader } from '../db/repositories/price-book-reader';
import type { StudioCalendar } from '../db/repositories/studio-calendar';
import type { PdfRenderer } from '../documents/pdf-renderer';
import type { EventStreams } from '../live/streams';
import type { Logger } from '../platform/logger';
import type { Mailer } from '../mail';
import type { DeliveryNotifier } from '../orders/delivery-notifier';
import type { WorkflowStarter } from '../orders/workflow-starter';
import type { KeyedQueue } from '../runtime/keyed-queue';
import type { SecretBox } from '../security/secret-box';
import type { ArtworkStorage } from '../storage';
import type { ServiceMetrics } from '../telemetry/metrics';
import type { Temporal } from '../temporal';
import type { Cursors } from './cursor';
import type { AuthenticationCache } from './authentication-cache';
import type { FailureAudit } from './failure-audit';
import type { parseRanges } from './source-address';

/** What a listener needs around its handlers: admission, health, logs and errors. */
export interface ServerDeps {
  config: Config;
  metrics: ServiceMetrics;
  /** Aborted when the process is told to stop, before its listeners close. */
  stopSignal: AbortSignal;
  logger: Logger;
  clock: Clock;
  database: Database;
  temporal: Temporal;
  storage: ArtworkStorage;
  trustedProxies: ReturnType<typeof parseRanges>;
  /** For admissions. The key is the credential. */
  admissionQueue: KeyedQueue;
  failureAudit: FailureAudit;
}

/** What the handlers of both APIs use. */
export interface HandlerDeps extends Pick<ServerDeps, 'config' | 'metrics' | 'logger' | 'clock' | 'database' | 'temporal' | 'storage'> {
  /** Renders documents as PDF. */
  pdfRenderer: PdfRenderer;
  cursors: Cursors;
  catalogue: CatalogueReader;
  priceBooks: PriceBookReader;
  calendar: StudioCalendar;
  /** For transactions that lock an account's row. The key is the account. */
  accountWriteQueue: KeyedQueue;
  /** For handlers that wait for a webhook receiver or, in the trade API, for the PDF renderer. The key is account and environment. */
  slowRequestQueue: KeyedQueue;
  workflowStarter: WorkflowStarter;
  deliveryNotifier: DeliveryNotifier;
  failureAudit: FailureAudit;
}

export interface TradeDeps extends HandlerDeps {
  /** Idempotency keys under which this process is placing an order. */
  inFlightKeys: Set<string>;
}

export interface StudioDeps extends HandlerDeps {
  mailer: Mailer;
  eventStreams: EventStreams;
  /** Encrypts and decrypts the secrets that the database keeps. */
  secretBox: SecretBox;
  webhookRetryScheduleMs: readonly number[];
}

/** What the admission of the trade API needs. */
export interface TradeAdmissionDeps extends ServerDeps {
  authenticationCache: AuthenticationCache;
}

export interface TradeServerDeps extends TradeDeps, TradeAdmissionDeps {
  /** For handlers of the trade API that read. The key is the account. */
  tradeReadQueue: KeyedQueue;
  /** For handlers of the trade API that write. The key is the account. */
  tradeWriteQueue: KeyedQueue;
  /** For handlers of the trade API that wait for an order's workflow, so that other writes do not wait for Temporal. The key is the account. */
  tradeMessageQueue: KeyedQueue;
}

export interface StudioServerDeps extends StudioDeps, ServerDeps {}
