import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an account may have the sender's own id under which it was opened, and a digest of what was sent.
 * Why: whoever did not see the answer sends the same again and gets the account that there is, not a second one.
 *
 * Accounts that are there have none: nothing was sent with them.
 */
export class KnowAccountsBySender1764830000001 implements MigrationInterface {
  name = 'KnowAccountsBySender1764830000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE accounts ADD COLUMN sender_id text UNIQUE, ADD COLUMN digest text, ADD CHECK ((sender_id IS NULL) = (digest IS NULL))',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN sender_id, DROP COLUMN digest');
  }
}
