import type { Sql } from '../database';

export interface AttemptBatch {
  /** The attempts were sent before this time. */
  before: Date;
  afterId: number;
  limit: number;
}

/**
 * Deletes old attempts among the next `limit` ones. A delivery keeps the result of the newest of them. Skips attempts of locked deliveries.
 * @returns `lastId`: where the next batch begins; null if the batch reached attempts that are not old
 */
export function deleteAttempts(sql: Sql, { before, afterId, limit }: AttemptBatch): Promise<{ deleted: number; lastId: number | null }> {
  return sql.one(
    `
    WITH batch AS MATERIALIZED (SELECT id, delivery_id, at FROM webhook_attempts WHERE id > $2 ORDER BY id LIMIT $3),
    unlocked_deliveries AS MATERIALIZED (
      SELECT d.id FROM webhook_deliveries d WHERE d.id IN (SELECT delivery_id FROM batch WHERE at < $1) FOR NO KEY UPDATE SKIP LOCKED),
    deleted_attempts AS (
      DELETE FROM webhook_attempts t USING batch b
       WHERE t.id = b.id AND b.at < $1 AND (b.delivery_id IS NULL OR b.delivery_id IN (SELECT id FROM unlocked_deliveries))
      RETURNING t.id, t.delivery_id, t.at, t.status, t.error_code),
    updated_deliveries AS (
      UPDATE webhook_deliveries d SET deleted_attempt_at = n.at, deleted_attempt_status = n.status, deleted_attempt_error = n.error_code
        FROM (SELECT DISTINCT ON (delivery_id) * FROM deleted_attempts ORDER BY delivery_id, id DESC) n WHERE d.id = n.delivery_id)
    SELECT (SELECT count(*) FROM deleted_attempts)::integer AS deleted,
      CASE WHEN count(*) = $3 AND bool_and(at < $1) THEN max(id) END AS "lastId" FROM batch`,
    [before, afterId, limit],
  );
}
