import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an order may come from no quote; `remakes` says which order it makes again, with the job and address that a quote has for others.
 * Why: what the studio makes again at its own charge has a number, a workflow, parcels and artwork like any order, and no price (ruling
 * 57). A caller's own id is known by a digest of what was sent with it, which stays when the texts are one day erased.
 *
 * The check reads every order once, a second or so for each million, and orders wait for so long.
 */
export class RemakeOrders1764740000000 implements MigrationInterface {
  name = 'RemakeOrders1764740000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('remakes have no quote: restore a backup from before this migration');
  }
}

const STATEMENTS = [
  `ALTER TABLE orders ALTER COLUMN quote_id DROP NOT NULL,
     ADD CONSTRAINT orders_without_quote_are_free CHECK (quote_id IS NOT NULL OR total_cents = 0)`,
  `CREATE TABLE remakes (
     order_id text PRIMARY KEY REFERENCES orders,
     original_id text NOT NULL REFERENCES orders,
     series integer NOT NULL CHECK (series > 0),
     remake_id text NOT NULL,
     digest text NOT NULL,
     reason text NOT NULL,
     lines jsonb NOT NULL,
     jobs jsonb NOT NULL,
     shipping_address jsonb NOT NULL,
     CONSTRAINT remakes_in_series UNIQUE (original_id, series),
     CONSTRAINT remakes_known UNIQUE (original_id, remake_id)
   )`,
];
