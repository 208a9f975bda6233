import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: a parcel may say what it holds, `[{ line, quantity }]` with lines counted from 0.
 * Why: of an order in several parcels nobody could tell which piece is in which, neither the packing slip nor the client. Parcels that are
 * there keep NULL: nobody said.
 */
export class TellWhatParcelsHold1764730000000 implements MigrationInterface {
  name = 'TellWhatParcelsHold1764730000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE parcels ADD COLUMN lines jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE parcels DROP COLUMN lines');
  }
}
