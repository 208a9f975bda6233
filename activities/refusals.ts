import type { ActivityDeps } from './index';

/** A message that could not be applied, in the order's timeline: once for the same message and reason. */
export async function recordRefusal(deps: ActivityDeps, refusal: { orderId: string; message: unknown; reason: string }): Promise<void> {
  const fields = typeof refusal.message === 'object' && refusal.message !== null ? (refusal.message as Record<string, unknown>) : {};
  const now = deps.clock.now();
  await deps.dataSource.query(`
    INSERT INTO order_timeline (order_id, milestone_id, type, outcome, reason, content, actor, occurred_at, created_at)
    SELECT id, $2, $3, 'refused', $4, $5, 'signal', $6, $6 FROM orders WHERE id = $1
    ON CONFLICT DO NOTHING`,
    [refusal.orderId, plain(fields.milestoneId, 400), plain(fields.type, 200), plain(refusal.reason, 700), plain(JSON.stringify(refusal.message), 1300), now]);
}

/**
 * Text PostgreSQL can store, of whatever was sent: at most so many bytes of UTF-8. The unique index holds id, content and
 * reason, and takes 2,704 bytes together; above, the refusal itself would fail for ever and hold up the order.
 */
function plain(value: unknown, bytes: number): string {
  const text = typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : '';
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  let end = bytes;
  while (((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1; // not within a character
  return whole.toString('utf8', 0, end);
}
