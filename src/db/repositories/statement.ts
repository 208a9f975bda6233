import { MAX_STATEMENT_INVOICES, type EntryType } from '../../domain/ledger';
import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import { ACCOUNT, invoicedCurrency } from './accounts';
import { withDates } from './studio-orders';
import type { AccountRow } from '../rows';

/** A ledger entry with its sender's ids. */
export interface StatementEntry {
  id: number;
  /** The studio's date, `YYYY-MM-DD`. */
  booked_on: string;
  type: EntryType;
  amount_cents: number;
  outstanding_cents: number;
  credit_cents: number;
  order_id: string | null;
  order_number: string | null;
  invoice_number: string | null;
  credit_note_number: string | null;
  payment_id: string | null;
  refund_id: string | null;
  reference: string | null;
  /** When the money of a payment arrived; null for other entries. */
  received_at: Date | null;
  /** When the money of a refund was sent; null for other entries. */
  refunded_at: Date | null;
}

/** An invoice with an amount due after the period's last day. Amounts are in cents. */
export interface OpenInvoice {
  id: string;
  invoice_number: string;
  order_id: string;
  order_number: string;
  amount_cents: number;
  due_cents: number;
  issued_at: Date;
  due_at: Date;
}

/** An account's ledger of a period, read at one moment. Amounts are in cents. */
export interface StatementRow extends AccountRow {
  outstanding_cents: number;
  credit_cents: number;
  /** The currency of the account's invoices; null without any. */
  currency: string | null;
  /** The sums of entries booked after the last day. */
  later_outstanding_cents: number;
  later_credit_cents: number;
  /** The entries in booking order, at most `limit`. */
  entries: StatementEntry[];
  /** Invoices that are open after the last day, oldest first. */
  open_invoices: OpenInvoice[];
}

/** Days of the studio's calendar, both inclusive. */
export interface StatementPeriod {
  accountId: string;
  environment: Environment;
  from: string;
  to: string;
}

const ENTRY = `
  SELECT e.id, e.booked_on, e.type, e.amount_cents, e.outstanding_cents, e.credit_cents, e.order_id, o.order_number, i.invoice_number, n.credit_note_number,
         COALESCE(p.payment_id, e.payment_id) AS payment_id, r.refund_id,
         COALESCE(p.reference, y.reference, CASE e.type WHEN 'reversal' THEN COALESCE(r.reversal_reason, n.reversal_reason) ELSE COALESCE(r.reference, n.reason) END) AS reference,
         CASE WHEN e.type = 'payment' THEN COALESCE(p.received_at, y.received_at) END AS received_at,
         CASE WHEN e.type = 'refund' THEN r.refunded_at END AS refunded_at
    FROM period_entries e
    LEFT JOIN orders o ON o.id = e.order_id
    LEFT JOIN invoices i ON i.id = e.invoice_id
    LEFT JOIN credit_notes n ON n.id = e.credit_note_id
    LEFT JOIN account_payments p ON p.id = e.account_payment_id
    LEFT JOIN payments y ON y.order_id = e.order_id AND y.id = e.payment_id
    LEFT JOIN refunds r ON r.id = e.refund_id
   ORDER BY e.booked_on, e.id`;

/**
 * SQL: invoices that are open now (index `invoices_open`), or that only entries after the period have closed, with the amount due at the
 * period's end.
 */
const OPEN_INVOICE = `
  SELECT * FROM (
    SELECT i.id, i.invoice_number, i.order_id, o.order_number, i.amount_cents, i.issued_at, i.due_at,
           CASE WHEN i.voided_at IS NULL THEN GREATEST(0, i.amount_cents - i.paid_cents - i.credited_cents) ELSE 0 END
             - COALESCE(l.outstanding_cents, 0) AS due_cents
      FROM (SELECT id FROM invoices WHERE account_id = $1 AND environment = $2 AND voided_at IS NULL AND paid_cents + credited_cents < amount_cents
             UNION SELECT invoice_id FROM later_sums) found
      JOIN invoices i ON i.id = found.id JOIN orders o ON o.id = i.order_id LEFT JOIN later_sums l ON l.invoice_id = i.id) i
   WHERE i.due_cents > 0 ORDER BY i.issued_at, i.id LIMIT $6`;

/**
 * Reads the account's ledger of these days by the index `ledger_entries_booked`; null if there is no such account. One statement, so that
 * balances, entries and invoices agree.
 * @param limit maximum of entries; null means all
 */
export async function readStatement(
  sql: Sql,
  { accountId, environment, from, to }: StatementPeriod,
  limit: number | null,
): Promise<StatementRow | null> {
  const row = await sql.row<StatementRow>(
    `
    WITH period_entries AS (
      SELECT * FROM ledger_entries WHERE account_id = $1 AND environment = $2 AND booked_on BETWEEN $3 AND $4 ORDER BY booked_on, id LIMIT $5),
    later_sums AS (
      SELECT invoice_id, SUM(outstanding_cents)::bigint AS outstanding_cents, SUM(credit_cents)::bigint AS credit_cents
        FROM ledger_entries WHERE account_id = $1 AND environment = $2 AND booked_on > $4 GROUP BY invoice_id)
    SELECT ${ACCOUNT}, ${invoicedCurrency('$1')} AS currency, COALESCE(b.outstanding_cents, 0) AS outstanding_cents, COALESCE(b.credit_cents, 0) AS credit_cents,
      (SELECT COALESCE(SUM(outstanding_cents), 0)::bigint FROM later_sums) AS later_outstanding_cents,
      (SELECT COALESCE(SUM(credit_cents), 0)::bigint FROM later_sums) AS later_credit_cents,
      (SELECT COALESCE(jsonb_agg(to_jsonb(open) ORDER BY open.issued_at, open.id), '[]') FROM (${OPEN_INVOICE}) open) AS open_invoices,
      (SELECT COALESCE(jsonb_agg(to_jsonb(entry) ORDER BY entry.booked_on, entry.id), '[]') FROM (${ENTRY}) entry) AS entries
      FROM accounts a LEFT JOIN account_balances b ON b.account_id = a.id AND b.environment = $2
     WHERE a.id = $1`,
    [accountId, environment, from, to, limit, MAX_STATEMENT_INVOICES],
  );
  if (row === null) return null;
  return {
    ...row,
    entries: row.entries.map((entry) => withDates(entry, ['received_at', 'refunded_at'])),
    open_invoices: row.open_invoices.map((invoice) => withDates(invoice, ['issued_at', 'due_at'])),
  };
}
