import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: what needs a person, one row for each occurrence (rulings 47 and 58).
 * Why: a refused signal, a parcel on a cancelled order or artwork that never came was visible only to who looked for it. `subject`
 * names the occurrence (a message's key, a delivery, a parcel, an upload): the same one is raised once while it is open.
 */
export class RaiseAttention1764200000000 implements MigrationInterface {
  name = 'RaiseAttention1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE order_attention (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        order_id text NOT NULL REFERENCES orders,
        code text NOT NULL,
        subject text NOT NULL,
        message text NOT NULL,
        raised_at timestamptz(3) NOT NULL,
        cleared_at timestamptz(3),
        cleared_by text,
        note text
      )`);
    await runner.query('CREATE UNIQUE INDEX order_attention_once ON order_attention (order_id, code, subject) WHERE cleared_at IS NULL');
    await runner.query('CREATE INDEX order_attention_open ON order_attention (raised_at, id) WHERE cleared_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE order_attention');
  }
}
