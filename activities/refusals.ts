import type { Sql } from '../src/db/database';
import { raiseAttention } from '../src/db/repositories/attention';
import { replaceControlCharacters } from '../src/domain/field-formats';
import { MAX_PER_KIND } from '../src/domain/order-messages/limits';
import { sha256 } from '../src/security/fingerprint';
import type { OrderRefusal } from './contract';
import type { ActivityDeps } from './deps';

/**
 * Adds a refused message to the order's timeline and raises attention, once for each message and reason. Above a limit only one last
 * attention entry is raised, because a broken sender must not fill the order.
 */
export async function recordRefusal(deps: ActivityDeps, refusal: OrderRefusal): Promise<void> {
  const now = deps.clock.now();
  await deps.database.transaction(async (sql) => {
    const order = await sql.row<{ refusals: number }>(
      `
      SELECT (SELECT count(*)::int FROM order_timeline t WHERE t.order_id = o.id AND t.outcome = 'refused') AS refusals
        FROM orders o WHERE o.id = $1 FOR UPDATE`,
      [refusal.orderId],
    );
    if (order === null) return;
    await (order.refusals < MAX_PER_KIND ? storeRefusal(sql, refusal, now) : raiseTooManyRefusals(sql, refusal, now));
  });
}

async function storeRefusal(sql: Sql, refusal: OrderRefusal, now: Date): Promise<void> {
  const { orderId, message, reason, sentAs, attention = 'SIGNAL_REFUSED' } = refusal;
  const { milestoneId, type } = fieldsOf(message);
  const content = toStorableText(JSON.stringify(message), 1300);
  const name = toStorableText(sentAs ?? type, 200);
  const stored = await sql.row(
    `
    INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, reason, content, actor, occurred_at, created_at)
    SELECT $1, $2, '', $3, 'refused', $4, $5, 'signal', $6, $6 WHERE NOT EXISTS ( -- compares the digest, because the content may be erased
      SELECT 1 FROM order_timeline t WHERE t.order_id = $1 AND t.milestone_id = $2 AND t.outcome = 'refused' AND t.reason = $4 AND t.digest = $7)
    ON CONFLICT DO NOTHING RETURNING id`,
    [orderId, toStorableText(milestoneId, 400), name, toStorableText(reason, 700), content, now, sha256(content)],
  );
  if (stored !== null)
    await raiseAttention(
      sql,
      { orderId, code: attention, subject: subjectOf(refusal) },
      toStorableText(`${name || 'a signal'}: ${reason}`, 1000),
      now,
    );
}

async function raiseTooManyRefusals(sql: Sql, { orderId }: OrderRefusal, now: Date): Promise<void> {
  const message = `more than ${MAX_PER_KIND} signals to this order were refused; see the worker's log for the later ones`;
  await raiseAttention(sql, { orderId, code: 'SIGNAL_REFUSED', subject: 'more' }, message, now);
}

/** Refusals of the same message share one subject. When the message is applied later, its key clears the attention. */
function subjectOf({ messageKey, message, sentAs }: OrderRefusal): string {
  return messageKey ?? sha256(JSON.stringify([sentAs, message]));
}

function fieldsOf(message: unknown): Record<string, unknown> {
  return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : {};
}

/**
 * Returns one line of text that PostgreSQL can store, of at most `maxBytes` bytes of UTF-8. The unique index holds id, content and reason,
 * at most 2,704 bytes together. A longer value would make every retry fail and block the order.
 */
function toStorableText(value: unknown, maxBytes: number): string {
  const text = typeof value === 'string' ? replaceControlCharacters(value.toWellFormed()) : '';
  const utf8 = Buffer.from(text);
  if (utf8.length <= maxBytes) return text;
  let end = maxBytes;
  while (((utf8[end] ?? 0) & 0xc0) === 0x80) end -= 1; // keep characters whole
  return utf8.toString('utf8', 0, end);
}
