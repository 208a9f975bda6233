import { DECODER_VERSION, OVERDUE_INSPECTION_MS, type InspectionResult } from '../../domain/inspection';
import { FINDING_CODES, type Finding } from '../../domain/resolution';
import type { Sql } from '../database';
import { rowFromFields } from '../columns';
import { attentionInsert, clearAttentionWhere } from './attention';
import { INSPECTION_COLUMNS, type InspectionRow } from '../rows';

/** The duration of a claim on an inspection, longer than any inspection. After that the inspection counts as lost, and another process claims it. */
const LEASE = '10 minutes';

/** The decoder version of a result that must be made again. */
const OUTDATED = 0;

/** An account's recorded CPU time halves in this time. */
const CPU_HALF_LIFE_SECONDS = 600;

/** SQL over `uploads`: an inspection is due, claimed or not. Reads the index `uploads_to_inspect`. */
export const INSPECTION_DUE = 'inspect_at <= clock_timestamp() AND received_at IS NOT NULL AND retired_at IS NULL AND erased_at IS NULL';

/** SQL over `uploads u`: the current decoder has inspected the file with the checksum of this SQL. */
export const isInspectedSql = (checksum: string): string =>
  `EXISTS (SELECT 1 FROM artwork_inspections i WHERE i.upload_id = u.id AND i.checksum IS NOT DISTINCT FROM ${checksum} AND i.decoder_version = ${DECODER_VERSION})`;

const RECENT_CPU = `(COALESCE(a.cpu_seconds, 0) * 0.5 ^ LEAST(COALESCE(extract(epoch FROM clock_timestamp() - a.cpu_at)::float8, 0) / ${CPU_HALF_LIFE_SECONDS}, 50))`;

/**
 * Claims the next upload to inspect: of the account with the least recent CPU time, the upload that has waited longest. Uses the database's
 * clock, which also sets the due times.
 * @param busyAccounts accounts to skip
 * @returns null if no upload is due
 */
export function claimInspection(sql: Sql, busyAccounts: readonly string[]): Promise<{ id: string; account_id: string } | null> {
  return sql.row(
    `
    UPDATE uploads SET inspection_claimed_until = clock_timestamp() + interval '${LEASE}' WHERE id = (
      SELECT u.id FROM uploads u LEFT JOIN artwork_usage a ON a.account_id = u.account_id
       WHERE ${INSPECTION_DUE} AND COALESCE(inspection_claimed_until <= clock_timestamp(), true) AND NOT u.account_id = ANY ($1)
       ORDER BY ${RECENT_CPU}, u.inspect_at LIMIT 1 FOR NO KEY UPDATE OF u SKIP LOCKED) RETURNING id, account_id`,
    [busyAccounts],
  );
}

/** Releases a claim that led to no inspection. */
export async function releaseInspection(sql: Sql, uploadId: string): Promise<void> {
  await sql.run('UPDATE uploads SET inspection_claimed_until = NULL WHERE id = $1', [uploadId]);
}

/** Inspections that have been due for longer than OVERDUE_INSPECTION_MS, and the time since which the oldest one has been due. */
export function findOverdueInspections(sql: Sql): Promise<{ count: number; oldest_due_at: Date | null }> {
  return sql.one(
    `
    SELECT count(*)::int AS count, min(inspect_at) AS oldest_due_at FROM uploads
     WHERE ${INSPECTION_DUE} AND inspect_at < clock_timestamp() - interval '${OVERDUE_INSPECTION_MS} milliseconds'`,
  );
}

/** Adds to the recent CPU time of the upload's account. */
export async function addCpuTime(sql: Sql, uploadId: string, cpuSeconds: number): Promise<void> {
  await sql.run(
    `
    INSERT INTO artwork_usage AS a (account_id, cpu_seconds, cpu_at) SELECT account_id, $2, clock_timestamp() FROM uploads WHERE id = $1
    ON CONFLICT (account_id) DO UPDATE SET cpu_seconds = ${RECENT_CPU} + excluded.cpu_seconds, cpu_at = excluded.cpu_at`,
    [uploadId, cpuSeconds],
  );
}

export interface UploadToInspect {
  id: string;
  storage_key: string;
  url: string;
  checksum: string | null;
  /** True if the upload is retired or erased. Its file is not inspected again. */
  is_given_up: boolean;
}

const UPLOAD_TO_INSPECT = `SELECT id, storage_key, url, checksum, retired_at IS NOT NULL OR erased_at IS NOT NULL AS is_given_up FROM uploads WHERE id = $1`;

/** Null if the upload does not exist. */
export function findUploadToInspect(sql: Sql, uploadId: string): Promise<UploadToInspect | null> {
  return sql.row(UPLOAD_TO_INSPECT, [uploadId]);
}

/** Finds and locks an upload until the transaction ends. Meanwhile its file cannot change and no new order can use the upload. */
export function lockUploadToInspect(sql: Sql, uploadId: string): Promise<UploadToInspect | null> {
  return sql.row(`${UPLOAD_TO_INSPECT} FOR NO KEY UPDATE`, [uploadId]);
}

/** The inspection of the file with this checksum; null if that file was never inspected. */
export function findInspection(sql: Sql, uploadId: string, checksum: string | null): Promise<InspectionRow | null> {
  return sql.row(`SELECT ${INSPECTION_COLUMNS.list} FROM artwork_inspections WHERE upload_id = $1 AND checksum IS NOT DISTINCT FROM $2`, [
    uploadId,
    checksum,
  ]);
}

/** The inspection of the file with this checksum by the current decoder. Others are made again. */
export async function findReusableInspection(sql: Sql, uploadId: string, checksum: string | null): Promise<InspectionRow | null> {
  const inspection = await findInspection(sql, uploadId, checksum);
  return inspection?.decoder_version === DECODER_VERSION ? inspection : null;
}

/** Stores the inspection and replaces an inspection of an earlier file. */
export function storeInspection(
  sql: Sql,
  uploadId: string,
  checksum: string | null,
  found: InspectionResult,
  now: Date,
): Promise<InspectionRow> {
  return sql.one(
    `
    INSERT INTO artwork_inspections (upload_id, ${INSPECTION_COLUMNS.list})
    SELECT $1, ${INSPECTION_COLUMNS.of('f')} FROM jsonb_populate_record(NULL::artwork_inspections, $2::jsonb) f
    ON CONFLICT (upload_id) DO UPDATE SET (${INSPECTION_COLUMNS.list}) = ROW (${INSPECTION_COLUMNS.of('excluded')})
    RETURNING ${INSPECTION_COLUMNS.list}`,
    [uploadId, JSON.stringify({ ...rowFromFields(found), checksum, inspected_at: now })],
  );
}

/**
 * Marks the upload's inspection as outdated and schedules another. Requires `lockUploadToInspect` in the same transaction.
 * @returns false if that inspection is already due or running
 */
export async function requestInspection(sql: Sql, uploadId: string): Promise<boolean> {
  const { changed } = await sql.one<{ changed: boolean }>(
    `
    WITH outdated_inspection AS (UPDATE artwork_inspections SET decoder_version = ${OUTDATED} WHERE upload_id = $1 AND decoder_version <> ${OUTDATED} RETURNING 1),
    scheduled_upload AS (UPDATE uploads SET inspect_at = clock_timestamp() WHERE id = $1 AND inspect_at IS NULL RETURNING 1)
    SELECT EXISTS (SELECT 1 FROM outdated_inspection) OR EXISTS (SELECT 1 FROM scheduled_upload) AS changed`,
    [uploadId],
  );
  return changed;
}

/** Marks that no inspection of the upload is due. */
export async function markInspectionDone(sql: Sql, uploadId: string): Promise<void> {
  await sql.run('UPDATE uploads SET inspect_at = NULL, inspection_claimed_until = NULL WHERE id = $1', [uploadId]);
}

/** Marks the stored result as outdated, because its previews are about to be replaced. */
export async function markInspectionOutdated(sql: Sql, uploadId: string): Promise<void> {
  await sql.run(`UPDATE artwork_inspections SET decoder_version = ${OUTDATED} WHERE upload_id = $1`, [uploadId]);
}

/** Deletes a result that can no longer be made again, because the file is missing. */
export async function deleteOutdatedInspection(sql: Sql, uploadId: string): Promise<void> {
  await sql.run(`DELETE FROM artwork_inspections WHERE upload_id = $1 AND decoder_version = ${OUTDATED}`, [uploadId]);
}

/** Schedules an inspection of a stored file that was not inspected, because it was missing at its inspection and then sent again. */
export async function scheduleMissingInspection(sql: Sql, uploadId: string): Promise<void> {
  await sql.run(
    `UPDATE uploads u SET inspect_at = clock_timestamp() WHERE id = $1 AND inspect_at IS NULL AND NOT ${isInspectedSql('u.checksum')}`,
    [uploadId],
  );
}

/**
 * Schedules an inspection of all stored artwork of an order, because the result depends on the sizes of the order's lines. Placing an order
 * on a quote schedules it too.
 */
export async function scheduleReinspection(sql: Sql, orderId: string): Promise<void> {
  await sql.run(
    `
    UPDATE uploads SET inspect_at = COALESCE(inspect_at, clock_timestamp())
     WHERE received_at IS NOT NULL AND id IN (SELECT upload_id FROM order_artwork WHERE order_id = $1)`,
    [orderId],
  );
}

/** Finds open orders that use the upload and that this inspection's result was not yet applied to. */
export function findOrdersToAssess(sql: Sql, uploadId: string, inspectedAt: Date): Promise<string[]> {
  return sql.column(
    `
    SELECT a.order_id FROM order_artwork a JOIN orders o ON o.id = a.order_id
     WHERE a.upload_id = $1 AND a.recorded_inspection_at IS DISTINCT FROM $2 AND o.settled_at IS NULL ORDER BY a.order_id`,
    [uploadId, inspectedAt],
  );
}

export async function markAssessed(sql: Sql, orderId: string, uploadId: string, inspectedAt: Date): Promise<void> {
  await sql.run('UPDATE order_artwork SET recorded_inspection_at = $3 WHERE order_id = $1 AND upload_id = $2', [
    orderId,
    uploadId,
    inspectedAt,
  ]);
}

/** Clears the order's attention from earlier inspections of this upload, except the findings of the new inspection. */
export function clearOutdatedFindings(sql: Sql, orderId: string, uploadId: string, findings: readonly Finding[], now: Date): Promise<void> {
  const condition = `order_id = $2 AND code IN ('${FINDING_CODES.join("', '")}')
    AND split_part(subject, '/', 1) = $3 AND NOT (code || ' ' || subject || ' ' || message = ANY ($4))`;
  const found = findings.map(({ code, subject, message }) => `${code} ${subject} ${message}`);
  return clearAttentionWhere(sql, condition, [orderId, uploadId, found], now);
}

/** Raises attention for a finding, unless a person has resolved the same finding on this order. */
export async function raiseFinding(sql: Sql, orderId: string, { code, subject, message }: Finding, now: Date): Promise<void> {
  const source = `SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (
      SELECT 1 FROM order_attention WHERE order_id = $1 AND code = $2 AND subject = $3 AND message = $4 AND note IS NOT NULL)`;
  await sql.run(attentionInsert(source), [orderId, code, subject, message, now]);
}
