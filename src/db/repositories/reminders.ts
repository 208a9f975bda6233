import type { Sql } from '../database';
import { BILLING_EMAIL } from './accounts';

/** An unpaid invoice of an account. */
export interface UnpaidInvoice {
  id: string;
  order_id: string;
  invoice_number: string;
  order_number: string;
  currency: string;
  due_at: Date;
  due_cents: number;
  reminded_step: number;
}

export interface UnpaidInvoices {
  invoices: UnpaidInvoice[];
  credit_cents: number;
}

/** The account's unpaid live invoices that are due before a time, the earliest due first, and its credit. Uses `invoices_open`. */
export async function findUnpaidInvoices(sql: Sql, accountId: string, dueBefore: Date | 'infinity'): Promise<UnpaidInvoices> {
  const [invoices, credit] = await Promise.all([
    sql.rows<UnpaidInvoice>(
      `
      SELECT i.id, i.order_id, i.invoice_number, o.order_number, o.currency, i.due_at, i.amount_cents - i.paid_cents - i.credited_cents AS due_cents, i.reminded_step
        FROM invoices i JOIN orders o ON o.id = i.order_id
       WHERE i.account_id = $1 AND i.environment = 'live' AND i.voided_at IS NULL AND i.paid_cents + i.credited_cents < i.amount_cents AND i.due_at < $2
       ORDER BY i.due_at, i.id`,
      [accountId, dueBefore],
    ),
    sql.value<number>(
      `SELECT COALESCE((SELECT credit_cents FROM account_balances WHERE account_id = $1 AND environment = 'live'), 0)::bigint`,
      [accountId],
    ),
  ]);
  return { invoices, credit_cents: credit };
}

/** Accounts after an id that get reminders and have an overdue invoice. */
export function findAccountsToRemind(sql: Sql, dueBefore: Date, after: string, limit: number): Promise<string[]> {
  return sql.column(
    `
    SELECT a.id FROM accounts a WHERE a.reminders AND a.id > $2 AND EXISTS (
      SELECT 1 FROM invoices i WHERE i.account_id = a.id AND i.environment = 'live' AND i.voided_at IS NULL
         AND i.paid_cents + i.credited_cents < i.amount_cents AND i.due_at < $1) ORDER BY a.id LIMIT $3`,
    [dueBefore, after, limit],
  );
}

/** True if a reminder was made or sent on this day, or waits for the mail server. */
export const hasReminderToday = (sql: Sql, accountId: string, dayStart: Date): Promise<boolean> =>
  sql.exists(
    `SELECT 1 FROM sends WHERE account_id = $1 AND document = 'reminder'
       AND (state = 'pending' OR created_at >= $2 OR (state = 'sent' AND ended_at >= $2))`,
    [accountId, dayStart],
  );

/** Records the steps that invoices of a locked account have reached. */
export async function recordRemindedSteps(sql: Sql, steps: readonly { id: string; step: number }[]): Promise<void> {
  await sql.run(
    `UPDATE invoices i SET reminded_step = n.step FROM jsonb_to_recordset($1::jsonb) n (id text, step integer) WHERE i.id = n.id`,
    [JSON.stringify(steps)],
  );
}

/** The account's last reminder that was sent; null before the first. */
export function findLastReminder(sql: Sql, accountId: string): Promise<{ step: number; ended_at: Date } | null> {
  return sql.row(
    `SELECT step, ended_at FROM sends WHERE account_id = $1 AND document = 'reminder' AND state = 'sent' ORDER BY ended_at DESC LIMIT 1`,
    [accountId],
  );
}

/** The recipient of the account's mails. */
export const findBillingEmail = (sql: Sql, accountId: string): Promise<string> =>
  sql.value(`SELECT ${BILLING_EMAIL} FROM accounts a WHERE a.id = $1`, [accountId]);
