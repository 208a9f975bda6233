import type { Clock } from '../platform/clock';
import type { Config } from '../config/config';
import type { Database } from '../db/database';
import type { CatalogueReader } from '../db/repositories/catalogue';
import type { PricingTermsReader } from '../db/repositories/pricing-terms';
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

export interface HttpDeps {
  config: Config;
  metrics: ServiceMetrics;
  /** Aborted when the process is told to stop, before its listeners close. */
  stopSignal: AbortSignal;
  logger: Logger;
  clock: Clock;
  database: Database;
  temporal: Temporal;
  storage: ArtworkStorage;
  mailer: Mailer;
  /** Renders documents as PDF. */
  pdfRenderer: PdfRenderer;
  cursors: Cursors;
  catalogue: CatalogueReader;
  pricingTerms: PricingTermsReader;
  trustedProxies: ReturnType<typeof parseRanges>;
  /** For transactions that lock an account's row. The key is the account. */
  accountWriteQueue: KeyedQueue;
  /** For admissions. The key is the credential. */
  admissionQueue: KeyedQueue;
  /** For handlers of the trade API that read. The key is the account. */
  tradeReadQueue: KeyedQueue;
  /** For handlers of the trade API that write. The key is the account. */
  tradeWriteQueue: KeyedQueue;
  /** For handlers that wait for a webhook receiver or, in the trade API, for the PDF renderer. The key is account and environment. */
  slowRequestQueue: KeyedQueue;
  authenticationCache: AuthenticationCache;
  /** Idempotency keys under which this process is placing an order. */
  inFlightKeys: Set<string>;
  workflowStarter: WorkflowStarter;
  deliveryNotifier: DeliveryNotifier;
  eventStreams: EventStreams;
  failureAudit: FailureAudit;
  /** Encrypts and decrypts the secrets that the database keeps. */
  secretBox: SecretBox;
  /** The secret that signs the sender of a message to a workflow. */
  senderSecret: string;
  webhookRetryScheduleMs: readonly number[];
}
