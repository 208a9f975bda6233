import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: quotes, orders and uploads say when their personal data was erased.
 * Why: an account's settled orders can be erased, and addresses of quotes that expired are kept for a while only; both are done in
 * pieces, and a repeat must find what is left. `address_erased_at` is of the address alone. An upload is `erasing_since` an order that
 * named it was erased, until it is found to be needed elsewhere, or its bytes are gone; with `erased_at` nobody can order with it.
 *
 * `quotes_of_account` finds an account's quotes without reading everybody's. Building it takes a second or two for each million
 * quotes, and quotes wait for so long.
 */
export class EraseOnRequest1764500000001 implements MigrationInterface {
  name = 'EraseOnRequest1764500000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('what was erased could no longer be told from what was not: restore a backup from before this migration');
  }
}

const STATEMENTS = [
  `ALTER TABLE orders ADD COLUMN erased_at timestamptz(3)`,
  `ALTER TABLE quotes ADD COLUMN erased_at timestamptz(3), ADD COLUMN address_erased_at timestamptz(3)`,
  `ALTER TABLE uploads ADD COLUMN erasing_since timestamptz(3), ADD COLUMN erased_at timestamptz(3)`,
  `CREATE INDEX quotes_of_account ON quotes (account_id, created_at)`,
  `CREATE INDEX quotes_with_address ON quotes (expires_at) WHERE consumed_at IS NULL AND address_erased_at IS NULL`,
  `CREATE INDEX uploads_erasing ON uploads (account_id) WHERE erasing_since IS NOT NULL`,
];
