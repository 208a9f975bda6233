import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: studio tokens may expire.
 * Why: a token lent to a temporary hand or a machine on trial should end by itself.
 */
export class LimitStudioTokens1764220000000 implements MigrationInterface {
  name = 'LimitStudioTokens1764220000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE studio_tokens ADD COLUMN expires_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE studio_tokens DROP COLUMN expires_at');
  }
}
