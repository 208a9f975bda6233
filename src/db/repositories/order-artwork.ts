import type { AttentionCode } from '../../domain/attention';
import type { ArtworkFit } from '../../domain/artwork-fit';
import type { BaseStatus } from '../../domain/order-status';
import type { Sql, Transaction } from '../database';
import { clearAttentionWhere } from './attention';
import { isInspectedSql } from './inspections';
import { ARTWORK_GRACE_MS } from '../../domain/artwork-rules';

export interface ReceivedBytes {
  sizeBytes: number;
  checksum: string | null;
}

/** One artwork of an order, with the size and checksum that the order recorded, and its upload. */
export interface OrderArtwork {
  order_id: string;
  upload_id: string;
  storage_key: string;
  base_status: BaseStatus;
  ordered_at: Date;
  size_bytes: number | null;
  checksum: string | null;
  /** When the order recorded the file's size and checksum; null if the file is missing. */
  fixed_at: Date | null;
  /** When the upload's URL expires. */
  expires_at: Date;
  /** The size that the client declared for the upload. */
  declared_bytes: number;
  /** When the upload's file arrived; null before that. */
  received_at: Date | null;
  received_checksum: string | null;
}

const ORDER_ARTWORK_COLUMNS = `a.order_id, a.upload_id, u.storage_key, o.base_status, o.created_at AS ordered_at, a.size_bytes, a.checksum, a.fixed_at,
  u.expires_at, u.size_bytes AS declared_bytes, u.received_at, u.checksum AS received_checksum`;
const TABLES = 'order_artwork a JOIN uploads u ON u.id = a.upload_id JOIN orders o ON o.id = a.order_id';

/** SQL of an order's jobs, one for each line, with the line's artwork URL. The query must name the table `orders` as `ordersAlias`. */
export const jobsOfOrderSql = (ordersAlias: string): string =>
  `COALESCE((SELECT q.jobs FROM quotes q WHERE q.id = ${ordersAlias}.quote_id), (SELECT r.jobs FROM remakes r WHERE r.order_id = ${ordersAlias}.id))`;

const ARTWORK_ISSUE_CODES = [
  'ARTWORK_MISSING',
  'ARTWORK_UNREADABLE',
  'ARTWORK_LOW_RESOLUTION',
  'ARTWORK_REJECTED',
] as const satisfies AttentionCode[];

/**
 * SQL over `orders o`: the `StoredIssue`s of the artwork that is not printed, by line. If the subject of an attention is an upload id, each line with
 * that upload has the issue. Otherwise the subject ends with `/` and the line's number.
 */
export const ARTWORK_ISSUES = `(
  SELECT COALESCE(jsonb_agg(jsonb_build_object('code', i.code, 'line', l.line, 'message', i.message) ORDER BY l.line, i.code), '[]')
    FROM (SELECT 'ARTWORK_MISSING' AS code, a.upload_id AS subject, NULL AS message FROM order_artwork a WHERE a.order_id = o.id AND a.fixed_at IS NULL
          UNION SELECT t.code, t.subject, CASE WHEN t.code <> 'ARTWORK_MISSING' THEN t.message END FROM order_attention t
           WHERE t.order_id = o.id AND t.cleared_at IS NULL AND t.code IN ('${ARTWORK_ISSUE_CODES.join("', '")}')) i,
         LATERAL (
           SELECT (j.place - 1)::int AS line FROM uploads u, jsonb_array_elements(${jobsOfOrderSql('o')}) WITH ORDINALITY j (job, place)
            WHERE u.id = i.subject AND u.url = j.job->>'imageUrl'
           UNION ALL SELECT substring(i.subject FROM '/(\\d+)$')::int WHERE i.subject ~ '/\\d+$') l
   WHERE l.line <> ALL (o.printed_lines))`;

/** The artwork URLs of an order's lines; null for a line without one. Requires the order's lock. */
export function findArtworkUrls(sql: Sql, orderId: string): Promise<(string | null)[]> {
  return sql.column(
    `
    SELECT j.job->'imageUrl' FROM orders o, jsonb_array_elements(${jobsOfOrderSql('o')}) WITH ORDINALITY j (job, place)
     WHERE o.id = $1 ORDER BY j.place`,
    [orderId],
  );
}

/** The artwork of an order that is being placed. */
export interface ReferencedArtwork {
  orderId: string;
  accountId: string;
  /** The artwork URLs, without duplicates. */
  urls: string[];
  /** When the first check for missing files is due; null means `ARTWORK_GRACE_MS` after the upload URL's expiry. */
  firstCheckAt: Date | null;
}

/**
 * Records the size and checksum of an order's artwork, so that another file cannot replace it unnoticed. For a missing file, records the
 * time of the first check. Files that have arrived are inspected again for the order's sizes. The caller has locked the uploads.
 * @returns when the first check for missing files is due; null if no file is missing
 */
export async function recordArtwork(
  sql: Transaction,
  { orderId, accountId, urls, firstCheckAt }: ReferencedArtwork,
  now: Date,
): Promise<Date | null> {
  const [, checks] = await Promise.all([
    sql.run(
      `
      UPDATE uploads SET used_at = COALESCE(used_at, $3),
        inspect_at = CASE WHEN received_at IS NULL THEN inspect_at ELSE COALESCE(inspect_at, clock_timestamp()) END
       WHERE account_id = $1 AND url = ANY ($2)`,
      [accountId, urls, now],
    ),
    sql.column<Date | null>(
      `
      INSERT INTO order_artwork (order_id, upload_id, size_bytes, checksum, fixed_at, next_check_at)
      SELECT $1::text, id, CASE WHEN received_at IS NULL THEN NULL ELSE size_bytes END, checksum, CASE WHEN received_at IS NULL THEN NULL ELSE $5::timestamptz END,
             CASE WHEN received_at IS NULL THEN COALESCE($4::timestamptz, expires_at + interval '${ARTWORK_GRACE_MS} milliseconds') END
        FROM uploads WHERE account_id = $2 AND url = ANY ($3) ORDER BY id
      ON CONFLICT (order_id, upload_id) DO UPDATE SET recorded_inspection_at = NULL RETURNING next_check_at`,
      [orderId, accountId, urls, firstCheckAt, now],
    ),
  ]);
  const due = checks.filter((at) => at !== null).map(Number);
  return due.length === 0 ? null : new Date(Math.min(...due));
}

/** An upload that replaces another on a line. */
interface LineArtwork {
  orderId: string;
  line: number;
  uploadId: string;
}

/** Locks the uploads of an order and its new upload, if any, in the order of their ids. Requires the order's lock. */
export async function lockArtwork(sql: Sql, orderId: string, uploadId: string | null): Promise<void> {
  await sql.run(
    `
    SELECT 1 FROM uploads WHERE id = $2 OR id IN (SELECT upload_id FROM order_artwork WHERE order_id = $1)
     ORDER BY id FOR NO KEY UPDATE`,
    [orderId, uploadId],
  );
}

/** The URL of an upload that the order's account may use; null if there is none or it was erased. */
export function findUploadUrlForOrder(sql: Sql, orderId: string, uploadId: string): Promise<string | null> {
  return sql.value(
    'SELECT u.url FROM uploads u JOIN orders o ON o.account_id = u.account_id WHERE u.id = $2 AND o.id = $1 AND u.erased_at IS NULL',
    [orderId, uploadId],
  );
}

/**
 * Replaces the upload of a line and clears the attention about the previous one, and
 * the studio's choice of its fit, before which the client may have had one. If no order uses the previous upload any more, the
 * scheduled workflow `sweep` may delete it. Requires `lockArtwork`.
 * @returns the id of the previous upload
 */
export async function replaceArtwork(
  sql: Transaction,
  { orderId, line, uploadId, firstCheckAt }: LineArtwork & Pick<ReferencedArtwork, 'firstCheckAt'>,
  now: Date,
): Promise<string | null> {
  const updated = await sql.one<{ account_id: string; url: string; replaced_id: string | null }>(
    `
    UPDATE quotes q SET jobs = jsonb_set(
      CASE WHEN f.chosen IS NULL THEN q.jobs
           WHEN f.chosen ->> 'replacedFit' IS NULL THEN q.jobs #- ARRAY[$2::text, 'selections', 'artworkFit']
           ELSE jsonb_set(q.jobs, ARRAY[$2::text, 'selections', 'artworkFit'], f.chosen -> 'replacedFit') END,
      ARRAY[$2::text, 'imageUrl'], to_jsonb(u.url))
      FROM (SELECT (SELECT t.content::jsonb FROM order_timeline t
              WHERE t.order_id = $1 AND t.type = 'artwork_fitted' AND t.outcome = 'applied' AND t.content::jsonb ->> 'line' = $2
              ORDER BY t.id LIMIT 1) AS chosen) f,
           orders o, uploads u, quotes b LEFT JOIN uploads r ON r.account_id = b.account_id AND r.url = b.jobs#>>ARRAY[$2::text, 'imageUrl']
     WHERE o.id = $1 AND q.id = o.quote_id AND b.id = q.id AND u.id = $3 AND u.account_id = o.account_id
    RETURNING u.account_id, u.url, r.id AS replaced_id`,
    [orderId, String(line), uploadId],
  );
  await recordArtwork(sql, { orderId, accountId: updated.account_id, urls: [updated.url], firstCheckAt }, now);
  const ids = await sql.column<string>(
    `
    DELETE FROM order_artwork a USING uploads u, orders o
     WHERE a.order_id = $1 AND u.id = a.upload_id AND o.id = a.order_id
       AND u.url NOT IN (SELECT j.job->>'imageUrl' FROM jsonb_array_elements(${jobsOfOrderSql('o')}) j (job) WHERE j.job->>'imageUrl' IS NOT NULL)
    RETURNING a.upload_id`,
    [orderId],
  );
  await sql.run(
    'UPDATE uploads u SET used_at = NULL WHERE id = ANY ($1) AND NOT EXISTS (SELECT 1 FROM order_artwork WHERE upload_id = u.id)',
    [ids],
  );
  const isAboutReplaced = `order_id = $2 AND (code IN ('ARTWORK_REJECTED', 'ARTWORK_LOW_RESOLUTION', 'ARTWORK_SHAPE_DIFFERS') AND substring(subject FROM '/(\\d+)$') = $3
    OR code IN ('ARTWORK_MISSING', 'ARTWORK_CHANGED', 'ARTWORK_UNREADABLE', 'ARTWORK_SEVERAL_PAGES') AND subject = ANY ($4))`;
  await clearAttentionWhere(sql, isAboutReplaced, [orderId, String(line), ids], now);
  return updated.replaced_id;
}

/** How the picture of a line fits its size; null without a choice. */
export function findLineFit(sql: Sql, orderId: string, line: number): Promise<ArtworkFit | null> {
  return sql.value(`SELECT (SELECT ${jobsOfOrderSql('o')} #>> ARRAY[$2::text, 'selections', 'artworkFit'] FROM orders o WHERE o.id = $1)`, [
    orderId,
    String(line),
  ]);
}

/** Sets how the picture of a line fits its size. A remake has its own lines. */
export async function setLineFit(sql: Sql, orderId: string, line: number, fit: ArtworkFit): Promise<void> {
  const jobs = `jobs = jsonb_set(jobs, ARRAY[$2::text, 'selections', 'artworkFit'], to_jsonb($3::text))`;
  const parameters = [orderId, String(line), fit];
  await Promise.all([
    sql.run(`UPDATE quotes SET ${jobs} WHERE id = (SELECT quote_id FROM orders WHERE id = $1)`, parameters),
    sql.run(`UPDATE remakes SET ${jobs} WHERE order_id = $1`, parameters),
  ]);
}

export function clearShapeAttention(sql: Sql, orderId: string, line: number, now: Date): Promise<void> {
  const isShape = `order_id = $2 AND code = 'ARTWORK_SHAPE_DIFFERS' AND substring(subject FROM '/(\\d+)$') = $3`;
  return clearAttentionWhere(sql, isShape, [orderId, String(line)], now);
}

/** Whether an order has recorded a file with a different checksum for this upload. */
export function hasOrderWithOtherChecksum(sql: Sql, uploadId: string, checksum: string): Promise<boolean> {
  return sql.exists('SELECT 1 FROM order_artwork WHERE upload_id = $1 AND fixed_at IS NOT NULL AND checksum <> $2 LIMIT 1', [
    uploadId,
    checksum,
  ]);
}

/**
 * Records that an upload's file has arrived: updates its row and the orders that wait for it, schedules an inspection of a file that was
 * not inspected, and clears the attention `ARTWORK_MISSING`.
 * Requires `lockUpload` in the same transaction.
 */
export async function recordUploadArrival(sql: Sql, uploadId: string, { sizeBytes, checksum }: ReceivedBytes, now: Date): Promise<void> {
  const isMissing = `code = 'ARTWORK_MISSING' AND subject = $2 AND order_id IN (SELECT order_id FROM order_artwork WHERE upload_id = $2)`;
  await Promise.all([
    sql.run(
      `
      UPDATE uploads u SET received_at = $2, checksum = $3,
        inspect_at = CASE WHEN ${isInspectedSql('$3')} THEN inspect_at ELSE COALESCE(inspect_at, clock_timestamp()) END WHERE id = $1`,
      [uploadId, now, checksum],
    ),
    sql.run(
      `
      UPDATE order_artwork SET size_bytes = $2, checksum = $3, fixed_at = $4, next_check_at = NULL WHERE upload_id = $1 AND fixed_at IS NULL`,
      [uploadId, sizeBytes, checksum, now],
    ),
    clearAttentionWhere(sql, isMissing, [uploadId], now),
  ]);
}

/** The order's missing artwork that its workflow still checks for. */
export function findAwaitedArtwork(sql: Sql, orderId: string): Promise<OrderArtwork[]> {
  return sql.rows(`SELECT ${ORDER_ARTWORK_COLUMNS} FROM ${TABLES} WHERE a.order_id = $1 AND a.next_check_at IS NOT NULL`, [orderId]);
}

/** Whether the order still uses the artwork. Requires `lockUpload` in the same transaction. */
export function isArtworkOfOrder(sql: Sql, { order_id, upload_id }: Pick<OrderArtwork, 'order_id' | 'upload_id'>): Promise<boolean> {
  return sql.exists('SELECT 1 FROM order_artwork WHERE order_id = $1 AND upload_id = $2', [order_id, upload_id]);
}

/** Sets the time of the next check; null ends the checks. */
export async function scheduleCheck(
  sql: Sql,
  { order_id, upload_id }: Pick<OrderArtwork, 'order_id' | 'upload_id'>,
  at: Date | null,
): Promise<void> {
  await sql.run('UPDATE order_artwork SET next_check_at = $3 WHERE order_id = $1 AND upload_id = $2 AND fixed_at IS NULL', [
    order_id,
    upload_id,
    at,
  ]);
}

const MAX_CHECKING_ORDERS = 20;

/**
 * Schedules a check on open orders that wait for the upload's file. Their number is limited, because the first check that finds the file
 * records it for all orders.
 * @returns the ids of these orders
 */
export function scheduleUploadChecks(sql: Sql, uploadId: string, at: Date): Promise<string[]> {
  return sql.column(
    `
    UPDATE order_artwork SET next_check_at = $2 WHERE upload_id = $1 AND order_id IN (
      SELECT a.order_id FROM order_artwork a JOIN orders o ON o.id = a.order_id
       WHERE a.upload_id = $1 AND a.fixed_at IS NULL AND o.settled_at IS NULL ORDER BY a.order_id LIMIT $3)
       AND fixed_at IS NULL RETURNING order_id`,
    [uploadId, at, MAX_CHECKING_ORDERS],
  );
}

/** When the order's workflow checks for missing artwork next; null if it waits for none. */
export function findNextCheck(sql: Sql, orderId: string): Promise<Date | null> {
  return sql.value(`SELECT ${NEXT_CHECK_AT} FROM (SELECT $1::text AS id) o`, [orderId]);
}

/** SQL over `orders o`: the time of the next check for missing artwork. */
export const NEXT_CHECK_AT = '(SELECT min(w.next_check_at) FROM order_artwork w WHERE w.order_id = o.id)';

/** Requests a comparison of the recorded artwork with the stored files. Called when production starts. */
export async function requestComparison(sql: Sql, orderId: string): Promise<void> {
  await sql.run('UPDATE order_artwork SET compare_due = true WHERE order_id = $1', [orderId]);
}

export function findArtworkToCompare(sql: Sql, orderId: string): Promise<OrderArtwork[]> {
  return sql.rows(`SELECT ${ORDER_ARTWORK_COLUMNS} FROM ${TABLES} WHERE a.order_id = $1 AND a.compare_due`, [orderId]);
}

/** Orders whose comparison was requested and not finished. */
export function findOrdersToCompare(sql: Sql, limit: number): Promise<string[]> {
  return sql.column('SELECT DISTINCT order_id FROM order_artwork WHERE compare_due LIMIT $1', [limit]);
}

export async function markCompared(sql: Sql, { order_id, upload_id }: Pick<OrderArtwork, 'order_id' | 'upload_id'>): Promise<void> {
  await sql.run('UPDATE order_artwork SET compare_due = false WHERE order_id = $1 AND upload_id = $2', [order_id, upload_id]);
}

/** The artwork file of one line, as the order recorded it. */
export interface LineArtworkRow {
  order_id: string;
  order_number: string;
  /** From 0. */
  line: number;
  quantity: number;
  selections: Record<string, string>;
  storage_key: string;
  filename: string;
  content_type: string;
  /** The type of the content; null before the inspection, or if it is not a picture. */
  media_type: string | null;
  size_bytes: number;
  /** Null if the file has not arrived, or the store has no checksum. */
  checksum: string | null;
  has_arrived: boolean;
}

/** The artwork of all lines of these orders, by order and line. Lines without artwork have no row. */
export function findLineArtwork(sql: Sql, orderIds: readonly string[]): Promise<LineArtworkRow[]> {
  return sql.rows(
    `
    SELECT o.id AS order_id, o.order_number, (j.place - 1)::int AS line, (j.job->>'quantity')::int AS quantity, j.job->'selections' AS selections,
           u.storage_key, u.filename, u.content_type, s.media_type, COALESCE(a.size_bytes, u.size_bytes) AS size_bytes,
           COALESCE(a.checksum, u.checksum) AS checksum, COALESCE(a.fixed_at, u.received_at) IS NOT NULL AS has_arrived
      FROM orders o CROSS JOIN LATERAL jsonb_array_elements(${jobsOfOrderSql('o')}) WITH ORDINALITY j (job, place)
      JOIN uploads u ON u.account_id = o.account_id AND u.url = j.job->>'imageUrl'
      LEFT JOIN order_artwork a ON a.order_id = o.id AND a.upload_id = u.id
      LEFT JOIN artwork_inspections s ON s.upload_id = u.id AND s.checksum IS NOT DISTINCT FROM u.checksum
     WHERE o.id = ANY ($1) ORDER BY o.id, j.place`,
    [orderIds],
  );
}
