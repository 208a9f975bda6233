import type { Stage } from '../stage';

/** Entries and running sums of invoices that were stored without: each invoice, and what was paid or voided of it. */
export async function bookStored({ database }: Stage): Promise<void> {
  await database.run(`UPDATE invoices SET voided_cents = amount_cents - paid_cents WHERE voided_at IS NOT NULL AND voided_cents = 0`);
  await database.run(`
    INSERT INTO ledger_entries (account_id, environment, booked_on, type, amount_cents, outstanding_cents, credit_cents, order_id, invoice_id, created_at)
    SELECT i.account_id, i.environment, i.issued_at::date, e.type, e.cents, e.cents, 0, i.order_id, i.id, i.issued_at
      FROM invoices i
      CROSS JOIN LATERAL (VALUES ('invoice', i.amount_cents), ('void', -i.voided_cents), ('payment', -i.paid_cents)) e (type, cents)
     WHERE NOT EXISTS (SELECT 1 FROM ledger_entries l WHERE l.invoice_id = i.id) AND (e.type = 'invoice' OR e.cents <> 0)
     ORDER BY i.issued_at, i.id, e.cents DESC`);
  await database.run(`
    INSERT INTO account_balances (account_id, environment, outstanding_cents, credit_cents, booked_on)
    SELECT account_id, environment, SUM(outstanding_cents), 0, max(booked_on) FROM ledger_entries GROUP BY account_id, environment
    ON CONFLICT (account_id, environment) DO UPDATE SET outstanding_cents = EXCLUDED.outstanding_cents`);
}
