import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: indexes that find an account's orders by their status and by a reference on their lines.
 * Why: `GET /orders` filters by both (ruling 61), and neither may read all orders of a large account. `order_references` puts account
 * and environment before each reference, so that one which many accounts use, such as "1", finds nobody else's orders. It is said to be
 * costly, so that the planner does not walk through the newest orders instead. The index is kept up at once: a list of what is to be
 * indexed later would make some order, at some time, wait for all of it.
 *
 * Building both takes a few seconds for each million orders, and orders wait for so long.
 */
export class FindOrders1764520000000 implements MigrationInterface {
  name = 'FindOrders1764520000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX orders_by_status, orders_by_reference');
    await runner.query('DROP FUNCTION order_references');
  }
}

const STATEMENTS = [
  `CREATE INDEX orders_by_status ON orders (account_id, environment, status, created_at DESC, id DESC)`,
  `CREATE FUNCTION order_references(account_id text, environment text, lines jsonb) RETURNS text[]
     LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
       SELECT array_agg(DISTINCT account_id || ' ' || environment || ' ' || (line->>'externalReference'))
         FROM jsonb_array_elements(lines) line WHERE line->>'externalReference' IS NOT NULL
     $$`,
  `CREATE INDEX orders_by_reference ON orders USING gin (order_references(account_id, environment, lines)) WITH (fastupdate = off)`,
];
