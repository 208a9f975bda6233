import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of uploaded artwork, the files that each order is printed from, inspections, and the issues to report. */
export class CreateArtwork1763700000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const schema of [SCHEMA, ISSUES]) await runner.query(schema);
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

const SCHEMA = `
-- retired_at is the time from which the account can no longer use an upload that no order uses. The service deletes its file and row an
-- hour later, when every quote request that could name the upload has ended.
-- inspect_at is the time since which an inspection is due; null if none is due. A process that starts the inspection claims it until
-- inspection_claimed_until. The end of the inspection sets both to null.
CREATE TABLE uploads (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  key_id text NOT NULL REFERENCES api_keys,
  filename text NOT NULL,
  content_type text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes BETWEEN 1 AND 524288000),
  storage_key text NOT NULL UNIQUE,
  url text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  received_at timestamptz(3),
  checksum text,
  inspect_at timestamptz(3),
  inspection_claimed_until timestamptz(3),
  quoted_until timestamptz(3),
  used_at timestamptz(3),
  retired_at timestamptz(3),
  erasure_started_at timestamptz(3),
  erased_at timestamptz(3)
);
COMMENT ON TABLE uploads IS 'Artwork files of accounts, from the signed URL to their removal.';
CREATE UNIQUE INDEX uploads_owned_url ON uploads (account_id, url);
CREATE INDEX uploads_without_bytes ON uploads (account_id, expires_at) WHERE received_at IS NULL;
CREATE INDEX uploads_unused ON uploads (expires_at) WHERE used_at IS NULL;
CREATE INDEX uploads_retired ON uploads (retired_at) WHERE retired_at IS NOT NULL;
CREATE INDEX uploads_erasing ON uploads (account_id) WHERE erasure_started_at IS NOT NULL;
CREATE INDEX uploads_to_inspect ON uploads (inspect_at) WHERE inspect_at IS NOT NULL;

CREATE TABLE artwork_usage (
  account_id text PRIMARY KEY REFERENCES accounts,
  stored_bytes bigint NOT NULL DEFAULT 0,
  cpu_seconds double precision NOT NULL DEFAULT 0,
  cpu_at timestamptz(3)
);
COMMENT ON TABLE artwork_usage IS 'The bytes of artwork that each account keeps, and its recent CPU time of inspections (as of cpu_at).';

-- An upload counts towards its account's stored bytes from the arrival of its file until the file is deleted. The file is deleted with the
-- row, or by an erasure, which keeps the row.
CREATE FUNCTION upload_stored_bytes(upload uploads) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN upload.received_at IS NOT NULL AND (upload.erased_at IS NULL OR upload.erasure_started_at IS NOT NULL) THEN upload.size_bytes ELSE 0 END
$$;
CREATE FUNCTION count_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before bigint := CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE upload_stored_bytes(OLD) END;
  now_stored bigint := CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE upload_stored_bytes(NEW) END;
BEGIN
  IF now_stored <> before THEN
    INSERT INTO artwork_usage (account_id, stored_bytes) VALUES (COALESCE(NEW.account_id, OLD.account_id), now_stored - before)
    ON CONFLICT (account_id) DO UPDATE SET stored_bytes = artwork_usage.stored_bytes + excluded.stored_bytes;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER uploads_stored_bytes AFTER INSERT OR DELETE OR UPDATE OF received_at, erased_at, erasure_started_at ON uploads
  FOR EACH ROW EXECUTE FUNCTION count_stored_bytes();

-- An order is placed with its artwork, or the artwork arrives later. fixed_at is when the order's size and checksum of a file became final.
-- next_check_at is when the order's workflow next checks whether a missing file has arrived; null if it no longer checks.
-- compare_due is true while the stored file must be compared with the order's size and checksum.
-- recorded_inspection_at is when the upload was last inspected with a result that the order has recorded.
CREATE TABLE order_artwork (
  order_id text NOT NULL REFERENCES orders ON DELETE CASCADE,
  upload_id text NOT NULL REFERENCES uploads,
  size_bytes bigint,
  checksum text,
  fixed_at timestamptz(3),
  next_check_at timestamptz(3),
  compare_due boolean NOT NULL DEFAULT false,
  recorded_inspection_at timestamptz(3),
  PRIMARY KEY (order_id, upload_id),
  CONSTRAINT order_artwork_fixed CHECK ((fixed_at IS NULL) = (size_bytes IS NULL) AND (fixed_at IS NULL OR next_check_at IS NULL))
);
COMMENT ON TABLE order_artwork IS 'Size and checksum of the artwork that an order is made from.';
CREATE INDEX order_artwork_of_upload ON order_artwork (upload_id);
CREATE INDEX order_artwork_to_compare ON order_artwork (order_id) WHERE compare_due;

CREATE TABLE artwork_inspections (
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
  pages integer CHECK (pages > 0),
  extra_channels integer CHECK (extra_channels >= 0),
  decoder_version integer NOT NULL,
  inspected_at timestamptz(3) NOT NULL,
  CONSTRAINT artwork_inspections_reason CHECK ((state = 'ok') = (reason IS NULL)),
  CONSTRAINT artwork_inspections_size CHECK ((width_px IS NULL) = (height_px IS NULL) AND (state <> 'ok' OR width_px IS NOT NULL))
);
COMMENT ON TABLE artwork_inspections IS 'Type, pixels and color space of uploaded pictures.';

-- One row for each periodic search, with the key at which it continues.
CREATE TABLE sweep_positions (name text PRIMARY KEY, after_key text NOT NULL);
COMMENT ON TABLE sweep_positions IS 'The storage key up to which the store was searched for files without an upload.';
`;

const ISSUES = `
-- The issues of an order depend on its row, its open attention and its artwork. Each change adds a row. A foreign key would wait for a locked order.
-- The relay compares the order's issues with orders.reported_issues and deletes the rows.
CREATE TABLE issue_checks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL
);
COMMENT ON TABLE issue_checks IS 'Orders whose issues may have changed since their clients were notified.';
CREATE FUNCTION check_issues() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issue_checks (order_id) VALUES (CASE TG_ARGV[0] WHEN 'id' THEN to_jsonb(NEW)->>'id' ELSE to_jsonb(COALESCE(NEW, OLD))->>'order_id' END);
  RETURN NULL;
END $$;
CREATE TRIGGER orders_issues AFTER UPDATE OF base_status, status, printed_lines ON orders FOR EACH ROW
  WHEN (OLD.reported_issues <> '{}' OR 'on_hold' IN (OLD.base_status, NEW.base_status) OR NOT OLD.printed_lines <@ NEW.printed_lines
    OR (OLD.status IN ('shipped', 'completed') AND NEW.status <> OLD.status)) EXECUTE FUNCTION check_issues('id');
CREATE TRIGGER order_attention_issues AFTER INSERT OR UPDATE OF cleared_at ON order_attention FOR EACH ROW
  WHEN (NEW.code LIKE 'ARTWORK%') EXECUTE FUNCTION check_issues('order_id');
CREATE TRIGGER order_artwork_awaited AFTER INSERT ON order_artwork FOR EACH ROW WHEN (NEW.fixed_at IS NULL) EXECUTE FUNCTION check_issues('order_id');
CREATE TRIGGER order_artwork_arrived AFTER UPDATE OF fixed_at ON order_artwork FOR EACH ROW
  WHEN (OLD.fixed_at IS DISTINCT FROM NEW.fixed_at) EXECUTE FUNCTION check_issues('order_id');
CREATE TRIGGER order_artwork_replaced AFTER DELETE ON order_artwork FOR EACH ROW WHEN (OLD.fixed_at IS NULL) EXECUTE FUNCTION check_issues('order_id');
`;
