import type { Environment } from '../../domain/limits';
import { assertSufficientCredit, type LedgerEffect, type EntryType } from '../../domain/ledger';
import type { Sql, Transaction } from '../database';

/** The account and the time of a booking. `today` is the studio's date of `now`, read under the account's lock. */
export interface BookingContext {
  accountId: string;
  environment: Environment;
  now: Date;
  /** `YYYY-MM-DD`. */
  today: string;
}

export interface NewLedgerEntry extends LedgerEffect {
  type: EntryType;
  orderId?: string;
  invoiceId?: string;
  creditNoteId?: string;
  accountPaymentId?: string;
  /** The sender's id. */
  paymentId?: string;
  refundId?: string;
}

/** An account's balances in one environment, in cents. */
export interface Balance {
  outstanding_cents: number;
  credit_cents: number;
}

/** Zeros before the first entry. */
export async function findBalance(sql: Sql, accountId: string, environment: Environment): Promise<Balance> {
  const row = await sql.row<Balance>(
    `SELECT outstanding_cents, credit_cents FROM account_balances WHERE account_id = $1 AND environment = $2`,
    [accountId, environment],
  );
  return row ?? { outstanding_cents: 0, credit_cents: 0 };
}

/** The outstanding amount of all accounts, in cents. */
export function totalOutstandingCents(sql: Sql, environment: Environment): Promise<number> {
  return sql.value('SELECT COALESCE(SUM(outstanding_cents), 0)::bigint AS cents FROM account_balances WHERE environment = $1', [
    environment,
  ]);
}

/**
 * Books entries and updates the balances. The caller holds the account's lock (`lockAccount`) until the commit. The booking date is today
 * or the date of the last entry, whichever is later. A changed clock or time zone therefore does not change a past period.
 * @param mayOverdraw for reversed payments, because the bank reverses them even if their credit is used
 * @throws ApiError CREDIT_INSUFFICIENT if all entries together would make the credit negative. Nothing is booked then.
 */
export async function bookEntries(
  sql: Transaction,
  { accountId, environment, now, today }: BookingContext,
  entries: readonly NewLedgerEntry[],
  { mayOverdraw = false } = {},
): Promise<void> {
  const sum = (of: (entry: NewLedgerEntry) => number): number => entries.reduce((cents, entry) => cents + of(entry), 0);
  const creditCents = sum((entry) => entry.creditCents);
  if (creditCents < 0 && !mayOverdraw) assertSufficientCredit((await findBalance(sql, accountId, environment)).credit_cents, creditCents);
  await Promise.all([
    sql.run(
      `
      INSERT INTO account_balances AS b (account_id, environment, outstanding_cents, credit_cents, booked_on)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (account_id, environment) DO UPDATE SET outstanding_cents = b.outstanding_cents + $3, credit_cents = b.credit_cents + $4,
        booked_on = GREATEST(b.booked_on, $5)`,
      [accountId, environment, sum((entry) => entry.outstandingCents), creditCents, today],
    ),
    sql.run(
      `
      INSERT INTO ledger_entries (account_id, environment, booked_on, type, amount_cents, outstanding_cents, credit_cents, order_id, invoice_id,
        credit_note_id, account_payment_id, payment_id, refund_id, created_at)
      SELECT b.account_id, b.environment, b.booked_on, e.type, e."outstandingCents" - e."creditCents", e."outstandingCents", e."creditCents",
             e."orderId", e."invoiceId", e."creditNoteId", e."accountPaymentId", e."paymentId", e."refundId", $3
        FROM account_balances b, ROWS FROM (jsonb_to_recordset($4::jsonb) AS (
          type text, "outstandingCents" bigint, "creditCents" bigint, "orderId" text, "invoiceId" text, "creditNoteId" text,
          "accountPaymentId" text, "paymentId" text, "refundId" text)) WITH ORDINALITY e
       WHERE b.account_id = $1 AND b.environment = $2 ORDER BY e.ordinality`,
      [accountId, environment, now, JSON.stringify(entries)],
    ),
  ]);
}
