import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: what was found out about the picture of an upload, which bytes of an upload still have to be looked at, and by which look each
 * order's artwork was judged.
 * Why: the floor has to see a picture's pixels, colour space and resolution at the ordered size before it prints, and a person has to hear
 * of what is too small or no picture at all (ruling 60). `uploads.inspect_at` is when a look is due; a look that was begun moves it on, so
 * that one which is lost is begun again, and ends with null. `order_artwork.judged_at` is the `inspected_at` of the look that the order was
 * judged by, so that what a person has cleared is not raised by the same look again.
 * Artwork of open orders is looked at after the migration; that of settled ones was printed without.
 */
export class InspectArtwork1764720000000 implements MigrationInterface {
  name = 'InspectArtwork1764720000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE artwork_inspections');
    await runner.query('ALTER TABLE uploads DROP COLUMN inspect_at');
    await runner.query('ALTER TABLE order_artwork DROP COLUMN judged_at');
  }
}

const STATEMENTS = [
  `CREATE TABLE artwork_inspections (
     upload_id text PRIMARY KEY REFERENCES uploads ON DELETE CASCADE,
     checksum text,
     state text NOT NULL CHECK (state IN ('ok', 'no_preview', 'unreadable')),
     reason text,
     media_type text,
     width_px integer CHECK (width_px > 0),
     height_px integer CHECK (height_px > 0),
     orientation smallint CHECK (orientation BETWEEN 1 AND 8),
     colour_space text,
     has_profile boolean,
     has_alpha boolean,
     inspected_at timestamptz(3) NOT NULL,
     CONSTRAINT artwork_inspections_reason CHECK ((state = 'ok') = (reason IS NULL)),
     CONSTRAINT artwork_inspections_size CHECK ((width_px IS NULL) = (height_px IS NULL) AND (state <> 'ok' OR width_px IS NOT NULL))
   )`,
  `ALTER TABLE uploads ADD COLUMN inspect_at timestamptz(3)`,
  `ALTER TABLE order_artwork ADD COLUMN judged_at timestamptz(3)`,
  `UPDATE uploads u SET inspect_at = u.received_at
    WHERE u.received_at IS NOT NULL AND u.retired_at IS NULL AND u.erased_at IS NULL AND EXISTS (
      SELECT 1 FROM order_artwork a JOIN orders o ON o.id = a.order_id WHERE a.upload_id = u.id AND o.settled_at IS NULL)`,
  `CREATE INDEX uploads_to_inspect ON uploads (inspect_at) WHERE inspect_at IS NOT NULL`,
];
