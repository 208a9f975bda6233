import type { Sql } from '../src/db/database';
import { clearAttention } from '../src/db/repositories/attention';
import { writeAudit } from '../src/db/repositories/audit';
import { packedPieces } from '../src/db/repositories/parcels';
import { lockAccount } from '../src/db/repositories/accounts';
import {
  findAccountOfOrder,
  FACT_COLUMNS,
  loadOrderState,
  lockOrder,
  ORDER_WITH_RELATIONS,
  type LockedOrder,
} from '../src/db/repositories/orders';
import {
  findArtworkUrls,
  lockArtwork,
  findNextCheck,
  replaceArtwork,
  requestComparison,
  findUploadUrlForOrder,
} from '../src/db/repositories/order-artwork';
import { firstCheckAt } from '../src/artwork/order-artwork';
import { insertAppliedMessage } from '../src/db/repositories/timeline';
import type { OrderWithRelations } from '../src/db/rows';
import { excessIssue } from '../src/domain/line-quantities';
import { artworkLineIssue } from '../src/domain/order-issues';
import { effectiveStatus, hasStarted, isSettled, type OrderFacts } from '../src/domain/order-status';
import { isMilestone, type ArtworkReplacement, type OrderMessage } from '../src/domain/order-message-types';
import { canonicalJson } from '../src/domain/canonical-json';
import { ApiError, assertNever } from '../src/domain/errors';
import { comparedContent, messageContent, messageKey } from '../src/domain/message-key';
import { findLimitGroup, movesMoney, MAX_PER_KIND, alreadyReversedReason, limitReason } from '../src/domain/message-rules';
import { remadeArtworkRefusal } from '../src/domain/remakes';
import { textLimitIssue } from '../src/domain/order-texts';
import { insertEvent } from '../src/db/repositories/webhook-deliveries';
import { eventOf } from '../src/orders/events';
import { sha256 } from '../src/security/fingerprint';
import { startArtworkComparison } from './artwork';
import { createMessageAudit } from './message-audit';
import { updateAttention } from './order-attention';
import type { ApplyOutcome, Change, DecidedMessage } from './contract';
import { decideCorrection } from './corrections';
import { bookMessage, type StudioBooking } from './order-money';
import { assessChange, storeResponse, applyClientChange, type AcceptedChange } from './order-change';
import type { ActivityDeps } from './deps';

/**
 * Checks the workflow's decision against the locked order and stores the change in one transaction. It writes the order row, parcel or
 * payment, invoice and ledger, timeline and, if clients are notified, the event with its final body. After a restored backup the database
 * may be older than the workflow's memory, so only the database decides whether a message was already applied (ruling 48).
 */
export async function applyChange(deps: ActivityDeps, decided: DecidedMessage): Promise<ApplyOutcome> {
  const { deliveries, ...outcome } = await runInTransaction(deps, decided, async (sql) => {
    const stored = await lockOrder(sql, decided.orderId, decided);
    if (stored === null) return { outcome: 'gone' as const, deliveries: 0 };
    if (decided.message.type === 'artwork_replaced') await lockArtwork(sql, decided.orderId, decided.message.uploadId);
    return (await outcomeWithoutChange(sql, decided, stored)) ?? storeDecision(deps, sql, decided, stored);
  });
  if (deliveries > 0) deps.deliveryNotifier.notify();
  if (decided.message.type === 'production_started') startArtworkComparison(deps, decided.orderId);
  return outcome;
}

/**
 * Messages that move money lock the account before the order, as placing an order does. Before that they wait in the account's queue
 * without a database connection. A message that needs more credit than the account has is refused, and its transaction rolls back.
 */
async function runInTransaction(
  deps: ActivityDeps,
  { orderId, message }: DecidedMessage,
  work: (sql: Sql) => Promise<StoreResult>,
): Promise<StoreResult> {
  if (!movesMoney(message)) return deps.database.transaction(work);
  const accountId = await findAccountOfOrder(deps.database, orderId);
  if (accountId === null) return { outcome: 'gone', deliveries: 0 };
  try {
    return await deps.accountWriteQueue.run(accountId, () =>
      deps.database.transaction(async (sql) => {
        await lockAccount(sql, accountId);
        return work(sql);
      }),
    );
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CREDIT_INSUFFICIENT') throw error;
    const { code, message: reason, details } = error;
    return { outcome: 'refused', code, reason, ...(details === undefined ? {} : { details }), deliveries: 0 };
  }
}

type StoreResult = ApplyOutcome & { deliveries: number };

/** The result for a message that changes nothing, such as a repeated, refused or stale one. Null if the message must be stored. */
async function outcomeWithoutChange(sql: Sql, decided: DecidedMessage, stored: LockedOrder): Promise<StoreResult | null> {
  const isCurrent = stored.version === decided.expectedVersion && stored.order_number === decided.orderNumber;
  const loadStored = async () => {
    const state = await loadOrderState(sql, decided.orderId);
    if (state === null) throw new Error(`order ${decided.orderId} does not exist although its row is locked`);
    return state;
  };
  if (stored.applied_digest !== null) {
    if (stored.applied_digest !== digestOf(decided.message)) return { outcome: 'reused', deliveries: 0 };
    if (stored.is_reversed) return { outcome: 'refused', reason: alreadyReversedReason(decided.message), deliveries: 0 };
    return { outcome: 'repeated', ...(isCurrent ? {} : { stored: await loadStored() }), deliveries: 0 };
  }
  if (!isCurrent) return { outcome: 'stale', stored: await loadStored(), deliveries: 0 };
  if ('refused' in decided.decision || 'unchanged' in decided.decision) return { outcome: 'confirmed', deliveries: 0 };
  if (decided.message.type === 'artwork_replaced') {
    const comparison = await compareReplacement(sql, decided.orderId, decided.message);
    if (comparison === 'same') return { outcome: 'confirmed', deliveries: 0 };
    if (comparison !== 'other') return { outcome: 'refused', reason: comparison.refused, deliveries: 0 };
  }
  if (decided.message.type === 'artwork_rejected' && stored.remake_of !== null)
    return { outcome: 'refused', reason: remadeArtworkRefusal(stored.remake_of), deliveries: 0 };
  const lineIssue = await lineIssueOf(sql, decided);
  if (lineIssue !== null) return { outcome: 'refused', reason: lineIssue, deliveries: 0 };
  const limitIssue = limitIssueOf(decided.message, stored);
  if (limitIssue === null) return null;
  return { outcome: 'refused', reason: limitIssue, deliveries: 0 };
}

/** `same` if the line already has this artwork, `other` if it can have it, else the reason why not. */
async function compareReplacement(
  sql: Sql,
  orderId: string,
  { line, uploadId }: ArtworkReplacement,
): Promise<'same' | 'other' | { refused: string }> {
  const urls = await findArtworkUrls(sql, orderId);
  const issue = artworkLineIssue(line, urls);
  if (issue !== null) return { refused: issue };
  const url = await findUploadUrlForOrder(sql, orderId, uploadId);
  if (url === null) return { refused: `the upload ${uploadId} no longer exists; send the file as a new upload` };
  return url === urls[line] ? 'same' : 'other';
}

/**
 * Checks the order's limits on the number of messages and the size of their texts. The order is locked, because both limits count earlier
 * messages.
 */
function limitIssueOf(message: OrderMessage, stored: LockedOrder): string | null {
  const limitGroup = findLimitGroup(message.type);
  if (limitGroup !== null && stored.counted >= MAX_PER_KIND) return limitReason(limitGroup.label);
  const bytesOf = (text: string): number => Buffer.byteLength(text);
  return textLimitIssue({ message, countBytes: bytesOf, ownBytes: bytesOf(messageContent(message)), storedBytes: stored.text_bytes });
}

/** Checks the line numbers of a message. Only the database knows the order's lines. */
async function lineIssueOf(sql: Sql, { orderId, message }: DecidedMessage): Promise<string | null> {
  if (message.type === 'artwork_rejected') return artworkLineIssue(message.line ?? 0, await findArtworkUrls(sql, orderId));
  if (message.type !== 'parcel_added' || !message.lines) return null;
  const { ordered, packed } = await packedPieces(sql, orderId);
  return excessIssue(message.lines, ordered, packed);
}

function digestOf(message: OrderMessage): string {
  return sha256(comparedContent(message));
}

/** Stores the workflow's decision. Corrections are decided here, because only the database has the timeline. */
async function storeDecision(deps: ActivityDeps, sql: Sql, decided: DecidedMessage, stored: LockedOrder): Promise<StoreResult> {
  const { orderId, message, decision } = decided;
  if (message.type === 'changed') return storeClientChange(deps, sql, decided, message.changeId, stored);
  if (message.type !== 'corrected') return storeChange(deps, sql, decided, decision as Change, stored);
  const correction = await decideCorrection(sql, orderId, message, {
    tokenId: decided.sender?.credentialId ?? null,
    role: stored.token_role,
    now: deps.clock.now(),
  });
  if ('refused' in correction) return { outcome: 'refused', reason: correction.refused, code: correction.code, deliveries: 0 };
  return { ...(await storeChange(deps, sql, decided, correction, stored)), facts: correction.facts };
}

/** Stores a client's change, which leaves the facts as they are, and the response for repeated requests. */
async function storeClientChange(
  deps: ActivityDeps,
  sql: Sql,
  decided: DecidedMessage,
  changeId: string,
  stored: LockedOrder,
): Promise<StoreResult> {
  const assessed = await assessChange(deps, sql, decided.orderId, changeId);
  if (!('accepted' in assessed)) return { outcome: 'refused', ...assessed, deliveries: 0 };
  return storeChange(deps, sql, decided, decided.decision as Change, stored, assessed.accepted);
}

async function storeChange(
  deps: ActivityDeps,
  sql: Sql,
  decided: DecidedMessage,
  decision: Change,
  before: LockedOrder,
  clientChange: AcceptedChange | null = null,
): Promise<Extract<StoreResult, { outcome: 'applied' }>> {
  const now = deps.clock.now();
  await writeDetails(sql, decided, now);
  if (clientChange !== null) await applyClientChange(sql, decided.orderId, clientChange, now);
  if (decided.message.type === 'production_started') await requestComparison(sql, decided.orderId);
  const replacement =
    decided.message.type === 'artwork_replaced'
      ? await storeReplacement(deps, sql, decided.orderId, decided.message, decision.facts, now)
      : null;
  await writeTimelineAndAudit(sql, decided, decision.facts, before, replacement?.content ?? messageContent(decided.message), now);
  await updateAttention(sql, decided.orderId, decided.message, decision.facts, now);
  // Must follow the timeline and the attention, because the response contains cancelledAt and issues.
  const order = await writeOrder(sql, decided.orderId, decision, now);
  const isNotified = decision.eventStatus !== null && order.quote_id !== null; // remakes send no events
  const deliveries = !isNotified ? 0 : await insertEvent(sql, eventOf(order, order.event_sequence, now));
  if (clientChange !== null) await storeResponse(sql, clientChange, order, now);
  if (movesMoney(decided.message)) await bookMessage(sql, await createBooking(deps, sql, order, now), order.id, decided.message);
  return { outcome: 'applied', version: order.version, deliveries, ...(replacement && { artworkDue: replacement.artworkDue }) };
}

/**
 * Stores the new artwork of a line. If production has started, the file is compared with the order again.
 * @returns the time of the next check for missing artwork, and the content of the timeline entry. An erasure finds the replaced upload
 * there.
 */
async function storeReplacement(
  deps: ActivityDeps,
  sql: Sql,
  orderId: string,
  message: OrderMessage & { type: 'artwork_replaced' },
  facts: OrderFacts,
  now: Date,
): Promise<{ artworkDue: string | null; content: string }> {
  const { line, uploadId } = message;
  const replacedUploadId = await replaceArtwork(sql, { orderId, line, uploadId, firstCheckAt: firstCheckAt(deps, now) }, now);
  if (hasStarted(facts)) await requestComparison(sql, orderId);
  const content = canonicalJson({ ...JSON.parse(messageContent(message)), replacedUploadId });
  return { artworkDue: (await findNextCheck(sql, orderId))?.toISOString() ?? null, content };
}

async function createBooking(deps: ActivityDeps, sql: Sql, order: OrderWithRelations, now: Date): Promise<StudioBooking> {
  return { accountId: order.account_id, environment: order.environment, now, ...(await deps.calendar.studioDay(sql, now)) };
}

/** Updates the order row. Returns the order with its new parcels, payments, timeline and issues. */
async function writeOrder(sql: Sql, orderId: string, { facts, eventStatus }: Change, now: Date): Promise<OrderWithRelations> {
  const factNames = Object.keys(FACT_COLUMNS) as (keyof typeof FACT_COLUMNS)[];
  const order = await sql.row<OrderWithRelations>(
    `
    UPDATE orders o SET status = $2, ${factNames.map((name, index) => `${FACT_COLUMNS[name]} = $${6 + index}`).join(', ')},
      settled_at = CASE WHEN $3 THEN COALESCE(settled_at, $5) ELSE NULL END,
      event_sequence = event_sequence + CASE WHEN $4 AND quote_id IS NOT NULL THEN 1 ELSE 0 END,
      version = version + 1, updated_at = $5
     WHERE o.id = $1 RETURNING ${ORDER_WITH_RELATIONS}`,
    [orderId, effectiveStatus(facts), isSettled(facts), eventStatus !== null, now, ...factNames.map((name) => facts[name])],
  );
  if (order === null) throw new Error(`order ${orderId} does not exist`);
  return order;
}

/** Adds the message to the timeline and the audit log. Clears the attention that an earlier refused signal with this message raised. */
async function writeTimelineAndAudit(
  sql: Sql,
  { orderId, message, sender }: DecidedMessage,
  facts: OrderFacts,
  before: LockedOrder,
  content: string,
  now: Date,
): Promise<void> {
  const key = messageKey(message);
  const actor = sender === null ? 'signal' : (before.token_name ?? 'account');
  await insertAppliedMessage(
    sql,
    {
      orderId,
      milestoneId: message.milestoneId ?? key,
      key,
      type: message.type,
      content,
      digest: digestOf(message),
      actor,
      tokenId: before.token_name === null ? null : (sender?.credentialId ?? null),
      occurredAt: message.occurredAt ?? now,
    },
    now,
  );
  // Messages of the account are in the timeline only.
  const { credentialId: tokenId, requestId } = sender ?? { credentialId: actor, requestId: actor };
  if (actor !== 'account')
    await writeAudit(sql, { at: now, tokenId, name: actor, requestId }, createMessageAudit(orderId, message, before, facts));
  await clearAttention(sql, { orderId, code: 'SIGNAL_REFUSED', subject: key }, now);
}

async function writeDetails(sql: Sql, { orderId, message }: DecidedMessage, now: Date): Promise<void> {
  if (isMilestone(message)) return; // stored in the order row
  switch (message.type) {
    case 'parcel_added':
      return writeParcel(sql, orderId, message, now);
    case 'parcel_voided':
      await sql.run(`UPDATE parcels SET voided_at = $3 WHERE order_id = $1 AND id = $2 AND voided_at IS NULL`, [
        orderId,
        message.parcelId,
        now,
      ]);
      return;
    case 'payment_recorded':
      return writePayment(sql, orderId, message, now);
    case 'payment_reversed':
      await sql.run(`UPDATE payments SET reversed_at = $3 WHERE order_id = $1 AND id = $2 AND reversed_at IS NULL`, [
        orderId,
        message.paymentId,
        now,
      ]);
      return;
    case 'artwork_replaced': // stored with the order's artwork
    case 'corrected': // stored in the order row
    case 'credit_noted': // stored with the invoice
    case 'credit_note_reversed':
    case 'changed': // stored by applyClientChange
      return;
    default:
      return assertNever(message);
  }
}

async function writeParcel(sql: Sql, orderId: string, parcel: OrderMessage & { type: 'parcel_added' }, now: Date): Promise<void> {
  await sql.run(
    `
    INSERT INTO parcels (order_id, id, position, tracking_number, carrier, tracking_url, shipped_at, created_at, lines)
    SELECT $1, $2, count(*), $3, $4, $5, $6, $7, $8 FROM parcels WHERE order_id = $1
    ON CONFLICT DO NOTHING`,
    [
      orderId,
      parcel.parcelId,
      parcel.trackingNumber,
      parcel.carrier ?? null,
      parcel.trackingUrl ?? null,
      parcel.shippedAt ?? now.toISOString(),
      now,
      parcel.lines ? JSON.stringify(parcel.lines) : null,
    ],
  );
}

async function writePayment(sql: Sql, orderId: string, payment: OrderMessage & { type: 'payment_recorded' }, now: Date): Promise<void> {
  await sql.run(
    `
    INSERT INTO payments (order_id, id, amount_cents, received_at, reference, created_at, account_id, environment)
    SELECT id, $2, $3, $4, $5, $6, account_id, environment FROM orders WHERE id = $1
    ON CONFLICT DO NOTHING`,
    [orderId, payment.paymentId, payment.amountCents, payment.receivedAt ?? now, payment.reference ?? null, now],
  );
}
