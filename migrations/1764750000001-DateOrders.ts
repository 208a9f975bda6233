import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: the date on which an order is due, kept with its quote and with itself; an index of the orders that are still to be shipped by that
 * date, and one of all orders by status that has their totals.
 * Why: what is late is known by the promised date, else the standard turnaround of the book that priced it (ruling 65), which only pricing
 * knows. Studio lists by status must not read a million orders, nor may counts and revenue by day read their rows.
 *
 * Orders that are settled already have no such date, and need none; open ones without a promise get a fortnight, which is ten business
 * days, and so does whatever a process of the release before places meanwhile.
 */
export class DateOrders1764750000001 implements MigrationInterface {
  name = 'DateOrders1764750000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_of_status');
    await runner.query('ALTER TABLE orders DROP COLUMN due_date');
    await runner.query('ALTER TABLE quotes DROP COLUMN due_date');
  }
}

const STATEMENTS = [
  'ALTER TABLE quotes ADD COLUMN due_date text',
  'ALTER TABLE orders ADD COLUMN due_date text',
  `ALTER TABLE orders ALTER COLUMN due_date SET DEFAULT to_char(now() + interval '14 days', 'YYYY-MM-DD')`,
  `UPDATE orders SET due_date = COALESCE(promised_ready_date, to_char(created_at + interval '14 days', 'YYYY-MM-DD')) WHERE settled_at IS NULL`,
  `CREATE INDEX orders_due ON orders (environment, due_date, id) WHERE status IN ('received', 'in_production', 'on_hold')`,
  `CREATE INDEX orders_of_status ON orders (environment, status, created_at DESC, id DESC) INCLUDE (total_cents, base_status)`,
];
