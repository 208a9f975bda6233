import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an order says when its confirmation was given up, and what the mail server said.
 * Why: a mail that is refused for good was tried every ten minutes for ever, and nobody learned of it.
 */
export class GiveUpMail1764500000000 implements MigrationInterface {
  name = 'GiveUpMail1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of MAIL) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN confirmation_failed_at, DROP COLUMN confirmation_failure');
  }
}

const MAIL = [`ALTER TABLE orders ADD COLUMN confirmation_failed_at timestamptz(3), ADD COLUMN confirmation_failure text`];
