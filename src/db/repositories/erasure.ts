import { ERASED, eraseJsonText, withoutPersonalData } from '../../domain/personal-data';
import { sha256 } from '../../security/fingerprint';
import type { Sql, Transaction } from '../database';
import type { OrderChangeRow } from '../rows';

/**
 * The account's personal data to erase: orders that were placed before `before`, and quotes that expired before `before` without an order.
 */
export interface ErasureScope {
  accountId: string;
  before: Date;
  /** The current time. Quotes that expire later can still be ordered. */
  now: Date;
}

export interface ErasureCount {
  orders: number;
  quotes: number;
  /** Artwork that no remaining order and no open quote uses. */
  artwork: number;
  /** Mails with documents. */
  mails: number;
  /** Notes on the account itself. A note on an order is erased with its order. */
  notes: number;
}

/** SQL over $1 account, $2 before, $3 now. Includes erased orders that have received records since. */
const ORDERS_TO_ERASE = `SELECT o.id, o.quote_id FROM orders o
  WHERE o.account_id = $1 AND o.environment IN ('live', 'test') AND o.created_at < $2 AND o.settled_at IS NOT NULL
    AND (o.erased_at IS NULL OR EXISTS (SELECT 1 FROM notes t WHERE t.order_id = o.id)
      OR EXISTS (SELECT 1 FROM order_timeline t WHERE t.order_id = o.id AND t.created_at > o.erased_at)
      OR EXISTS (SELECT 1 FROM order_attention t WHERE t.order_id = o.id
                    AND (t.raised_at > o.erased_at OR (t.note IS NOT NULL AND t.cleared_at > o.erased_at))))`;
const QUOTES_TO_ERASE = `SELECT q.id FROM quotes q
  WHERE q.account_id = $1 AND q.consumed_at IS NULL AND q.erased_at IS NULL AND q.expires_at < LEAST($2::timestamptz, $3::timestamptz)`;
/**
 * SQL: the URLs of an account's artwork that must be kept at `now`. An unerased order or remake uses it, or a quote that can still be
 * ordered.
 * @param ignored a relation with ids of quotes and remakes that do not count
 */
const retainedArtworkUrls = (account: string, now: string, ignored?: string): string => {
  const and = (id: string): string =>
    ignored === undefined ? '' : `AND NOT EXISTS (SELECT 1 FROM ${ignored} WHERE ${ignored}.id = ${id})`;
  return `SELECT job->>'imageUrl' AS url FROM quotes q, jsonb_array_elements(q.jobs) job
  WHERE q.account_id = ${account} AND q.erased_at IS NULL AND (q.consumed_at IS NOT NULL OR q.expires_at >= ${now}) AND job->>'imageUrl' IS NOT NULL ${and('q.id')}
  UNION SELECT job->>'imageUrl' FROM remakes m JOIN orders o ON o.id = m.order_id, jsonb_array_elements(m.jobs) job
  WHERE o.account_id = ${account} AND o.erased_at IS NULL AND job->>'imageUrl' IS NOT NULL ${and('m.order_id')}`;
};

/** SQL: the ids of uploads that were replaced on these orders. No job uses them any more. */
const replacedUploadIds = (orderIds: string): string =>
  `SELECT t.content::jsonb->>'replacedUploadId' FROM order_timeline t
    WHERE t.order_id IN (${orderIds}) AND t.type = 'artwork_replaced' AND t.outcome = 'applied'`;

const STATEMENT_TIMEOUT_MS = 60_000;

/** Counts what an erasure would erase. */
export async function countErasable(sql: Transaction, { accountId, before, now }: ErasureScope): Promise<ErasureCount> {
  await sql.setStatementTimeout(STATEMENT_TIMEOUT_MS);
  return sql.one(
    `
    WITH erasable_orders AS (${ORDERS_TO_ERASE}), erasable_quotes AS (${QUOTES_TO_ERASE}),
    erasable_ids AS (SELECT COALESCE(quote_id, id) AS id FROM erasable_orders UNION ALL SELECT id FROM erasable_quotes),
    named_artwork AS (SELECT job->>'imageUrl' AS url FROM quotes q JOIN erasable_ids USING (id), jsonb_array_elements(q.jobs) job
              UNION SELECT job->>'imageUrl' FROM remakes m JOIN erasable_ids ON erasable_ids.id = m.order_id, jsonb_array_elements(m.jobs) job
              UNION SELECT u.url FROM uploads u WHERE u.id IN (${replacedUploadIds('SELECT id FROM erasable_orders')})),
    retained_artwork AS (${retainedArtworkUrls('$1', '$3', 'erasable_ids')})
    SELECT (SELECT count(*) FROM erasable_orders)::int AS orders, (SELECT count(*) FROM erasable_quotes)::int AS quotes,
           (SELECT count(*) FROM uploads u WHERE u.account_id = $1 AND u.erased_at IS NULL AND u.url IN (SELECT url FROM named_artwork)
               AND NOT EXISTS (SELECT 1 FROM retained_artwork r WHERE r.url = u.url))::int
         + (SELECT count(*) FROM uploads u WHERE u.account_id = $1 AND u.erasure_started_at IS NOT NULL AND u.erased_at IS NOT NULL)::int AS artwork,
           (SELECT count(*) FROM sends s WHERE s.account_id = $1 AND s.created_at < $2 AND s.erased_at IS NULL)::int AS mails,
           (SELECT count(*) FROM notes n WHERE n.account_id = $1 AND n.created_at < $2)::int AS notes`,
    [accountId, before, now],
  );
}

/** Locks and erases up to `limit` orders with ids after `after`, and their records. Returns the orders' ids, sorted. */
export async function eraseOrders(sql: Sql, { accountId, before, now }: ErasureScope, after: string, limit: number): Promise<string[]> {
  const orders = await sql.rows<{ id: string; quote_id: string | null }>(
    `${ORDERS_TO_ERASE} AND o.id > $3 ORDER BY o.id LIMIT $4 FOR UPDATE OF o`,
    [accountId, before, after, limit],
  );
  const ids = orders.map(({ id }) => id);
  if (ids.length === 0) return ids;
  const quoteIds = orders.flatMap(({ quote_id }) => quote_id ?? []);
  await eraseQuotes(sql, accountId, quoteIds, now);
  await eraseRemakes(sql, accountId, ids, now);
  await markArtworkForErasure(sql, accountId, `id IN (${replacedUploadIds('SELECT unnest($2::text[])')})`, ids, now);
  await sql.run(
    `
    UPDATE orders SET special_instructions = ${erasedIfSet('special_instructions')}, reference = ${erasedIfSet('reference')}, confirmation_failure = ${erasedIfSet('confirmation_failure')},
      lines = ${ERASED_LINES}, metadata = '{}', erased_at = $2 WHERE id = ANY ($1)`,
    [ids, now],
  );
  await sql.run(`UPDATE parcels SET tracking_number = '${ERASED}', tracking_url = NULL WHERE order_id = ANY ($1)`, [ids]);
  await sql.run(`UPDATE order_attention SET message = '${ERASED}', note = ${erasedIfSet('note')} WHERE order_id = ANY ($1)`, [ids]);
  await sql.run(
    `
    UPDATE webhook_attempts SET reply_excerpt = '${ERASED}'
     WHERE reply_excerpt IS NOT NULL AND delivery_id IN (SELECT id FROM webhook_deliveries WHERE order_id = ANY ($1))`,
    [ids],
  );
  await eraseChanges(sql, ids);
  await sql.run('DELETE FROM order_messages WHERE order_id = ANY ($1)', [ids]);
  await sql.run('DELETE FROM notes WHERE order_id = ANY ($1)', [ids]);
  await eraseAuditTexts(sql, ids);
  await eraseTexts(sql, ids, accountId);
  return ids;
}

/** Deletes the notes on the account from before `before`. Returns how many. */
export async function eraseAccountNotes(sql: Sql, { accountId, before }: ErasureScope): Promise<number> {
  const deleted = await sql.rows('DELETE FROM notes WHERE account_id = $1 AND created_at < $2 RETURNING id', [accountId, before]);
  return deleted.length;
}

/** Erases up to `limit` expired quotes without an order. Returns how many. */
export async function eraseExpiredQuotes(sql: Sql, { accountId, before, now }: ErasureScope, limit: number): Promise<number> {
  const quoteIds = await sql.column<string>(`${QUOTES_TO_ERASE} ORDER BY q.id LIMIT $4 FOR UPDATE OF q`, [accountId, before, now, limit]);
  if (quoteIds.length > 0) await eraseQuotes(sql, accountId, quoteIds, now);
  return quoteIds.length;
}

const erasedIfSet = (column: string): string => `CASE WHEN ${column} IS NOT NULL THEN '${ERASED}' END`;

const ERASED_LINES = `COALESCE((SELECT jsonb_agg(CASE WHEN line->>'externalReference' IS NULL THEN line ELSE line || '{"externalReference": "${ERASED}"}' END ORDER BY n)
  FROM jsonb_array_elements(lines) WITH ORDINALITY l (line, n)), '[]')`;
const ERASED_JOBS = `COALESCE((SELECT jsonb_agg(job || '{"imageUrl": null}' ORDER BY n) FROM jsonb_array_elements(jobs) WITH ORDINALITY j (job, n)), '[]')`;
const ERASED_ADDRESS = `COALESCE((SELECT jsonb_object_agg(part, CASE WHEN part = 'country' OR jsonb_typeof(value) = 'null' THEN value ELSE '"${ERASED}"' END)
  FROM jsonb_each(shipping_address) a (part, value)), '{}')`;

/** Marks artwork for erasure. `condition` is SQL over `uploads`; $2 are the ids. */
async function markArtworkForErasure(sql: Sql, accountId: string, condition: string, ids: string[], now: Date): Promise<void> {
  const mark = 'UPDATE uploads SET erasure_started_at = COALESCE(erasure_started_at, $3) WHERE account_id = $1 AND erased_at IS NULL';
  await sql.run(`${mark} AND ${condition}`, [accountId, ids, now]);
}

/** Erases the address, the references and the artwork URLs of quotes. `markArtworkErased` later decides which artwork is erased. */
async function eraseQuotes(sql: Sql, accountId: string, ids: string[], now: Date): Promise<void> {
  const named = "url IN (SELECT job->>'imageUrl' FROM quotes q, jsonb_array_elements(q.jobs) job WHERE q.id = ANY ($2))";
  await markArtworkForErasure(sql, accountId, named, ids, now);
  await sql.run(
    `
    UPDATE quotes SET shipping_address = ${ERASED_ADDRESS}, lines = ${ERASED_LINES}, jobs = ${ERASED_JOBS}, reference = ${erasedIfSet('reference')}, metadata = '{}', erased_at = $2,
      address_erased_at = COALESCE(address_erased_at, $2) WHERE id = ANY ($1)`,
    [ids, now],
  );
}

/** Erases the address, the reason and the artwork URLs of remakes. */
async function eraseRemakes(sql: Sql, accountId: string, orderIds: string[], now: Date): Promise<void> {
  const named = "url IN (SELECT job->>'imageUrl' FROM remakes m, jsonb_array_elements(m.jobs) job WHERE m.order_id = ANY ($2))";
  await markArtworkForErasure(sql, accountId, named, orderIds, now);
  await sql.run(
    `UPDATE remakes SET shipping_address = ${ERASED_ADDRESS}, reason = '${ERASED}', jobs = ${ERASED_JOBS} WHERE order_id = ANY ($1)`,
    [orderIds],
  );
}

/** Erases the client's changes and the values they replaced. */
async function eraseChanges(sql: Sql, orderIds: string[]): Promise<void> {
  const changes = await sql.rows<Pick<OrderChangeRow, 'id' | 'content' | 'replaced'>>(
    'SELECT id, content, replaced FROM order_changes WHERE order_id = ANY ($1)',
    [orderIds],
  );
  const erased = changes.map(({ id, content, replaced }) => withoutPersonalData({ id, content, replaced }));
  await sql.run(
    `
    UPDATE order_changes c SET content = n.content, replaced = NULLIF(n.replaced, 'null')
      FROM jsonb_to_recordset($1::jsonb) n (id text, content jsonb, replaced jsonb) WHERE c.id = n.id`,
    [JSON.stringify(erased)],
  );
}

/** Erases texts that people wrote in the audit log. Actor, action and time stay. */
async function eraseAuditTexts(sql: Sql, orderIds: string[]): Promise<void> {
  await sql.run('SELECT erase_audited_texts($1)', [orderIds]);
}

/**
 * Erases personal data in JSON texts: events, stored responses of POST /orders, and messages. Repeated messages must still be recognized.
 * An applied message therefore keeps its digest, and a refused message gets one.
 */
async function eraseTexts(sql: Sql, orderIds: string[], accountId: string): Promise<void> {
  const events = await sql.rows<{ id: string; body: string }>('SELECT id, body FROM order_events WHERE order_id = ANY ($1)', [orderIds]);
  await sql.run('UPDATE order_events e SET body = n.body FROM unnest($1::text[], $2::text[]) n (id, body) WHERE e.id = n.id', [
    events.map(({ id }) => id),
    events.map(({ body }) => eraseJsonText(body)),
  ]);
  const responses = await sql.rows<{ id: string; body: string }>(
    'SELECT id, response_body AS body FROM idempotency_records WHERE account_id = $1 AND order_id = ANY ($2)',
    [accountId, orderIds],
  );
  await sql.run(
    'UPDATE idempotency_records r SET response_body = n.body FROM unnest($1::text[], $2::text[]) n (id, body) WHERE r.id = n.id',
    [responses.map(({ id }) => id), responses.map(({ body }) => eraseJsonText(body))],
  );
  const messages = await sql.rows<{ id: number; outcome: string; content: string }>(
    'SELECT id, outcome, content FROM order_timeline WHERE order_id = ANY ($1)',
    [orderIds],
  );
  await sql.run(
    `
    UPDATE order_timeline t SET content = n.content, digest = COALESCE(t.digest, n.digest)
      FROM unnest($1::bigint[], $2::text[], $3::text[]) n (id, content, digest) WHERE t.id = n.id`,
    [messages.map(({ id }) => id), messages.map(erasedMessage), messages.map(({ content }) => sha256(content))],
  );
}

/** A refused message may contain any data, so all of it is erased. Its digest still distinguishes it from other refused messages. */
function erasedMessage({ outcome, content }: { outcome: string; content: string }): string {
  return outcome === 'applied' ? eraseJsonText(content) : JSON.stringify({ note: ERASED, sha256: sha256(content) });
}

/**
 * Marks the artwork of erased orders and quotes as erased and removes its filename. No new order can use it. Artwork that other orders or
 * quotes use is kept. The files are deleted afterwards.
 */
export async function markUnusedArtworkErased(sql: Transaction, accountId: string, now: Date): Promise<void> {
  await sql.setStatementTimeout(STATEMENT_TIMEOUT_MS);
  await sql.run(
    `
    UPDATE uploads u SET erasure_started_at = NULL
     WHERE u.account_id = $1 AND u.erasure_started_at IS NOT NULL AND u.erased_at IS NULL AND u.url IN (${retainedArtworkUrls('$1', '$2')})`,
    [accountId, now],
  );
  await sql.run(
    `
    UPDATE uploads SET erased_at = $2, filename = '${ERASED}', inspect_at = NULL, inspection_claimed_until = NULL WHERE account_id = $1 AND erasure_started_at IS NOT NULL AND erased_at IS NULL`,
    [accountId, now],
  );
}

/** Finds some of the account's erased artwork whose files may still be stored. */
export function findArtworkToRemove(sql: Sql, accountId: string, limit: number): Promise<{ id: string; storage_key: string }[]> {
  return sql.rows(
    `
    SELECT id, storage_key FROM uploads WHERE account_id = $1 AND erasure_started_at IS NOT NULL AND erased_at IS NOT NULL ORDER BY id LIMIT $2`,
    [accountId, limit],
  );
}

/** Records that the files of erased artwork were deleted from the store. */
export async function markArtworkFilesDeleted(sql: Sql, uploadIds: string[]): Promise<void> {
  await sql.run('UPDATE uploads SET erasure_started_at = NULL WHERE id = ANY ($1)', [uploadIds]);
}

/** Erases the addresses of up to `limit` quotes that expired without an order before `expiredBefore`. Returns how many. */
export async function eraseExpiredAddresses(sql: Sql, expiredBefore: Date, now: Date, limit: number): Promise<number> {
  const erased = await sql.rows(
    `
    UPDATE quotes SET shipping_address = ${ERASED_ADDRESS}, address_erased_at = $2
     WHERE id IN (SELECT id FROM quotes WHERE consumed_at IS NULL AND address_erased_at IS NULL AND expires_at < $1
                   ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
    [expiredBefore, now, limit],
  );
  return erased.length;
}
