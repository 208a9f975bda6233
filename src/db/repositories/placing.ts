import type { Environment } from '../../domain/limits';
import { lockNumber } from '../../security/fingerprint';
import type { Sql } from '../database';
import type { AccountRow, IdempotencyRow, OrderWithParcels, QuoteRow } from '../rows';
import { artworkInsert } from './order-artwork';
import { ACCOUNT } from './accounts';
import { NEWEST_SELLER } from './sellers';
import { RECORD, type KeyOfAccount } from './idempotency';
import { bookInForce } from './pricing-terms';
import { FIGURE_COLUMNS, QUOTE } from './quotes';
import { eventInsert, type NewEvent } from './webhook-deliveries';
import { INVOICE_NUMBER_PREFIX, ORDER_NUMBER_PREFIX } from '../../domain/order-number';

/**
 * SQL that tries to take the lock meaning "a request is placing an order under this key", which ends with the transaction, however that
 * ends. It has no parameters, so that it can travel with the BEGIN. Answers `taken`.
 */
export function keyLock({ accountId, idempotencyKey }: KeyOfAccount): string {
  return `SELECT pg_try_advisory_xact_lock(${lockNumber(`${accountId}\n${idempotencyKey}`)}) AS taken`;
}

/**
 * Takes the account's lock until the transaction ends: credit is judged one order at a time. NO KEY: rows that refer to the account
 * can be written meanwhile. With the record of the key, which nobody else can write while its lock is held.
 */
export async function lockAccountWithRecord(
  sql: Sql,
  { accountId, idempotencyKey }: KeyOfAccount,
): Promise<{ account: AccountRow; record: IdempotencyRow | null }> {
  const found = await sql.row<AccountRow & (IdempotencyRow | { order_id: null })>(
    `
    SELECT ${ACCOUNT}, ${RECORD} FROM accounts a
      LEFT JOIN idempotency_records r ON r.account_id = a.id AND r.idempotency_key = $2
     WHERE a.id = $1 FOR NO KEY UPDATE OF a`,
    [accountId, idempotencyKey],
  );
  if (found === null) throw new Error(`account ${accountId} is gone`);
  return { account: found, record: found.order_id === null ? null : found };
}

/**
 * With what its account owes in its environment, in cents, and the price book that is in force, whose studio's date it is; null for none.
 */
export interface LockedQuote extends QuoteRow {
  outstanding_cents: number;
  book_version: number | null;
}

/** Comes after the account's lock, so that it sees everything booked under it. Null where the account has no such quote. */
export function lockQuote(sql: Sql, quoteId: string, account: AccountRow, now: Date): Promise<LockedQuote | null> {
  return sql.row(
    `
    SELECT ${QUOTE}, COALESCE((SELECT b.outstanding_cents FROM account_balances b WHERE b.account_id = quotes.account_id AND b.environment = quotes.environment), 0)
             AS outstanding_cents, ${bookInForce('$3')} AS book_version
      FROM quotes WHERE id = $1 AND account_id = $2 FOR UPDATE`,
    [quoteId, account.id, now],
  );
}

/** The next numbers: `P-10001` and `INV-10001`, for test `T-10001` and `TINV-10001`, so that tests leave no gap in real ones (ruling 8). */
export async function drawNumbers(sql: Sql, environment: Environment): Promise<{ orderNumber: string; invoiceNumber: string }> {
  const [order, invoice] = [ORDER_NUMBER_PREFIX[environment], INVOICE_NUMBER_PREFIX[environment]];
  const drawn = await sql.row<{ orderNumber: string; invoiceNumber: string }>(`
    SELECT '${order}-' || nextval('order_numbers_${environment}') AS "orderNumber", '${invoice}-' || nextval('invoice_numbers_${environment}') AS "invoiceNumber"`);
  if (drawn === null) throw new Error('no numbers were drawn');
  return drawn;
}

export interface PlacedOrder {
  order: OrderWithParcels;
  /** The exact text of the 201, for every replay. */
  body: string;
  invoiceId: string;
  invoiceNumber: string;
  dueAt: Date;
  /** The studio's date, `YYYY-MM-DD`, on which the invoice is booked. */
  today: string;
  recordId: string;
  key: KeyOfAccount;
  fingerprint: string;
  recordExpiresAt: Date;
  /** That the lines name, each once. */
  artworkUrls: string[];
  /** When artwork that is not known to be there is first looked for; null: an hour after its URL's end. */
  firstLook: Date | null;
}

/** The entry of an invoice and the running sum, as `book` writes them, in the one statement of placing. */
const INVOICE_BOOKED = `
    moved AS (
      INSERT INTO account_balances AS b (account_id, environment, outstanding_cents, credit_cents, booked_on)
      SELECT q.account_id, q.environment, q.total_cents, 0, $17::date FROM quotes q WHERE q.id = $5
      ON CONFLICT (account_id, environment) DO UPDATE SET outstanding_cents = b.outstanding_cents + EXCLUDED.outstanding_cents,
        booked_on = GREATEST(b.booked_on, EXCLUDED.booked_on)
      RETURNING b.account_id, b.environment, b.booked_on),
    booked AS (
      INSERT INTO ledger_entries (account_id, environment, booked_on, type, amount_cents, outstanding_cents, credit_cents, order_id, invoice_id, created_at)
      SELECT moved.account_id, moved.environment, moved.booked_on, 'invoice', q.total_cents, q.total_cents, 0, $1, $6, $4
        FROM moved, quotes q WHERE q.id = $5)`;

/**
 * Spends the quote and stores order, invoice with its entry in the ledger, idempotency record, and the first event with its deliveries. A
 * record past its lifetime gives way. The workflow's start has five seconds before anybody else looks for it.
 * @returns how many deliveries wait for their first attempt, and when artwork that was not there is first looked for
 */
export async function insertPlacedOrder(
  sql: Sql,
  placed: PlacedOrder,
  event: NewEvent,
): Promise<{ waiting: number; artworkDue: Date | null }> {
  const { order, key } = placed;
  const told = eventInsert(event, 18);
  const artwork = artworkInsert({ orderId: '$1', accountId: '$10', urls: '$15', now: '$4', lookAt: '$16::timestamptz' });
  const found = await sql.row<{ waiting: number; artworkDue: Date | null }>(
    `
    WITH ${told.ctes},
    spent AS (UPDATE quotes SET consumed_at = $4 WHERE id = $5),
    placed AS (
      INSERT INTO orders (id, order_number, account_id, environment, quote_id, status, base_status, special_instructions,
        ${FIGURE_COLUMNS.list}, white_label, due_date, created_at, updated_at, workflow_claimed_until)
      SELECT $1, $2, q.account_id, q.environment, q.id, 'received', 'received', $3,
        ${FIGURE_COLUMNS.of('q')}, q.white_label, COALESCE(q.due_date, to_char($4 + interval '14 days', 'YYYY-MM-DD')), $4, $4, clock_timestamp() + interval '5 seconds'
        FROM quotes q WHERE q.id = $5),
    billed AS (
      INSERT INTO invoices (id, invoice_number, order_id, account_id, environment, amount_cents, gst_cents, issued_at, due_at, seller_version)
      SELECT $6, $7, $1, q.account_id, q.environment, q.total_cents, q.gst_cents, $4, $8, ${NEWEST_SELLER} FROM quotes q WHERE q.id = $5),
    ${INVOICE_BOOKED},
    kept AS (INSERT INTO idempotency_records (id, account_id, idempotency_key, fingerprint, expires_at, order_id, response_status, response_body, created_at)
    VALUES ($9, $10, $11, $12, $13, $1, 201, $14, $4)
    ON CONFLICT (account_id, idempotency_key) DO UPDATE SET id = $9, fingerprint = $12, expires_at = $13, order_id = $1, response_status = 201,
      response_body = $14, created_at = $4),
    ${artwork}
    SELECT counted.waiting, (SELECT min(look_at) FROM fixed) AS "artworkDue" FROM (${told.waiting}) counted`,
    [
      order.id,
      order.order_number,
      order.special_instructions,
      order.created_at,
      order.quote_id,
      placed.invoiceId,
      placed.invoiceNumber,
      placed.dueAt,
      placed.recordId,
      key.accountId,
      key.idempotencyKey,
      placed.fingerprint,
      placed.recordExpiresAt,
      placed.body,
      placed.artworkUrls,
      placed.firstLook,
      placed.today,
      ...told.parameters,
    ],
  );
  return found ?? { waiting: 0, artworkDue: null };
}
