import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The catalogue and the price books. */
export class CreateCatalogueAndPrices1763700000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

const SCHEMA = `
CREATE TABLE catalogue_rows (
  section text NOT NULL,
  id text NOT NULL,
  position integer NOT NULL,
  content jsonb NOT NULL,
  withdrawn boolean NOT NULL DEFAULT false,
  out_of_stock_until date,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (section, id)
);
COMMENT ON TABLE catalogue_rows IS 'Products, materials and options on offer.';

CREATE TABLE catalogue_revision (singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton), revision bigint NOT NULL);
COMMENT ON TABLE catalogue_revision IS 'Counts changes of the catalogue. A cached catalogue is valid while this number is unchanged.';
INSERT INTO catalogue_revision (revision) VALUES (1);

CREATE FUNCTION advance_catalogue_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE catalogue_revision SET revision = revision + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER catalogue_rows_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON catalogue_rows
  FOR EACH STATEMENT EXECUTE FUNCTION advance_catalogue_revision();

CREATE TABLE price_books (
  version integer PRIMARY KEY,
  document text NOT NULL,
  sha256 text NOT NULL,
  effective_at timestamptz(3) NOT NULL,
  published_by text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE price_books IS 'Published price books. A version never changes.';
`;
