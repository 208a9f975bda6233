import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: what the studio says of itself on its documents, each version a row, and on every invoice the version of its day.
 * Why: an invoice shows the name, the ABN and the bank account of the day it was issued, whatever they become (ruling 64). A number and not
 * the words, so that placing writes four bytes; without a foreign key, whose lock every order would take on the one newest row. Rows are
 * never changed. Invoices that are there were issued before the studio had said anything: NULL.
 */
export class FreezeSeller1764730000001 implements MigrationInterface {
  name = 'FreezeSeller1764730000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE sellers (
      version integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL,
      abn text NOT NULL,
      address text NOT NULL,
      bank text NOT NULL,
      created_at timestamptz(3) NOT NULL
    )`);
    await runner.query('ALTER TABLE invoices ADD COLUMN seller_version integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invoices DROP COLUMN seller_version');
    await runner.query('DROP TABLE sellers');
  }
}
