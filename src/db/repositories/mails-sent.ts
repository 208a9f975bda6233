import type { Sql } from '../database';

/** Whether this mail was sent or permanently refused. It is not sent again. */
export function isMailProcessed(sql: Sql, mailId: string): Promise<boolean> {
  return sql.exists('SELECT 1 FROM mails_sent WHERE id = $1', [mailId]);
}

export async function markMailProcessed(sql: Sql, mailId: string, now: Date): Promise<void> {
  await sql.run('INSERT INTO mails_sent (id, sent_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [mailId, now]);
}

/** Deletes records of mails that cannot be retried any more. */
export async function deleteMailsBefore(sql: Sql, before: Date): Promise<void> {
  await sql.run('DELETE FROM mails_sent WHERE sent_at < $1', [before]);
}
