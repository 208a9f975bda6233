import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts, their API keys and rate budgets.
 *
 * Conventions of all tables: times are timestamptz(3), because a JavaScript Date drops microseconds and cursors compare times.
 * Texts that are signed or replayed are `text`, because jsonb reorders keys.
 */
export class CreateAccounts1763700000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

/** A template cannot contain it. */
const BACKTICK = '`';

const SCHEMA = String.raw`
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Stored texts and searches are compared in this form: lower case, no accents, one kind of apostrophe, quotation mark and hyphen, and one
-- spelling of numbers (p-10041, p-10041-r1, inv-10041) and amounts (1234.50). Each word has a space before it. Characters beyond ASCII are
-- replaced by their code points, because in some locales trigrams ignore them.
CREATE FUNCTION search_form(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  v_plain text := translate(lower(given), '${BACKTICK}', '''');
BEGIN
  IF v_plain ~ '[^\x01-\x7f]' THEN
    -- These apostrophes decompose into a space and an accent.
    v_plain := regexp_replace(v_plain, '[\u00b4\u0384\u1fbd\u1fbf\u1ffd\u1ffe]', '''', 'g');
    -- Without accents, variation selectors and invisible characters such as soft hyphens and marks of the writing direction.
    v_plain := lower(regexp_replace(normalize(v_plain, NFKD),
      '[\u0300-\u036f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]', '', 'g'));
    v_plain := regexp_replace(v_plain,
      '[${BACKTICK}\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u2018-\u201b\u2032\u2035\u275b\u275c\ua78b\ua78c]', '''', 'g');
    v_plain := regexp_replace(v_plain, '[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u275d\u275e]', '"', 'g');
    v_plain := regexp_replace(v_plain, '[\u058a\u05be\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]', '-', 'g');
    v_plain := regexp_replace(v_plain, '[\u0085\u1680\u2028\u2029]', ' ', 'g');
    -- These letters do not decompose into a letter and an accent.
    v_plain := translate(replace(replace(replace(replace(v_plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'łøđðħıŧς', 'loddhitσ');
  END IF;
  -- The thousands' commas and the dollars of amounts.
  v_plain := regexp_replace(v_plain, '(\d),(?=\d{3}(?:\D|$))', '\1', 'g');
  v_plain := regexp_replace(v_plain, '(?:\yaud ?|\yau?)?\$ ?(?=\d)|\yaud ?(?=\d)|(?<=\d) ?aud\y', '', 'g');
  v_plain := regexp_replace(v_plain, '\y(p|t|t?inv|t?cn) ?-? ?(?=\d)', '\1-', 'g');
  v_plain := regexp_replace(v_plain, '(\y[pt]-\d+) ?-? ?r ?(?=\d)', '\1-r', 'g');
  v_plain := ' ' || btrim(regexp_replace(v_plain, '\s+', ' ', 'g'));
  IF v_plain !~ '[^\x01-\x7f]' THEN
    RETURN v_plain;
  END IF;
  RETURN (SELECT string_agg(CASE WHEN ascii(c) > 127 THEN 'u' || lpad(to_hex(ascii(c)), 6, '0') ELSE c END, '' ORDER BY n)
            FROM string_to_table(v_plain, NULL) WITH ORDINALITY AS each (c, n));
END $$;

CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  trade_discount_bps integer NOT NULL DEFAULT 0 CHECK (trade_discount_bps BETWEEN 0 AND 10000),
  credit_limit_cents bigint CHECK (credit_limit_cents >= 0),
  payment_terms_days integer NOT NULL DEFAULT 30 CHECK (payment_terms_days BETWEEN 0 AND 365),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  api_access boolean NOT NULL DEFAULT true,
  billing_address jsonb,
  abn text,
  ready_mail text NOT NULL DEFAULT 'customer' CHECK (ready_mail IN ('none', 'customer', 'account')),
  default_reference text,
  reminders boolean NOT NULL DEFAULT false,
  sender_id text UNIQUE,
  digest text,
  created_at timestamptz(3) NOT NULL,
  CHECK ((sender_id IS NULL) = (digest IS NULL))
);
COMMENT ON TABLE accounts IS 'Trade clients. sender_id and digest identify a repeated request to open the same account.';
CREATE INDEX accounts_newest ON accounts (created_at, id);
CREATE INDEX accounts_by_name ON accounts (lower(name), id);
CREATE INDEX accounts_with_reminders ON accounts (id) WHERE reminders;
CREATE INDEX accounts_by_text ON accounts USING gin (search_form(name || E'\n' || email) gin_trgm_ops) WITH (fastupdate = off);

CREATE TABLE account_contacts (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('billing', 'production', 'other')),
  email text NOT NULL,
  phone text
);
COMMENT ON TABLE account_contacts IS 'People at trade clients. A change of the list replaces all of its rows.';
CREATE INDEX account_contacts_of_account ON account_contacts (account_id);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  scopes text[] NOT NULL,
  name text,
  key_hash bytea NOT NULL CONSTRAINT api_keys_hash UNIQUE,
  prefix text NOT NULL,
  last_four text NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE api_keys IS 'API keys of accounts, stored as hashes.';
CREATE INDEX api_keys_account ON api_keys (account_id);

-- Unlogged, because a crash of PostgreSQL loses only the requests of the last minute.
CREATE UNLOGGED TABLE rate_windows (
  subject text NOT NULL,
  endpoint text NOT NULL,
  hits bigint[] NOT NULL,
  PRIMARY KEY (subject, endpoint)
);
COMMENT ON TABLE rate_windows IS 'Admission times of the last minute (ms since epoch) for each key or source address and endpoint.';

-- Counts requests. Returns the seconds to wait; 0 admits them all. The row lock makes the count exact across all API processes.
CREATE FUNCTION admit_hit(p_subject text, p_endpoint text, p_limit integer, p_requests integer DEFAULT 1) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_now bigint;
  v_hits bigint[];
  v_ahead bigint;
BEGIN
  LOOP -- the sweep may delete the row between the two statements
    INSERT INTO rate_windows (subject, endpoint, hits) VALUES (p_subject, p_endpoint, '{}') ON CONFLICT DO NOTHING;
    SELECT hits INTO v_hits FROM rate_windows WHERE subject = p_subject AND endpoint = p_endpoint FOR UPDATE;
    EXIT WHEN FOUND;
  END LOOP;
  v_now := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  -- If the clock was set back, all hits move back with it, so the newest one counts as now.
  v_ahead := GREATEST(0, (SELECT max(hit) FROM unnest(v_hits) AS hit) - v_now);
  v_hits := ARRAY(SELECT hit - v_ahead FROM unnest(v_hits) AS hit WHERE hit - v_ahead > v_now - 60000 ORDER BY hit);
  IF cardinality(v_hits) + p_requests > p_limit THEN
    IF v_ahead > 0 THEN
      UPDATE rate_windows SET hits = v_hits WHERE subject = p_subject AND endpoint = p_endpoint;
    END IF;
    -- Until so many of the oldest hits have expired that the new ones fit.
    RETURN GREATEST(1, CEIL((v_hits[cardinality(v_hits) + p_requests - p_limit] + 60000 - v_now) / 1000.0))::integer;
  END IF;
  UPDATE rate_windows SET hits = v_hits || array_fill(v_now, ARRAY[p_requests]) WHERE subject = p_subject AND endpoint = p_endpoint;
  RETURN 0;
END $$;

CREATE FUNCTION admit_request(p_key_hash bytea, p_source text, p_endpoint text, p_scope text, p_limit integer, p_failures integer)
RETURNS TABLE (verdict text, retry_after integer, key_id text, account_id text, environment text, is_unknown_key boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_key record;
  v_wait integer;
BEGIN
  SELECT k.id, k.account_id, k.environment, k.scopes, k.last_used_at INTO v_key
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
   WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL
     AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
     AND a.status = 'active' AND a.api_access;
  IF NOT FOUND THEN
    v_wait := admit_hit('source:' || p_source, 'authentication', p_failures);
    RETURN QUERY SELECT CASE WHEN v_wait > 0 THEN 'throttled' ELSE 'unauthorized' END, v_wait, NULL::text, NULL::text, NULL::text,
      NOT EXISTS (SELECT FROM api_keys k WHERE k.key_hash = p_key_hash);
    RETURN;
  END IF;
  IF p_endpoint IS NULL THEN
    RETURN QUERY SELECT 'unknown_route'::text, 0, v_key.id, v_key.account_id, v_key.environment, false;
    RETURN;
  END IF;
  IF NOT p_scope = ANY (v_key.scopes) THEN
    RETURN QUERY SELECT 'forbidden'::text, 0, v_key.id, v_key.account_id, v_key.environment, false;
    RETURN;
  END IF;
  IF v_key.last_used_at IS NULL OR v_key.last_used_at < clock_timestamp() - interval '1 minute' THEN
    UPDATE api_keys SET last_used_at = clock_timestamp() WHERE id = v_key.id;
  END IF;
  v_wait := admit_hit('key:' || v_key.id, p_endpoint, p_limit);
  RETURN QUERY SELECT CASE WHEN v_wait > 0 THEN 'limited' ELSE 'ok' END, v_wait, v_key.id, v_key.account_id, v_key.environment, false;
END $$;
`;
