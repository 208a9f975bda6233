import type { Clock } from '../clock';
import type { Config } from '../config';
import type { Database } from '../db/database';
import type { CatalogueReader } from '../db/repositories/catalogue';
import type { PricingTermsReader } from '../db/repositories/pricing-terms';
import type { PdfRenderer } from '../documents/pdf-renderer';
import type { EventStreams } from '../live/streams';
import type { Logger } from '../logger';
import type { Mailer } from '../mail';
import type { DeliveryNotifier } from '../orders/delivery-notifier';
import type { WorkflowStarter } from '../orders/workflow-starter';
import type { KeyedQueue } from '../runtime/keyed-queue';
import type { SecretBox } from '../security/secret-box';
import type { ArtworkStorage } from '../storage';
import type { Temporal } from '../temporal';
import type { Cursors } from './cursor';
import type { AuthenticationCache } from './authentication-cache';
import type { FailureAudit } from './failure-audit';
import type { parseRanges } from './source-address';

export interface HttpDeps {
  config: Config;
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
  /** Transactions that lock an account's row, by account. */
  accountWriteQueue: KeyedQueue;
  /** Admissions, by credential. */
  admissionQueue: KeyedQueue;
  /** Handlers of the trade API that read, by account. */
  tradeReadQueue: KeyedQueue;
  /** Handlers of the trade API that write, by account. */
  tradeWriteQueue: KeyedQueue;
  /** Handlers that wait for a receiver, and those of the trade API that wait for the PDF renderer, by account and environment. */
  slowQueue: KeyedQueue;
  authenticationCache: AuthenticationCache;
  /** Idempotency keys under which this process is placing an order. */
  inFlightKeys: Set<string>;
  workflowStarter: WorkflowStarter;
  deliveryNotifier: DeliveryNotifier;
  eventStreams: EventStreams;
  failureAudit: FailureAudit;
  /** Encrypts and decrypts the secrets that the database keeps. */
  secretBox: SecretBox;
  /** The secret that seals the sender of a message to a workflow. */
  senderSecret: string;
  webhookRetryScheduleMs: readonly number[];
}
