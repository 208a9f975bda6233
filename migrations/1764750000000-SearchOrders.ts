import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: for each order a text of what people know it by, with an index of its trigrams; it is kept up by triggers. The names and e-mail
 * addresses of accounts have such an index as well.
 * Why: the studio looks for orders by any part of a number, recipient, reference or tracking number, among a million of them in
 * milliseconds. The text stands in a table of its own, because every status change of an order would otherwise write its index anew. It is
 * made when the transaction commits, of what stands then: whoever places, ships or erases has to remember nothing, and processes of the
 * release before may go on writing. Accounts are not in it, so that a new name is found at once for all orders there are.
 *
 * The indexes are kept up at once: a list of what is to be indexed later would make some order, at some time, wait for all of it.
 *
 * `search_form` is how texts are compared: lower case, without accents; a character beyond ASCII becomes its number, because whether trigrams
 * see it would depend on the locale. `pg_trgm` comes with PostgreSQL; the owner of a database may create it.
 *
 * Filling it takes about a minute for each million orders, and orders wait for so long.
 */
export class SearchOrders1764750000000 implements MigrationInterface {
  name = 'SearchOrders1764750000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...FORM, ...ORDERS, ...TRIGGERS, ...FILL, ...ACCOUNTS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX accounts_by_text, accounts_by_name, orders_by_number');
    await runner.query('DROP TRIGGER orders_searched ON orders');
    await runner.query('DROP TRIGGER parcels_searched ON parcels');
    await runner.query('DROP TABLE order_search');
    await runner.query('DROP FUNCTION search_orders_of, search_order, search_order_of_parcel, order_search_text, search_form');
    // The extension stays: others may use it by now.
  }
}

const FORM = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  // [^\\x01-\\x7f]: only few texts take the slow way.
  `CREATE FUNCTION search_form(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     v_plain text := lower(given);
   BEGIN
     IF v_plain !~ '[^\\x01-\\x7f]' THEN
       RETURN v_plain;
     END IF;
     v_plain := lower(regexp_replace(normalize(v_plain, NFKD), '[\\u0300-\\u036f]', '', 'g'));
     -- Letters that are no other letter with an accent, as people write them who have none of them.
     v_plain := translate(replace(replace(replace(replace(v_plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'łøđðħıŧ', 'loddhit');
     RETURN (SELECT string_agg(CASE WHEN ascii(c) > 127 THEN 'u' || lpad(to_hex(ascii(c)), 6, '0') ELSE c END, '' ORDER BY n)
               FROM string_to_table(v_plain, NULL) WITH ORDINALITY AS each (c, n));
   END $$`,
];

const ORDERS = [
  `CREATE TABLE order_search (
     order_id text PRIMARY KEY REFERENCES orders,
     environment text NOT NULL,
     account_id text NOT NULL,
     created_at timestamptz(3) NOT NULL,
     text text NOT NULL
   )`,
  // An erased order is known by its numbers alone. Other orders have their address with their quote; those without one have it with what
  // they make again.
  `CREATE FUNCTION order_search_text(o orders) RETURNS text LANGUAGE plpgsql STABLE AS $$
   DECLARE
     v_numbers text := concat_ws(E'\\n', o.order_number, (SELECT i.invoice_number FROM invoices i WHERE i.order_id = o.id));
     v_to jsonb;
   BEGIN
     IF o.erased_at IS NOT NULL THEN
       RETURN search_form(v_numbers);
     END IF;
     IF o.quote_id IS NULL THEN
       SELECT r.shipping_address INTO v_to FROM remakes r WHERE r.order_id = o.id;
     ELSE
       SELECT q.shipping_address INTO v_to FROM quotes q WHERE q.id = o.quote_id;
     END IF;
     RETURN search_form(concat_ws(E'\\n', v_numbers, v_to->>'name', v_to->>'company', v_to->>'email',
       (SELECT string_agg(DISTINCT line->>'externalReference', E'\\n') FROM jsonb_array_elements(o.lines) line),
       (SELECT string_agg(p.tracking_number, E'\\n' ORDER BY p.position) FROM parcels p WHERE p.order_id = o.id)));
   END $$`,
  `CREATE FUNCTION search_order(p_order_id text) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO order_search (order_id, environment, account_id, created_at, text)
     SELECT o.id, o.environment, o.account_id, o.created_at, order_search_text(o) FROM orders o WHERE o.id = p_order_id
     ON CONFLICT (order_id) DO UPDATE SET text = EXCLUDED.text WHERE order_search.text <> EXCLUDED.text;
   END $$`,
];

const TRIGGERS = [
  `CREATE FUNCTION search_orders_of() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM search_order(NEW.id);
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION search_order_of_parcel() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM search_order(NEW.order_id);
     RETURN NULL;
   END $$`,
  `CREATE CONSTRAINT TRIGGER orders_searched AFTER INSERT OR UPDATE OF erased_at ON orders
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION search_orders_of()`,
  `CREATE CONSTRAINT TRIGGER parcels_searched AFTER INSERT OR UPDATE OF tracking_number ON parcels
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION search_order_of_parcel()`,
];

const FILL = [
  `INSERT INTO order_search (order_id, environment, account_id, created_at, text)
   SELECT o.id, o.environment, o.account_id, o.created_at, order_search_text(o) FROM orders o ORDER BY o.created_at, o.id`,
  'CREATE INDEX order_search_newest ON order_search (environment, created_at DESC, order_id DESC)',
  'CREATE INDEX order_search_text ON order_search USING gin (text gin_trgm_ops) WITH (fastupdate = off)',
  'CREATE INDEX orders_by_number ON orders (order_number text_pattern_ops)',
];

const ACCOUNTS = [
  `CREATE INDEX accounts_by_text ON accounts USING gin (search_form(name || E'\\n' || email) gin_trgm_ops) WITH (fastupdate = off)`,
  'CREATE INDEX accounts_by_name ON accounts (lower(name), id)',
];
