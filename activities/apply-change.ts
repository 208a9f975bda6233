import { activityInfo } from '@temporalio/activity';
import type { Sql, Transaction } from '../src/db/database';
import { lockAccount } from '../src/db/repositories/accounts';
import { clearAttention } from '../src/db/repositories/attention';
import { writeAudit, type AuditEntry } from '../src/db/repositories/audit';
import { FACT_COLUMNS, loadOrderState, lockOrder, ORDER_WITH_RELATIONS } from '../src/db/repositories/orders';
import { databaseOverload } from '../src/db/repositories/overload';
import { insertAppliedMessage } from '../src/db/repositories/timeline';
import { insertEvent } from '../src/db/repositories/webhook-deliveries';
import type { OrderWithRelations } from '../src/db/rows';
import { actorName } from '../src/domain/badges';
import { canonicalJson } from '../src/domain/canonical-json';
import { ApiError } from '../src/domain/errors';
import { isIdentifier } from '../src/domain/identifiers';
import { comparedContent, kindOf, messageContent, messageKey, type Change, type OrderMessage } from '../src/domain/order-messages';
import { findLimitGroup, limitReason, MAX_PER_KIND } from '../src/domain/order-messages/limits';
import { effectiveStatus, isSettled, paidCents, type OrderFacts } from '../src/domain/order-status';
import { textLimitIssue } from '../src/domain/order-texts';
import { eventOf } from '../src/orders/events';
import { QueueOverloaded } from '../src/runtime/keyed-queue';
import { sha256 } from '../src/security/fingerprint';
import type { ApplyOutcome, DecidedMessage } from './contract';
import type { ActivityDeps } from './deps';
import { databaseStepsOf } from './order-messages';
import type { MessageContext } from './order-messages/kind';

type StoreResult = ApplyOutcome & { deliveries?: number };

/**
 * Checks the workflow's decision against the locked order and stores the change in one transaction. It writes the order row, parcel or
 * payment, invoice and ledger, timeline and, if clients are notified, the event with its final body. After a restored backup the database
 * may be older than the workflow's memory, so only the database decides whether a message was already applied (ruling 48).
 */
export async function applyChange(deps: ActivityDeps, decided: DecidedMessage): Promise<ApplyOutcome> {
  const { deliveries = 0, ...outcome } = await runInTransaction(deps, decided, (sql) => applyInTransaction(deps, sql, decided)).catch(
    (error: unknown) => refuseIfBusy(decided, error),
  );
  if (deliveries > 0) deps.deliveryNotifier.notify();
  // After any outcome: an earlier attempt may have committed and crashed. It does nothing if no work is due.
  databaseStepsOf(decided.message).afterCommit?.(deps, decided.orderId);
  return outcome;
}

/**
 * Refuses a message whose caller waits while another session holds the lock, or the account's queue is full. A signal has no caller, so it is retried. So is a later
 * attempt, because the session may be an earlier attempt that still runs.
 */
function refuseIfBusy({ sender }: DecidedMessage, error: unknown): StoreResult {
  const isCallerWaiting = sender !== null && activityInfo().attempt === 1;
  const isQueueFull = error instanceof QueueOverloaded;
  if (!isCallerWaiting || !(isQueueFull || databaseOverload(error) === 'lock')) throw error;
  const reason = isQueueFull ? 'too many messages of the account wait' : 'another transaction has locked the order or its account';
  return { outcome: 'refused', code: 'OVERLOADED', reason, details: { cause: isQueueFull ? 'queue' : 'lock' } };
}

/**
 * Messages that move money lock the account before the order, as placing an order does. Before that they wait in the account's queue
 * without a database connection. A message that needs more credit than the account has is refused, and its transaction rolls back.
 */
async function runInTransaction(
  deps: ActivityDeps,
  { accountId, message }: DecidedMessage,
  work: (sql: Transaction) => Promise<StoreResult>,
): Promise<StoreResult> {
  if (!kindOf(message).movesMoney) return deps.database.transaction(work);
  try {
    return await deps.accountWriteQueue.run(accountId, () =>
      deps.database.transaction(async (sql) => {
        const [, result] = await Promise.all([lockAccount(sql, accountId), work(sql)]); // sent in this order
        return result;
      }),
    );
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CREDIT_INSUFFICIENT') throw error;
    const { code, message: reason, details } = error;
    return { outcome: 'refused', code, reason, ...(details === undefined ? {} : { details }) };
  }
}

/** Locks the order, looks for a repeated or stale message, runs the checks of its kind, and stores it. */
async function applyInTransaction(deps: ActivityDeps, sql: Transaction, decided: DecidedMessage): Promise<StoreResult> {
  const { orderId, message, sender, decision } = decided;
  const steps = databaseStepsOf(message);
  const [before, loaded] = await Promise.all([
    lockOrder(sql, orderId, decided, steps.locksUploads === true ? 'NO KEY UPDATE' : 'UPDATE'),
    steps.load?.(sql, orderId, message, deps),
  ]);
  if (before === null) return { outcome: 'gone' };
  // The account is compared too, because a message that moves money has locked the account of the decision.
  const isCurrent =
    before.version === decided.expectedVersion && before.order_number === decided.orderNumber && before.account_id === decided.accountId;
  if (before.applied_digest !== null) {
    if (before.applied_digest !== digestOf(message)) return { outcome: 'reused' };
    if (before.is_reversed) return { outcome: 'refused', reason: kindOf(message).reversedReason ?? 'this message was reversed' };
    return { outcome: 'repeated', ...(isCurrent ? {} : { stored: await loadStored(sql, orderId) }) };
  }
  if (!isCurrent) return { outcome: 'stale', stored: await loadStored(sql, orderId) };
  if ('refused' in decision || 'unchanged' in decision) return { outcome: 'confirmed' };

  const context: MessageContext = { deps, sql, orderId, sender, before, facts: decision.facts, now: deps.clock.now() };
  const checkResult = (await steps.check?.(context, message, loaded)) ?? null;
  if (checkResult === 'unchanged') return { outcome: 'confirmed' };
  if (checkResult !== null && 'refused' in checkResult) {
    const { refused: reason, ...refusal } = checkResult;
    return { outcome: 'refused', reason, ...refusal };
  }
  const limitIssue = limitIssueOf(context, message);
  if (limitIssue !== null) return { outcome: 'refused', reason: limitIssue };
  if (checkResult === null) return storeMessage(context, message, decision, loaded);
  const { change } = checkResult;
  return { ...(await storeMessage({ ...context, facts: change.facts }, message, change, loaded)), facts: change.facts };
}

async function loadStored(sql: Sql, orderId: string) {
  const state = await loadOrderState(sql, orderId);
  if (state === null) throw new Error(`order ${orderId} does not exist although its row is locked`);
  return state;
}

const digestOf = (message: OrderMessage): string => sha256(comparedContent(message));

/** Checks the order's limits on the number of messages and the size of their texts, which count earlier messages. */
function limitIssueOf({ before }: MessageContext, message: OrderMessage): string | null {
  const limitGroup = findLimitGroup(message.type);
  if (limitGroup !== null && before.counted >= MAX_PER_KIND) return limitReason(limitGroup.label);
  const bytesOf = (text: string): number => Buffer.byteLength(text);
  return textLimitIssue({ message, countBytes: bytesOf, ownBytes: bytesOf(messageContent(message)), storedBytes: before.text_bytes });
}

/** Writes the change in one group and, if clients are notified or something is booked, what follows from the changed order in others. */
async function storeMessage(
  context: MessageContext,
  message: OrderMessage,
  change: Change,
  loaded: unknown,
): Promise<Extract<StoreResult, { outcome: 'applied' }>> {
  const { sql, orderId, before, now } = context;
  const steps = databaseStepsOf(message);
  const isNotified = change.eventStatus !== null && before.remake_of === null; // remakes send no events
  const { content = {}, artworkDue } = (await steps.prepare?.(context, message, loaded)) ?? {};
  const write = async (): Promise<{ order: OrderWithRelations; stored: unknown }> => {
    const [stored, , , order] = await Promise.all([
      steps.store?.(context, message, loaded),
      writeTimelineAndAudit(context, message, canonicalJson({ ...JSON.parse(messageContent(message)), ...content })),
      steps.attend?.(context, message),
      writeOrder(sql, orderId, change.facts, isNotified, now), // sent last: RETURNING reads the timeline and the attention that the statements above write
    ]);
    return { order, stored };
  };
  // COMMIT goes with the last group: these writes, else the event. `finish` commits itself or leaves it to the transaction, so the event is
  // sent before it.
  const isLast = !isNotified && steps.finish === undefined;
  const { order, stored } = await (isLast ? sql.commitWith(write) : write());
  const notify = (): Promise<number> => insertEvent(sql, eventOf(order, order.event_sequence, now));
  const result = { outcome: 'applied', version: order.version, ...(artworkDue === undefined ? {} : { artworkDue }) } as const;
  if (steps.finish === undefined) return { ...result, deliveries: isNotified ? await sql.commitWith(notify) : 0 };
  const [deliveries] = await Promise.all([isNotified ? notify() : 0, steps.finish(context, order, message, loaded, stored)]);
  return { ...result, deliveries };
}

/** Updates the order row. Returns the order with its new parcels, payments, timeline and issues. */
async function writeOrder(sql: Sql, orderId: string, facts: OrderFacts, isNotified: boolean, now: Date): Promise<OrderWithRelations> {
  const factNames = Object.keys(FACT_COLUMNS) as (keyof typeof FACT_COLUMNS)[];
  const order = await sql.row<OrderWithRelations>(
    `
    UPDATE orders o SET status = $2, ${factNames.map((name, index) => `${FACT_COLUMNS[name]} = $${6 + index}`).join(', ')},
      settled_at = CASE WHEN $3 THEN COALESCE(settled_at, $5) ELSE NULL END,
      event_sequence = event_sequence + CASE WHEN $4 THEN 1 ELSE 0 END,
      version = version + 1, updated_at = $5
     WHERE o.id = $1 RETURNING ${ORDER_WITH_RELATIONS}`,
    [orderId, effectiveStatus(facts), isSettled(facts), isNotified, now, ...factNames.map((name) => facts[name])],
  );
  if (order === null) throw new Error(`order ${orderId} does not exist`);
  return order;
}

/**
 * Adds the message to the timeline and, unless the account sent it, to the audit log. Clears the attention that an earlier refused signal
 * with this message raised.
 */
async function writeTimelineAndAudit(context: MessageContext, message: OrderMessage, content: string): Promise<void> {
  const { sql, orderId, sender, before, now } = context;
  const key = messageKey(message);
  const isAccount = sender !== null && isIdentifier('key', sender.credentialId);
  const { credentialId, badgeId, requestId } = sender ?? { credentialId: 'signal', badgeId: null, requestId: 'signal' };
  const actor = isAccount ? 'account' : actorName(before.token_name ?? credentialId, before.badge_name);
  const entry = {
    orderId,
    milestoneId: message.milestoneId ?? key,
    key,
    type: message.type,
    content,
    digest: digestOf(message),
    actor,
    tokenId: sender === null || isAccount ? null : credentialId,
    badgeId,
    occurredAt: message.occurredAt ?? now,
  };
  await Promise.all([
    insertAppliedMessage(sql, entry, now),
    !isAccount && writeAudit(sql, { at: now, tokenId: credentialId, name: actor, badgeId, requestId }, createAuditEntry(context, message)),
    clearAttention(sql, { orderId, code: 'SIGNAL_REFUSED', subject: key }, now),
  ]);
}

/** The audit entry of a message from the studio. */
function createAuditEntry({ orderId, before, facts }: MessageContext, message: OrderMessage): AuditEntry {
  return {
    action: databaseStepsOf(message).action ?? `milestone.${message.type}`,
    subject: orderId,
    before: {
      status: before.status,
      baseStatus: before.base_status,
      facts: {
        printed: before.printed,
        printedLines: before.printed_lines,
        liveParcels: before.live_parcels,
        paidCents: before.paid_cents,
      },
    },
    after: {
      status: effectiveStatus(facts),
      baseStatus: facts.baseStatus,
      facts: {
        printed: facts.printed,
        printedLines: facts.printedLines,
        liveParcels: facts.liveParcels.length,
        paidCents: paidCents(facts),
      },
      ...message,
      milestoneId: message.milestoneId ?? messageKey(message),
    },
  };
}
