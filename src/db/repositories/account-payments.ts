import { MAX_PAID_INVOICES, type PayableInvoice, type PaymentShare } from '../../domain/account-payment';
import { toInvoiceFigures } from '../../domain/ledger';
import type { Environment } from '../../domain/limits';
import type { OrderMessageType } from '../../domain/order-message-types';
import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { findPage, type Page } from '../keyset';
import type { RowOf } from '../columns';
import { ACCOUNT_PAYMENT_COLUMNS, INVOICE_COLUMNS, type AccountPaymentRow } from '../rows';

const PAYABLE_COLUMNS = INVOICE_COLUMNS.without('gst_cents', 'issued_at', 'due_at');

/** A payment on account, and how many invoices it went to. */
export interface ListedAccountPayment extends AccountPaymentRow {
  invoice_count: number;
}

/** What of it went to one invoice, in cents. */
export interface PaidShare {
  invoice: PayableInvoice;
  orderNumber: string;
  /** The payment's id on the order. */
  paymentId: string;
  amountCents: number;
}

/** What becomes of a payment's share on its order, and what the order's timeline says of it. */
export interface OrderPaymentEntry {
  orderId: string;
  invoiceId: string;
  /** Negative where it is taken back. */
  amountCents: number;
  type: OrderMessageType;
  key: string;
  content: string;
  digest: string;
}

/** One that the account has recorded under the sender's id, or null. */
export function findAccountPayment(sql: Sql, accountId: string, paymentId: string): Promise<AccountPaymentRow | null> {
  return sql.row(`SELECT ${ACCOUNT_PAYMENT_COLUMNS.list} FROM account_payments WHERE account_id = $1 AND payment_id = $2`, [
    accountId,
    paymentId,
  ]);
}

/** Of an account's lists: null is both environments. */
export interface AccountListScope {
  accountId: string;
  environment: Environment | null;
}

export function listAccountPayments(sql: Sql, { accountId, environment }: AccountListScope, page: Page): Promise<ListedAccountPayment[]> {
  const text = `
    SELECT ${ACCOUNT_PAYMENT_COLUMNS.of('p')}, (SELECT count(*)::int FROM payments y WHERE y.account_payment_id = p.id) AS invoice_count
      FROM account_payments p WHERE p.account_id = $1 AND ($2::text IS NULL OR p.environment = $2)`;
  return findPage(sql, { text, parameters: [accountId, environment], sortBy: ['p.created_at', 'p.id'] }, page);
}

type PayableRow = RowOf<typeof PAYABLE_COLUMNS>;

const toPayableInvoice = (found: PayableRow, payments: number): PayableInvoice => ({
  id: found.id,
  invoiceNumber: found.invoice_number,
  orderId: found.order_id,
  accountId: found.account_id,
  environment: found.environment,
  figures: toInvoiceFigures(found),
  payments,
});

/** What it went to, by the order in which the invoices were issued. */
export async function findPaidShares(sql: Sql, accountPaymentId: string): Promise<PaidShare[]> {
  const rows = await sql.rows<PayableRow & { order_number: string; payment_id: string; share_cents: number }>(
    `
    SELECT ${PAYABLE_COLUMNS.of('i')}, o.order_number, y.id AS payment_id, y.amount_cents AS share_cents
      FROM payments y JOIN invoices i ON i.order_id = y.order_id JOIN orders o ON o.id = y.order_id
     WHERE y.account_payment_id = $1 ORDER BY i.issued_at, i.id`,
    [accountPaymentId],
  );
  return rows.map((row) => ({
    invoice: toPayableInvoice(row, 1),
    orderNumber: row.order_number,
    paymentId: row.payment_id,
    amountCents: row.share_cents,
  }));
}

/** Payments that were ever recorded on the invoice's order, those taken back too. */
const PAYMENT_COUNT = `(SELECT count(*)::int FROM order_timeline t WHERE t.order_id = i.order_id AND t.outcome = 'applied' AND t.type = 'payment_recorded') AS payments`;

/** `which`: SQL over `invoices i`, with parameters. */
async function queryPayableInvoices(sql: Sql, condition: string, parameters: unknown[]): Promise<PayableInvoice[]> {
  const text = `SELECT ${PAYABLE_COLUMNS.of('i')}, ${PAYMENT_COUNT} FROM invoices i WHERE ${condition}`;
  const rows = await sql.rows<PayableRow & { payments: number }>(text, parameters);
  return rows.map((row) => toPayableInvoice(row, row.payments));
}

export function findPayableInvoices(sql: Sql, ids: readonly string[], numbers: readonly string[]): Promise<PayableInvoice[]> {
  const condition = 'i.id IN (SELECT id FROM invoices WHERE id = ANY ($1) UNION SELECT id FROM invoices WHERE invoice_number = ANY ($2))';
  return queryPayableInvoices(sql, condition, [ids, numbers]);
}

/** Oldest first, one more than may be paid at once, by the index `invoices_open`. */
export function findOpenInvoices(sql: Sql, accountId: string, environment: Environment): Promise<PayableInvoice[]> {
  const condition = `i.account_id = $1 AND i.environment = $2 AND i.voided_at IS NULL AND i.paid_cents + i.credited_cents < i.amount_cents
    ORDER BY i.issued_at, i.id LIMIT $3`;
  return queryPayableInvoices(sql, condition, [accountId, environment, MAX_PAID_INVOICES + 1]);
}

/** Locks orders until the transaction ends, always in the order of their ids (ruling 54). */
export async function lockOrders(sql: Sql, orderIds: readonly string[]): Promise<void> {
  await sql.run('SELECT 1 FROM orders WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [orderIds]);
}

export async function insertAccountPayment(sql: Sql, payment: AccountPaymentRow): Promise<void> {
  await insertRow(sql, 'account_payments', ACCOUNT_PAYMENT_COLUMNS.names, payment);
}

export async function markAccountPaymentReversed(sql: Sql, accountPaymentId: string, now: Date): Promise<void> {
  await sql.run(
    `
    WITH shares AS (UPDATE payments SET reversed_at = $2 WHERE account_payment_id = $1)
    UPDATE account_payments SET reversed_at = $2 WHERE id = $1`,
    [accountPaymentId, now],
  );
}

/**
 * Writes what shares do to their orders, whose rows are locked: what is paid on the invoice, an entry in the timeline, and a higher
 * version, by which a running workflow learns that it knows too little (ruling 54).
 */
export async function applySharesToOrders(sql: Sql, shares: readonly OrderPaymentEntry[], by: { actor: string; now: Date }): Promise<void> {
  await sql.run(
    `
    WITH share AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb)
        AS s ("orderId" text, "invoiceId" text, "amountCents" bigint, type text, key text, content text, digest text)),
    billed AS (
      UPDATE invoices i SET paid_cents = i.paid_cents + s."amountCents" FROM share s WHERE i.id = s."invoiceId"),
    moved AS (
      UPDATE orders o SET version = o.version + 1, updated_at = $3 FROM share s WHERE o.id = s."orderId")
    INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, occurred_at, created_at)
    SELECT s."orderId", s.key, s.key, s.type, 'applied', s.content, s.digest, $2, $3, $3 FROM share s`,
    [JSON.stringify(shares), by.actor, by.now],
  );
}

/** The payments of the orders that a payment on account goes to, under one id. */
export async function insertShares(
  sql: Sql,
  { id, account_id, environment, received_at, reference, created_at }: AccountPaymentRow,
  paymentId: string,
  shares: readonly PaymentShare[],
): Promise<void> {
  await sql.run(
    `
    INSERT INTO payments (order_id, id, amount_cents, received_at, reference, account_payment_id, created_at, account_id, environment)
    SELECT s.order_id, $3, s.amount_cents, $4, $5, $6, $7, $8, $9 FROM unnest($1::text[], $2::bigint[]) AS s (order_id, amount_cents)`,
    [
      shares.map(({ invoice }) => invoice.orderId),
      shares.map(({ amountCents }) => amountCents),
      paymentId,
      received_at,
      reference,
      id,
      created_at,
      account_id,
      environment,
    ],
  );
}
