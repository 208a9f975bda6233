import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an invoice's state as a column that PostgreSQL works out itself, two indexes by it, and those of payments on account and refunds by age.
 * Why: the studio lists invoices by state, account and day, and neither may read all invoices of a large studio. Every list reads a
 * stretch of one index for each state it asks for; payments on account find what is unpaid, oldest first, in the same way. `due_at`
 * stands last, so that what is overdue is found without looking at rows. The states are those of ruling 55, first match.
 *
 * The column is computed for every row there is: some seconds for each million invoices, in which no order is placed.
 */
export class ListInvoices1764700000010 implements MigrationInterface {
  name = 'ListInvoices1764700000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invoices ADD COLUMN state text NOT NULL GENERATED ALWAYS AS (
        CASE WHEN voided_at IS NOT NULL THEN 'void'
             WHEN credited_cents >= amount_cents AND credited_cents > 0 THEN 'credited'
             WHEN paid_cents + credited_cents >= amount_cents THEN 'paid'
             WHEN paid_cents + credited_cents > 0 THEN 'part_paid'
             ELSE 'open' END) STORED`);
    await runner.query(`CREATE INDEX invoices_by_state ON invoices (environment, state, issued_at, id, due_at)`);
    await runner.query(`CREATE INDEX account_payments_newest ON account_payments (account_id, created_at, id)`);
    await runner.query(`CREATE INDEX refunds_newest ON refunds (account_id, created_at, id)`);
    await runner.query(`CREATE INDEX invoices_of_account ON invoices (account_id, environment, state, issued_at, id, due_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX invoices_by_state, invoices_of_account, account_payments_newest, refunds_newest');
    await runner.query('ALTER TABLE invoices DROP COLUMN state');
  }
}
