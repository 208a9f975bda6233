import type { Sql } from '../database';

/** Whether this mail was sent or given up. It is not sent again. */
export function isMailProcessed(sql: Sql, mailId: string): Promise<boolean> {
  return sql.exists('SELECT 1 FROM mails_sent WHERE id = $1', [mailId]);
}

export async function markMailProcessed(sql: Sql, mailId: string, now: Date): Promise<void> {
  await sql.run('INSERT INTO mails_sent (id, sent_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [mailId, now]);
}

/**
 * Records a failed attempt. A day without an attempt starts the three days again, because the mail had to wait. Uses PostgreSQL's clock,
 * because that of this machine may be wrong.
 * @returns true if the attempts have failed for three days
 */
export function recordMailDelay(sql: Sql, mailId: string): Promise<boolean> {
  return sql.value(
    `
    INSERT INTO mail_delays AS d (id, failing_since, failed_at) VALUES ($1, clock_timestamp(), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET failed_at = excluded.failed_at,
      failing_since = CASE WHEN d.failed_at < excluded.failed_at - interval '1 day' THEN excluded.failed_at ELSE d.failing_since END
    RETURNING failing_since <= failed_at - interval '3 days'`,
    [mailId],
  );
}

/** Deletes records of mails that cannot be retried any more. */
export async function deleteMailsBefore(sql: Sql, before: Date): Promise<void> {
  await sql.run('DELETE FROM mails_sent WHERE sent_at < $1', [before]);
  await sql.run('DELETE FROM mail_delays WHERE failed_at < $1', [before]);
}
