import type { RecordedMilestone } from '../../domain/correction';
import { isMilestoneType, MILESTONE_TYPES, type OrderMessageType } from '../../domain/order-messages';
import { ID_PREFIXES } from '../../domain/order-messages/fields';
import type { Sql } from '../database';
import type { TimelineRow } from '../rows';

export interface AppliedEntry {
  /** The message's key. */
  key: string;
  type: OrderMessageType;
  orderId: string;
  milestoneId: string;
  content: string;
  /** Digest of the content, to compare repeated messages. */
  digest: string;
  actor: string;
  tokenId: string | null;
  badgeId: string | null;
  occurredAt: Date | string;
}

export async function insertAppliedMessage(sql: Sql, entry: AppliedEntry, now: Date): Promise<void> {
  await sql.run(
    `
    INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, token_id, badge_id, occurred_at, created_at)
    VALUES ($1, $2, $3, $4, 'applied', $5, $6, $7, $8, $9, $10, $11)`,
    [
      entry.orderId,
      entry.milestoneId,
      entry.key,
      entry.type,
      entry.content,
      entry.digest,
      entry.actor,
      entry.tokenId,
      entry.badgeId,
      entry.occurredAt,
      now,
    ],
  );
}

/** SQL: the milestone with this key was corrected. `key` is an expression. */
export const isCorrected = (order: string, key: string): string =>
  `EXISTS (SELECT 1 FROM order_timeline c WHERE c.order_id = ${order} AND c.outcome = 'applied' AND c.message_key = 'correct:' || ${key})`;

/** The order's unreversed milestones, in the order in which they were stored. */
export function findUncorrectedMilestones(sql: Sql, orderId: string): Promise<RecordedMilestone[]> {
  return sql.rows(
    `
    SELECT t.milestone_id AS "milestoneId", t.type, t.content::jsonb->'lines' AS lines, t.token_id AS "tokenId", t.badge_id AS "badgeId", t.created_at AS "recordedAt" FROM order_timeline t
     WHERE t.order_id = $1 AND t.outcome = 'applied' AND t.type = ANY ($2) AND NOT ${isCorrected('t.order_id', 't.message_key')} ORDER BY t.id`,
    [orderId, MILESTONE_TYPES],
  );
}

/** The type of the message applied under this key, or null. */
export function findAppliedType(sql: Sql, orderId: string, key: string): Promise<OrderMessageType | null> {
  return sql.value(`SELECT type FROM order_timeline WHERE order_id = $1 AND outcome = 'applied' AND message_key = $2`, [orderId, key]);
}

/** Returns the applied milestones without a correction from a timeline that is already loaded. */
export function uncorrectedMilestonesIn(timeline: readonly TimelineRow[]): RecordedMilestone[] {
  const applied = timeline.filter(({ outcome }) => outcome === 'applied');
  const corrections = new Set(applied.filter(({ type }) => type === 'corrected').map(({ milestone_id }) => milestone_id));
  return applied.flatMap(({ type, milestone_id: milestoneId, content, token_id: tokenId, badge_id: badgeId, created_at: recordedAt }) =>
    isMilestoneType(type) && !corrections.has(`${ID_PREFIXES.correction}${milestoneId}`)
      ? [{ milestoneId, type, lines: linesIn(content), tokenId, badgeId, recordedAt }]
      : [],
  );
}

const linesIn = (content: string): number[] | null => (JSON.parse(content) as { lines?: number[] }).lines ?? null;
