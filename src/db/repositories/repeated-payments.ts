import type { AttentionCode } from '../../domain/attention';
import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import { ATTENTION_COLUMNS, type AttentionRow } from '../rows';
import { attentionInsert } from './attention';

/** A recorded bank line of the account. Payments with the same values may be duplicates. */
export interface BankTransaction {
  accountId: string;
  environment: Environment;
  paymentId: string;
  amountCents: number;
  receivedAt: Date;
}

/**
 * A recorded payment of a bank line. Attention needs an order; for a payment on account this is the order of the oldest invoice that it
 * paid.
 */
export interface RecordedPayment {
  /** Null if a payment on account paid no invoice. */
  order_id: string | null;
  /** Null for a payment on account. */
  order_number: string | null;
}

/**
 * The maximum of payments that are read for one line. If a floor system uses one id for all payments, equal amounts of a day count as one
 * line.
 */
export const MAX_RECORDED_PAYMENTS = 20;

/** Finds the first unreversed payments in this period with the line's id and amount. Requires the account's lock. */
export function findRecordedPayments(sql: Sql, line: BankTransaction, from: Date, before: Date): Promise<RecordedPayment[]> {
  return sql.rows(
    `
    SELECT order_id, order_number FROM (
      SELECT o.id AS order_id, o.order_number, y.created_at FROM payments y JOIN orders o ON o.id = y.order_id
       WHERE y.id = $3 AND y.amount_cents = $4 AND y.received_at >= $5 AND y.received_at < $6 AND y.reversed_at IS NULL
         AND y.account_payment_id IS NULL AND y.account_id = $1 AND y.environment = $2
      UNION ALL
      SELECT (SELECT i.order_id FROM payments y JOIN invoices i ON i.order_id = y.order_id WHERE y.account_payment_id = p.id ORDER BY i.issued_at, i.id LIMIT 1),
             NULL, p.created_at
        FROM account_payments p
       WHERE p.account_id = $1 AND p.environment = $2 AND p.payment_id = $3 AND p.amount_cents = $4 AND p.received_at >= $5 AND p.received_at < $6
         AND p.reversed_at IS NULL AND p.source = 'money') places
     ORDER BY created_at, order_number LIMIT ${MAX_RECORDED_PAYMENTS}`,
    [line.accountId, line.environment, line.paymentId, line.amountCents, from, before],
  );
}

export const PAYMENT_REPEATED = 'PAYMENT_REPEATED' satisfies AttentionCode;

/** Raises the attention on these orders. */
export async function raiseRepeatedPayment(
  sql: Sql,
  orderIds: readonly string[],
  subject: string,
  message: string,
  at: Date,
): Promise<void> {
  await sql.run(attentionInsert(`SELECT unnest($1::text[]), '${PAYMENT_REPEATED}', $2, $3, $4`), [orderIds, subject, message, at]);
}

/** Finds one open attention entry about a line, on any order of the account. */
export function findOpenRepeatedPayment(sql: Sql, { accountId, environment }: BankTransaction, subject: string): Promise<AttentionRow[]> {
  return sql.rows(
    `
    SELECT ${ATTENTION_COLUMNS.of('t')} FROM order_attention t JOIN orders o ON o.id = t.order_id
     WHERE o.account_id = $1 AND t.environment = $2 AND t.code = '${PAYMENT_REPEATED}' AND t.subject = $3 AND t.cleared_at IS NULL
     ORDER BY t.raised_at, t.id LIMIT 1`,
    [accountId, environment, subject],
  );
}

/** Clears attention about lines of the account, except on the orders `exceptOrderIds`, whose line is still repeated. */
export async function clearRepeatedPayments(
  sql: Sql,
  { accountId, environment, subjects }: Pick<BankTransaction, 'accountId' | 'environment'> & { subjects: readonly string[] },
  exceptOrderIds: readonly string[],
  by: { name: string; note: string | null; at: Date },
): Promise<void> {
  await sql.run(
    `
    UPDATE order_attention t SET cleared_at = $5, cleared_by = $6, note = $7 FROM orders o
     WHERE o.id = t.order_id AND o.account_id = $1 AND t.environment = $2 AND t.code = '${PAYMENT_REPEATED}' AND t.subject = ANY ($3)
       AND t.cleared_at IS NULL AND t.order_id <> ALL ($4)`,
    [accountId, environment, subjects, exceptOrderIds, by.at, by.name, by.note],
  );
}
