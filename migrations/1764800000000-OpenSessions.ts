import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: a table of browsers that are signed in to the studio API, each bound to the token it signed in with.
 * Why: a page should not keep the token itself; it holds a cookie that ends by itself and of which only a hash is stored (ruling 66).
 */
export class OpenSessions1764800000000 implements MigrationInterface {
  name = 'OpenSessions1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE studio_sessions (
         id_hash bytea NOT NULL CONSTRAINT studio_sessions_pkey PRIMARY KEY,
         token_id text NOT NULL CONSTRAINT studio_sessions_token REFERENCES studio_tokens (id),
         created_at timestamptz(3) NOT NULL,
         seen_at timestamptz(3) NOT NULL,
         expires_at timestamptz(3) NOT NULL
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE studio_sessions');
  }
}
