import type { Sql } from '../src/db/database';
import { raiseAttention } from '../src/db/repositories/attention';
import { replaceControlCharacters } from '../src/domain/field-formats';
import { MAX_PER_KIND } from '../src/domain/message-rules';
import { sha256 } from '../src/security/fingerprint';
import type { OrderRefusal } from './contract';
import type { ActivityDeps } from './deps';

/**
 * Records what could not be applied in the order's timeline and raises attention, once for the same message and reason. After so many
 * refusals one entry says that there were more, so that a sender gone wild does not fill the order.
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
    SELECT $1, $2, '', $3, 'refused', $4, $5, 'signal', $6, $6 WHERE NOT EXISTS ( -- its text may have been erased
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
  const message = `more than ${MAX_PER_KIND} signals to this order were refused; those after them are in the worker's log only`;
  await raiseAttention(sql, { orderId, code: 'SIGNAL_REFUSED', subject: 'more' }, message, now);
}

/** A readable message is one occurrence, for whatever reason it was refused, so that applying it later clears the attention. */
function subjectOf({ messageKey, message, sentAs }: OrderRefusal): string {
  return messageKey ?? sha256(JSON.stringify([sentAs, message]));
}

function fieldsOf(message: unknown): Record<string, unknown> {
  return typeof message === 'object' && message !== null ? (message as Record<string, unknown>) : {};
}

/**
 * Makes one line of text that PostgreSQL can store, of at most so many bytes of UTF-8. The unique index holds id, content and
 * reason, and takes 2,704 bytes together; above, the refusal itself would fail for ever and hold up the order.
 */
function toStorableText(value: unknown, maxBytes: number): string {
  const text = typeof value === 'string' ? replaceControlCharacters(value.toWellFormed()) : '';
  const utf8 = Buffer.from(text);
  if (utf8.length <= maxBytes) return text;
  let end = maxBytes;
  while (((utf8[end] ?? 0) & 0xc0) === 0x80) end -= 1; // not within a character
  return utf8.toString('utf8', 0, end);
}
