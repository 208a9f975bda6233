import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import { runCombined, type WithClause } from '../combined-statement';
import { recordArtworkSql, FIRST_CHECK_AT, type ReferencedArtwork } from './order-artwork';
import { ACCOUNT } from './accounts';
import { bookEntries, type Balance } from './ledger';
import { CURRENT_SELLER_VERSION } from './sellers';
import { IDEMPOTENCY_RECORD, insertIdempotencyRecordSql, type AccountIdempotencyKey, type NewIdempotencyRecord } from './idempotency';
import { effectiveBookVersion } from './price-book-reader';
import { QUOTE } from './quotes';
import { insertEventSql, WAITING_COUNT, type NewEvent } from './webhook-deliveries';
import { INVOICE_NUMBER_PREFIX, ORDER_NUMBER_PREFIX } from '../../domain/order-number';
import { FIGURE_COLUMNS, type AccountRow, type IdempotencyRow, type InvoiceRow, type OrderWithRelations, type QuoteRow } from '../rows';

/**
 * Locks the account until the transaction ends, because orders must be checked against the credit limit one at a time. NO KEY leaves rows
 * that refer to the account writable. Also reads the idempotency record, which is stable while its key is locked.
 */
export async function lockAccountWithRecord(
  sql: Sql,
  { accountId, idempotencyKey }: AccountIdempotencyKey,
): Promise<{ account: AccountRow; record: IdempotencyRow | null }> {
  const row = await sql.row<AccountRow & (IdempotencyRow | { order_id: null })>(
    `
    SELECT ${ACCOUNT}, ${IDEMPOTENCY_RECORD} FROM accounts a
      LEFT JOIN idempotency_records r ON r.account_id = a.id AND r.idempotency_key = $2
     WHERE a.id = $1 FOR NO KEY UPDATE OF a`,
    [accountId, idempotencyKey],
  );
  if (row === null) throw new Error(`account ${accountId} is gone`);
  return { account: row, record: row.order_id === null ? null : row };
}

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
export function lockQuote(sql: Sql, quoteId: string, account: AccountRow, now: Date): Promise<LockedQuote | null> {
  return sql.row(
    `
    SELECT ${QUOTE}, COALESCE(b.outstanding_cents, 0) AS outstanding_cents, COALESCE(b.credit_cents, 0) AS credit_cents,
           ${effectiveBookVersion('$3')} AS book_version, (SELECT max(version) FROM price_books) AS newest_version
      FROM quotes LEFT JOIN account_balances b USING (account_id, environment) WHERE id = $1 AND account_id = $2 FOR UPDATE OF quotes`,
    [quoteId, account.id, now],
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
  invoice: Pick<InvoiceRow, 'id' | 'invoice_number' | 'due_at'>;
  record: Omit<NewIdempotencyRecord, 'orderId' | 'status' | 'now'>;
  /** The studio's date, `YYYY-MM-DD`, of the invoice's ledger entry. */
  today: string;
  artwork: Pick<ReferencedArtwork, 'urls' | 'firstCheckAt'>;
  event: NewEvent;
}

/**
 * Consumes the quote and stores the order, invoice, ledger entry, idempotency record, artwork, first event and its deliveries. Requires the
 * locks of account and quote.
 * @returns how many deliveries wait for their first attempt, and when the first check for missing artwork is due
 */
export async function insertPlacedOrder(sql: Sql, placed: PlacedOrder): Promise<{ waiting: number; artworkDue: Date | null }> {
  const { order, invoice, record, today, artwork, event } = placed;
  const { id: orderId, account_id: accountId, environment, created_at: now } = order;
  const stored = await runCombined<{ waiting: number; artworkDue: Date | null }>(
    sql,
    [
      insertOrderSql(order),
      insertInvoiceSql(order, invoice),
      insertIdempotencyRecordSql({ ...record, orderId, status: 201, now }),
      recordArtworkSql({ orderId, accountId, ...artwork }, now),
      insertEventSql(event),
    ],
    `SELECT ${WAITING_COUNT} AS waiting, ${FIRST_CHECK_AT} AS "artworkDue"`,
  );
  await bookEntries(sql, { accountId, environment, now, today }, [
    { type: 'invoice', orderId, invoiceId: invoice.id, outstandingCents: order.total_cents, creditCents: 0 },
  ]);
  return stored ?? { waiting: 0, artworkDue: null };
}

/** Consumes the quote and copies its figures to the order. For five seconds only the caller may start the order's workflow. */
function insertOrderSql(order: OrderWithRelations): WithClause {
  return {
    ctes: `
    consumed_quote AS (
      UPDATE quotes SET consumed_at = $5 WHERE id = $1
      RETURNING id, account_id, environment, ${FIGURE_COLUMNS.list}, white_label, due_date),
    inserted_order AS (
      INSERT INTO orders (quote_id, account_id, environment, ${FIGURE_COLUMNS.list}, white_label, due_date,
        id, order_number, status, base_status, special_instructions, metadata, created_at, updated_at, workflow_claimed_until)
      SELECT id, account_id, environment, ${FIGURE_COLUMNS.list}, white_label,
        COALESCE(due_date, to_char($5::timestamptz + interval '14 days', 'YYYY-MM-DD')),
        $2, $3, 'received', 'received', $4, $6::jsonb, $5, $5, clock_timestamp() + interval '5 seconds' FROM consumed_quote)`,
    parameters: [
      order.quote_id,
      order.id,
      order.order_number,
      order.special_instructions,
      order.created_at,
      JSON.stringify(order.metadata),
    ],
  };
}

function insertInvoiceSql(order: OrderWithRelations, invoice: PlacedOrder['invoice']): WithClause {
  return {
    ctes: `
    inserted_invoice AS (
      INSERT INTO invoices (id, invoice_number, due_at, order_id, account_id, environment, amount_cents, gst_cents, issued_at, seller_version)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${CURRENT_SELLER_VERSION}))`,
    parameters: [
      invoice.id,
      invoice.invoice_number,
      invoice.due_at,
      order.id,
      order.account_id,
      order.environment,
      order.total_cents,
      order.gst_cents,
      order.created_at,
    ],
  };
}
