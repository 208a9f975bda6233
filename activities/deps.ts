import type { PriceBookReader } from '../src/db/repositories/price-book-reader';
import type { StudioCalendar } from '../src/db/repositories/studio-calendar';
import type { PdfRenderer } from '../src/documents/pdf-renderer';
import type { Mailer } from '../src/mail';
import type { DeliveryNotifier } from '../src/orders/delivery-notifier';
import type { RelayDeps } from '../src/relay/relay';
import type { KeyedQueue } from '../src/runtime/keyed-queue';
import type { SecretBox } from '../src/security/secret-box';
import type { ArtworkStorage } from '../src/storage';

export interface ActivityDeps extends Omit<RelayDeps, 'config'> {
  mailer: Mailer;
  /** Renders the documents of mails. */
  pdfRenderer: PdfRenderer;
  storage: ArtworkStorage;
  deliveryNotifier: DeliveryNotifier;
  /** Serializes transactions that lock an account's row. */
  accountWriteQueue: KeyedQueue;
  priceBooks: PriceBookReader;
  calendar: StudioCalendar;
  /** Encrypts and decrypts secrets in the database. */
  secretBox: SecretBox;
  studioMail: string;
  /** Base URL of the trade API for clients. */
  publicBaseUrl: string;
  /** URL of the console for people at the studio, without a final slash. */
  studioUrl: string;
  uploadUnusedDays: number;
  /** Days until the address of an expired quote is erased; 0 keeps it. */
  quoteRetentionDays: number;
  /** Days until a webhook attempt is deleted; 0 keeps it. */
  webhookAttemptRetentionDays: number;
}
