import type { Environment } from '../../domain/limits';
import type { Sql, Transaction } from '../database';
import { recordArtwork, type ReferencedArtwork } from './order-artwork';
import { bookEntries, type Balance } from './ledger';
import { CURRENT_SELLER_VERSION } from './sellers';
import { storeIdempotencyRecord, type NewIdempotencyRecord } from './idempotency';
import { effectiveBookVersion } from './price-book-reader';
import { QUOTE } from './quotes';
import { insertEvent, type NewEvent } from './webhook-deliveries';
import { INVOICE_NUMBER_PREFIX, ORDER_NUMBER_PREFIX } from '../../domain/order-number';
import { FIGURE_COLUMNS, type InvoiceRow, type OrderWithRelations, type QuoteRow } from '../rows';

/**
 * A quote with the account's balances in its environment. `book_version` is the effective price book, which has the time zone of the
 * studio's date; null if there is none.
 */
export interface LockedQuote extends QuoteRow, Balance {
  book_version: number | null;
  /** Version of the newest published book, effective or not. */
  newest_version: number | null;
}

/** Requires the account's lock, so it sees all bookings. Null if the account has no such quote. */
export function lockQuote(sql: Sql, quoteId: string, accountId: string, now: Date): Promise<LockedQuote | null> {
  return sql.row(
    `
    SELECT ${QUOTE}, COALESCE(b.outstanding_cents, 0) AS outstanding_cents, COALESCE(b.credit_cents, 0) AS credit_cents,
           ${effectiveBookVersion('$3')} AS book_version, (SELECT max(version) FROM price_books) AS newest_version
      FROM quotes LEFT JOIN account_balances b USING (account_id, environment) WHERE id = $1 AND account_id = $2 FOR UPDATE OF quotes`,
    [quoteId, accountId, now],
  );
}

/**
 * Takes the next numbers, such as `P-10001` and `INV-10001`. Test orders have separate numbers (`T-10001`, `TINV-10001`), so they leave no
 * gaps in the live ones.
 */
export function drawNumbers(sql: Sql, environment: Environment): Promise<{ orderNumber: string; invoiceNumber: string }> {
  const [order, invoice] = [ORDER_NUMBER_PREFIX[environment], INVOICE_NUMBER_PREFIX[environment]];
  return sql.one(`
    SELECT '${order}-' || nextval('order_numbers_${environment}') AS "orderNumber", '${invoice}-' || nextval('invoice_numbers_${environment}') AS "invoiceNumber"`);
}

/** Locks the uploads, so that no file arrives until the order is stored. @returns the URLs of those without a file */
export async function lockMissingArtwork(sql: Sql, accountId: string, urls: readonly string[]): Promise<string[]> {
  const uploads = await sql.rows<{ url: string; received_at: Date | null }>(
    'SELECT url, received_at FROM uploads WHERE account_id = $1 AND url = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
    [accountId, urls],
  );
  return uploads.filter(({ received_at: receivedAt }) => receivedAt === null).map(({ url }) => url);
}

export const figuresOfQuote = (quote: QuoteRow) => FIGURE_COLUMNS.pick(quote);

export interface PlacedOrder {
  order: OrderWithRelations;
  invoice: Pick<InvoiceRow, 'id' | 'invoice_number' | 'due_at' | 'buyer'>;
  record: Omit<NewIdempotencyRecord, 'orderId' | 'status' | 'now'>;
  /** The studio's date, `YYYY-MM-DD`, of the invoice's ledger entry. */
  today: string;
  artwork: Pick<ReferencedArtwork, 'urls' | 'firstCheckAt'>;
  event: NewEvent;
}

/**
 * Consumes the quote and stores the order, invoice, ledger entry, idempotency record, artwork, first event and its deliveries. The caller has
 * locked the account, the quote and the uploads.
 * @returns how many deliveries wait for their first attempt, and when the first check for missing artwork is due
 */
export async function insertPlacedOrder(sql: Transaction, placed: PlacedOrder): Promise<{ waiting: number; artworkDue: Date | null }> {
  const { order, invoice, record, today, artwork, event } = placed;
  const { id: orderId, account_id: accountId, environment, created_at: now } = order;
  const [, , , , artworkDue, waiting] = await Promise.all([
    consumeQuote(sql, order),
    insertOrder(sql, order),
    insertInvoice(sql, order, invoice),
    storeIdempotencyRecord(sql, { ...record, orderId, status: 201, now }),
    recordArtwork(sql, { orderId, accountId, ...artwork }, now),
    insertEvent(sql, event),
    bookEntries(sql, { accountId, environment, now, today }, [
      { type: 'invoice', orderId, invoiceId: invoice.id, outstandingCents: order.total_cents, creditCents: 0 },
    ]),
  ]);
  return { waiting, artworkDue };
}

const consumeQuote = (sql: Sql, order: OrderWithRelations): Promise<void> =>
  sql.run('UPDATE quotes SET consumed_at = $2 WHERE id = $1', [order.quote_id, order.created_at]);

/** Copies the figures of the quote to the order. For five seconds only the caller may start the order's workflow. */
const insertOrder = (sql: Sql, order: OrderWithRelations): Promise<void> =>
  sql.run(
    `
    INSERT INTO orders (quote_id, account_id, environment, ${FIGURE_COLUMNS.list}, white_label, due_date,
      id, order_number, status, base_status, special_instructions, metadata, reference, created_at, updated_at, workflow_claimed_until)
    SELECT id, account_id, environment, ${FIGURE_COLUMNS.list}, white_label,
      COALESCE(due_date, to_char($5::timestamptz + interval '14 days', 'YYYY-MM-DD')),
      $2, $3, 'received', 'received', $4, $6::jsonb, $7, $5, $5, clock_timestamp() + interval '5 seconds' FROM quotes WHERE id = $1`,
    [
      order.quote_id,
      order.id,
      order.order_number,
      order.special_instructions,
      order.created_at,
      JSON.stringify(order.metadata),
      order.reference,
    ],
  );

const insertInvoice = (sql: Sql, order: OrderWithRelations, invoice: PlacedOrder['invoice']): Promise<void> =>
  sql.run(
    `
    INSERT INTO invoices (id, invoice_number, due_at, order_id, account_id, environment, amount_cents, gst_cents, issued_at, buyer, seller_version)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${CURRENT_SELLER_VERSION})`,
    [
      invoice.id,
      invoice.invoice_number,
      invoice.due_at,
      order.id,
      order.account_id,
      order.environment,
      order.total_cents,
      order.gst_cents,
      order.created_at,
      invoice.buyer,
    ],
  );
