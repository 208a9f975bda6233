import { MAX_PAID_INVOICES, type PayableInvoice, type PaymentShare } from '../../domain/account-payment';
import { toInvoiceFigures } from '../../domain/ledger';
import type { Environment } from '../../domain/limits';
import type { OrderMessageType } from '../../domain/order-messages';
import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { findPage, type Page } from '../keyset';
import type { RowOf } from '../columns';
import { ACCOUNT_PAYMENT_COLUMNS, INVOICE_COLUMNS, type AccountPaymentRow } from '../rows';

const PAYABLE_COLUMNS = INVOICE_COLUMNS.without('gst_cents', 'issued_at', 'due_at');

/** A payment on account with the number of invoices that it paid. */
export interface ListedAccountPayment extends AccountPaymentRow {
  invoice_count: number;
}

/** The part of a payment that paid one invoice, in cents. */
export interface PaidShare {
  invoice: PayableInvoice;
  orderNumber: string;
  /** The payment's id on the order. */
  paymentId: string;
  amountCents: number;
}

/** A payment on an order that is added or reversed, with its entry for the order's timeline. */
export interface OrderPaymentEntry {
  orderId: string;
  invoiceId: string;
  /** Negative if the payment is reversed. */
  amountCents: number;
  type: OrderMessageType;
  key: string;
  content: string;
  digest: string;
}

/** The account's payment with the sender's id, or null. */
export function findAccountPayment(sql: Sql, accountId: string, paymentId: string): Promise<AccountPaymentRow | null> {
  return sql.row(`SELECT ${ACCOUNT_PAYMENT_COLUMNS.list} FROM account_payments WHERE account_id = $1 AND payment_id = $2`, [
    accountId,
    paymentId,
  ]);
}

/** Scope of an account's lists. A null environment means both. */
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

/** The payment's shares, sorted by the time their invoices were issued. */
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

/** SQL: the number of payments that were recorded on the invoice's order, including reversed ones. */
const PAYMENT_COUNT = `(SELECT count(*)::int FROM order_timeline t WHERE t.order_id = i.order_id AND t.outcome = 'applied' AND t.type = 'payment_recorded') AS payments`;

/** `condition` is SQL over `invoices i` with these parameters. */
async function queryPayableInvoices(sql: Sql, condition: string, parameters: unknown[]): Promise<PayableInvoice[]> {
  const text = `SELECT ${PAYABLE_COLUMNS.of('i')}, ${PAYMENT_COUNT} FROM invoices i WHERE ${condition}`;
  const rows = await sql.rows<PayableRow & { payments: number }>(text, parameters);
  return rows.map((row) => toPayableInvoice(row, row.payments));
}

export function findPayableInvoices(sql: Sql, ids: readonly string[], numbers: readonly string[]): Promise<PayableInvoice[]> {
  const condition = 'i.id IN (SELECT id FROM invoices WHERE id = ANY ($1) UNION SELECT id FROM invoices WHERE invoice_number = ANY ($2))';
  return queryPayableInvoices(sql, condition, [ids, numbers]);
}

/** Lists open invoices, oldest first, by the index `invoices_open`. Returns at most one more than a payment may pay. */
export function findOpenInvoices(sql: Sql, accountId: string, environment: Environment): Promise<PayableInvoice[]> {
  const condition = `i.account_id = $1 AND i.environment = $2 AND i.voided_at IS NULL AND i.paid_cents + i.credited_cents < i.amount_cents
    ORDER BY i.issued_at, i.id LIMIT $3`;
  return queryPayableInvoices(sql, condition, [accountId, environment, MAX_PAID_INVOICES + 1]);
}

/** Locks the orders until the transaction ends, sorted by id against deadlocks. */
export async function lockOrders(sql: Sql, orderIds: readonly string[]): Promise<void> {
  await sql.run('SELECT 1 FROM orders WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [orderIds]);
}

export async function insertAccountPayment(sql: Sql, payment: AccountPaymentRow): Promise<void> {
  await insertRow(sql, 'account_payments', ACCOUNT_PAYMENT_COLUMNS.names, payment);
}

export async function markAccountPaymentReversed(sql: Sql, { id, reversed_at, reversal_reason }: AccountPaymentRow): Promise<void> {
  await sql.run(
    `
    WITH reversed_shares AS (UPDATE payments SET reversed_at = $2, reversal_reason = $3 WHERE account_payment_id = $1)
    UPDATE account_payments SET reversed_at = $2, reversal_reason = $3 WHERE id = $1`,
    [id, reversed_at, reversal_reason],
  );
}

/**
 * Applies shares to their locked orders: updates the invoice's paid amount, adds a timeline entry and increases the order's version. A
 * running workflow detects by the version that its state is outdated.
 */
export async function applySharesToOrders(sql: Sql, shares: readonly OrderPaymentEntry[], by: { actor: string; now: Date }): Promise<void> {
  await sql.run(
    `
    WITH share AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb)
        AS s ("orderId" text, "invoiceId" text, "amountCents" bigint, type text, key text, content text, digest text)),
    updated_invoices AS (
      UPDATE invoices i SET paid_cents = i.paid_cents + s."amountCents" FROM share s WHERE i.id = s."invoiceId"),
    updated_orders AS (
      UPDATE orders o SET version = o.version + 1, updated_at = $3 FROM share s WHERE o.id = s."orderId")
    INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, occurred_at, created_at)
    SELECT s."orderId", s.key, s.key, s.type, 'applied', s.content, s.digest, $2, $3, $3 FROM share s`,
    [JSON.stringify(shares), by.actor, by.now],
  );
}

/** Inserts the payments on orders that a payment on account consists of. All have the id of the payment on account. */
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
