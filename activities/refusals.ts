import type { ActivityDeps } from './index';

/** A message that could not be applied, in the order's timeline: once for the same message and reason. */
export async function recordRefusal(deps: ActivityDeps, refusal: { orderId: string; message: unknown; reason: string }): Promise<void> {
  const fields = typeof refusal.message === 'object' && refusal.message !== null ? (refusal.message as Record<string, unknown>) : {};
  const now = deps.clock.now();
  await deps.dataSource.query(`
    INSERT INTO order_timeline (order_id, milestone_id, type, outcome, reason, content, actor, occurred_at, created_at)
    SELECT id, $2, $3, 'refused', $4, $5, 'signal', $6, $6 FROM orders WHERE id = $1
    ON CONFLICT DO NOTHING`,
    [refusal.orderId, plain(fields.milestoneId, 200), plain(fields.type, 100), plain(refusal.reason, 2000), plain(JSON.stringify(refusal.message), 2000), now]);
}

/** Text PostgreSQL can store, of whatever was sent. */
function plain(value: unknown, length: number): string {
  const text = typeof value === 'string' ? value : '';
  return text.replaceAll('\u0000', '').toWellFormed().slice(0, length);
}
