import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: indexes by which the studio's lists are sorted: invoices by when they are due and by what is outstanding, deliveries by their next
 * attempt, accounts by age.
 * Why: whoever sorts a list reads one page of it, however long it is. Those of invoices begin with the state, as `invoices_by_state` does,
 * so that each state that is asked for is a stretch of them. No row changes.
 */
export class SortLists1764820000000 implements MigrationInterface {
  name = 'SortLists1764820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX invoices_by_due ON invoices (environment, state, due_at, id)');
    await runner.query(
      'CREATE INDEX invoices_by_outstanding ON invoices (environment, state, (amount_cents - paid_cents - credited_cents), id)',
    );
    await runner.query('CREATE INDEX accounts_newest ON accounts (created_at, id)');
    await runner.query(`CREATE INDEX webhook_deliveries_next ON webhook_deliveries (next_attempt_at, id) WHERE state = 'pending'`);
    await runner.query('DROP INDEX webhook_deliveries_due'); // the same without the id
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE state = 'pending'`);
    await runner.query('DROP INDEX invoices_by_due, invoices_by_outstanding, accounts_newest, webhook_deliveries_next');
  }
}
