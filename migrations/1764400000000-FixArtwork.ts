import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an upload knows when its URL ends, that its bytes arrived and what they are; an order keeps what it fixed of each artwork
 * it names; what is unused can be found without reading everything.
 * Why: an order must never silently become another picture (ruling 49), and placing may not ask the store, so what it needs stands in
 * the database. `order_artwork.look_at` is when the order's workflow next asks for bytes that were not known at placing, null when
 * nobody asks any more. `uploads.quoted_until` and `used_at` say that a quote or an order names it; `retired_at` takes an unused
 * upload from its account an hour before bytes and row go, so that no quote under way can name it meanwhile.
 * Orders of before have fixed nothing: the start of production completes them.
 */
export class FixArtwork1764400000000 implements MigrationInterface {
  name = 'FixArtwork1764400000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...UPLOADS, ...ORDER_ARTWORK, ...CARRIED_OVER, ...INDEXES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE order_artwork, sweep_marks');
    await runner.query(
      'ALTER TABLE uploads DROP COLUMN expires_at, DROP COLUMN received_at, DROP COLUMN checksum, DROP COLUMN used_at, DROP COLUMN quoted_until, DROP COLUMN retired_at',
    );
  }
}

const UPLOADS = [
  `ALTER TABLE uploads ADD COLUMN expires_at timestamptz(3), ADD COLUMN received_at timestamptz(3), ADD COLUMN checksum text,
     ADD COLUMN used_at timestamptz(3), ADD COLUMN quoted_until timestamptz(3), ADD COLUMN retired_at timestamptz(3)`,
  // As long as every upload URL was good for until now.
  `UPDATE uploads SET expires_at = created_at + interval '15 minutes'`,
  `ALTER TABLE uploads ALTER COLUMN expires_at SET NOT NULL`,
];

const ORDER_ARTWORK = [
  `CREATE TABLE order_artwork (
     order_id text NOT NULL REFERENCES orders ON DELETE CASCADE,
     upload_id text NOT NULL REFERENCES uploads,
     size_bytes bigint,
     checksum text,
     fixed_at timestamptz(3),
     look_at timestamptz(3),
     compare_due boolean NOT NULL DEFAULT false,
     PRIMARY KEY (order_id, upload_id),
     CONSTRAINT order_artwork_fixed CHECK ((fixed_at IS NULL) = (size_bytes IS NULL) AND (fixed_at IS NULL OR look_at IS NULL))
   )`,
  // How far the look for bytes that no upload knows has come.
  `CREATE TABLE sweep_marks (name text PRIMARY KEY, after_key text NOT NULL)`,
];

const CARRIED_OVER = [
  `INSERT INTO order_artwork (order_id, upload_id)
   SELECT DISTINCT o.id, u.id FROM orders o JOIN quotes q ON q.id = o.quote_id
     CROSS JOIN LATERAL jsonb_array_elements(q.jobs) job JOIN uploads u ON u.account_id = o.account_id AND u.url = job->>'imageUrl'`,
  `UPDATE uploads u SET used_at = (SELECT min(o.created_at) FROM order_artwork a JOIN orders o ON o.id = a.order_id WHERE a.upload_id = u.id)
    WHERE EXISTS (SELECT 1 FROM order_artwork a WHERE a.upload_id = u.id)`,
  `UPDATE uploads u SET quoted_until = q.until FROM (
     SELECT q.account_id, job->>'imageUrl' AS url, max(q.expires_at) AS until FROM quotes q CROSS JOIN LATERAL jsonb_array_elements(q.jobs) job
      GROUP BY 1, 2) q
    WHERE u.account_id = q.account_id AND u.url = q.url`,
];

const INDEXES = [
  `CREATE INDEX order_artwork_of_upload ON order_artwork (upload_id)`,
  `CREATE INDEX order_artwork_to_compare ON order_artwork (order_id) WHERE compare_due`,
  `CREATE INDEX uploads_without_bytes ON uploads (account_id, expires_at) WHERE received_at IS NULL`,
  `CREATE INDEX uploads_unused ON uploads (expires_at) WHERE used_at IS NULL`,
  `CREATE INDEX uploads_retired ON uploads (retired_at) WHERE retired_at IS NOT NULL`,
];
