import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import type { Balance } from './ledger';
import { INVOICE_COLUMNS, type InvoiceRow } from '../rows';

/** An account whose stored balances differ from the sums of its ledger entries, in cents. */
export interface DifferingBalance extends Balance {
  account_id: string;
  environment: Environment;
  entered_outstanding_cents: number;
  entered_credit_cents: number;
}

const DIFFERING = `
  SELECT e.account_id, e.environment, COALESCE(b.outstanding_cents, 0) AS outstanding_cents, COALESCE(b.credit_cents, 0) AS credit_cents,
         e.outstanding_cents AS entered_outstanding_cents, e.credit_cents AS entered_credit_cents
    FROM (SELECT account_id, environment, SUM(outstanding_cents)::bigint AS outstanding_cents, SUM(credit_cents)::bigint AS credit_cents
            FROM ledger_entries WHERE $1::text IS NULL OR account_id = $1 GROUP BY account_id, environment) e
    LEFT JOIN account_balances b USING (account_id, environment)
   WHERE (b.outstanding_cents, b.credit_cents) IS DISTINCT FROM (e.outstanding_cents, e.credit_cents)`;

/** Finds balances that differ from the sums of their ledger entries, for one account or for all (null). */
export function findDifferingBalances(sql: Sql, accountId: string | null): Promise<DifferingBalance[]> {
  return sql.rows(DIFFERING, [accountId]);
}

/** Sets the balances to the sums of the entries. Requires the account's lock. */
export async function recalculateBalances(sql: Sql, accountId: string): Promise<void> {
  await sql.run(
    `
    INSERT INTO account_balances (account_id, environment, outstanding_cents, credit_cents, booked_on)
    SELECT account_id, environment, SUM(outstanding_cents), SUM(credit_cents), max(booked_on) FROM ledger_entries WHERE account_id = $1 GROUP BY account_id, environment
    ON CONFLICT (account_id, environment) DO UPDATE SET outstanding_cents = EXCLUDED.outstanding_cents, credit_cents = EXCLUDED.credit_cents,
      booked_on = GREATEST(account_balances.booked_on, EXCLUDED.booked_on)`,
    [accountId],
  );
}

/** An invoice with the sums of its ledger entries, in cents. */
export interface InvoiceWithEntries extends InvoiceRow {
  entered_outstanding_cents: number;
  entered_credit_cents: number;
  /** The part paid from credit, which reduced the account's credit at once. */
  from_credit_cents: number;
  has_invoice_entry: boolean;
  has_void_entry: boolean;
}

/** Finds invoices whose ledger entries do not add up to their effect on the account: one invoice or all (null). */
export function findDifferingInvoices(sql: Sql, invoiceId: string | null): Promise<InvoiceWithEntries[]> {
  return sql.rows(
    `
    SELECT * FROM (
      SELECT ${INVOICE_COLUMNS.of('i')}, COALESCE(e.outstanding, 0) AS entered_outstanding_cents, COALESCE(e.credit, 0) AS entered_credit_cents,
             COALESCE(p.cents, 0) AS from_credit_cents, COALESCE(e.invoiced, false) AS has_invoice_entry, COALESCE(e.voided, false) AS has_void_entry
        FROM invoices i
        LEFT JOIN (SELECT invoice_id, SUM(outstanding_cents)::bigint AS outstanding, SUM(credit_cents)::bigint AS credit, bool_or(type = 'invoice') AS invoiced,
                          bool_or(type = 'void') AS voided
                     FROM ledger_entries WHERE $1::text IS NULL OR invoice_id = $1 GROUP BY invoice_id) e ON e.invoice_id = i.id
        LEFT JOIN (SELECT y.order_id, SUM(y.amount_cents)::bigint AS cents FROM payments y JOIN account_payments a ON a.id = y.account_payment_id
                    WHERE a.source = 'credit' AND y.reversed_at IS NULL GROUP BY y.order_id) p ON p.order_id = i.order_id
       WHERE $1::text IS NULL OR i.id = $1) found
     WHERE entered_outstanding_cents <> CASE WHEN voided_at IS NULL THEN GREATEST(0, amount_cents - paid_cents - credited_cents) ELSE 0 END
        OR entered_credit_cents <> GREATEST(0, paid_cents + credited_cents - (amount_cents - voided_cents)) - from_credit_cents
        OR NOT has_invoice_entry OR (voided_at IS NOT NULL AND NOT has_void_entry)`,
    [invoiceId],
  );
}
