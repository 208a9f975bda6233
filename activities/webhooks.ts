import {
  claimRetry,
  countDueRetries,
  holdClaimed,
  recordDeliveryFailure,
  recordResults,
  type AttemptResult as Result,
} from '../src/db/repositories/relay';
import { findDeliveryStatus, insertAttempt, type DeliveryStatus } from '../src/db/repositories/webhook-deliveries';
import {
  findConsecutiveFailures,
  findEndpoint,
  holdPendingDeliveries,
  signingKeys,
  signingSecrets,
} from '../src/db/repositories/webhook-endpoints';
import { alertThreshold, describeResponse, ATTEMPT_TIMEOUT_MS } from '../src/domain/webhook-rules';
import { presentPing } from '../src/presenters/events';
import { sendAttempt } from '../src/relay/attempt';
import { ATTEMPTS_PER_ENDPOINT } from '../src/relay/endpoint-queues';
import { QueueOverloaded } from '../src/runtime/keyed-queue';
import { newId } from '../src/security/ids';
import type { ActivityDeps } from './deps';
import { withHeartbeat } from './heartbeat';
import type { AttemptResult, PingResult, WebhookActivities } from './webhook-contract';
import { PING } from '../src/domain/events';

/** A few retries of an endpoint wait here for as long as one attempt takes. The others wait in their workflows. */
const WAIT_LIMITS = { maxWaiting: 4, maxWaitMs: ATTEMPT_TIMEOUT_MS };
const MAX_BUSY_SECONDS = 60;

type AttemptInput = Parameters<WebhookActivities['attemptDelivery']>[0];

/** Sends one signed POST to the endpoint's current URL with its current secrets, then stores the result in one transaction. */
export async function attemptDelivery(deps: ActivityDeps, input: AttemptInput): Promise<AttemptResult> {
  const delivery = await findDeliveryStatus(deps.database, input.deliveryId);
  const settledResult = await resultIfSettled(deps, delivery, input);
  if (settledResult !== null) return settledResult;
  const endpointId = delivery?.endpoint_id ?? '';
  // After a restored backup the row may be behind the workflow, so the row decides which attempt is due.
  const due = { ...input, attempt: Math.min(input.attempt, (delivery?.attempts ?? 0) + 1) };
  try {
    return await withHeartbeat((abortSignal) =>
      deps.attemptQueue.run(endpointId, () => claimAndAttempt(deps, due, abortSignal), { ...WAIT_LIMITS, stop: abortSignal }),
    );
  } catch (error) {
    if (error instanceof QueueOverloaded) return { outcome: 'busy', delayMs: await busyDelayMs(deps, endpointId) };
    throw error;
  }
}

/** Returns one second for each round of due retries, at most a minute. A random part of up to half is subtracted to spread the retries. */
async function busyDelayMs({ database, clock }: ActivityDeps, endpointId: string): Promise<number> {
  const due = await countDueRetries(database, endpointId, clock.now(), MAX_BUSY_SECONDS * ATTEMPTS_PER_ENDPOINT);
  return Math.round(1_000 * Math.max(1, Math.ceil(due / ATTEMPTS_PER_ENDPOINT)) * (1 - Math.random() / 2));
}

/** Returns the result if no attempt is due; null if one is due. */
async function resultIfSettled(
  deps: ActivityDeps,
  delivery: DeliveryStatus | null,
  { chain, attempt: number }: AttemptInput,
): Promise<AttemptResult | null> {
  if (delivery === null || delivery.chain !== chain) return { outcome: 'superseded' };
  if (delivery.state === 'delivered' || delivery.state === 'held') return { outcome: delivery.state };
  const answer = describeResponse(delivery.last_status, delivery.last_error);
  // The worker that recorded this failure may have died before it returned. Sending a mail twice is better than not sending it.
  if (delivery.state === 'failed')
    return {
      outcome: 'failed',
      alertAtFailures: alertThreshold(await findConsecutiveFailures(deps.database, delivery.endpoint_id)),
      answer,
    };
  if (delivery.attempts < number) return null;
  return { outcome: 'retry', delayMs: Math.max(0, (delivery.next_attempt_at?.getTime() ?? 0) - deps.clock.now().getTime()), answer };
}

async function claimAndAttempt(deps: ActivityDeps, input: AttemptInput, abortSignal: AbortSignal): Promise<AttemptResult> {
  const requestedAtMs = performance.now();
  const delivery = await claimRetry(deps.database, input);
  if (delivery === null) return currentResult(deps, input);
  const attemptResult = await sendAttempt(deps, { delivery, requestedAtMs }, input.attempt, abortSignal);
  if ('lapsed' in attemptResult) throw new Error('the attempt did not start in time; it will be repeated');
  if ('result' in attemptResult) return recordAttempt(deps, input, attemptResult.result);
  if (await holdClaimed(deps.database, delivery)) return { outcome: 'held' };
  deps.endpointCache.evict(delivery.endpoint_id);
  throw new Error('the endpoint was enabled after its row was read; the attempt will be repeated');
}

/**
 * Returns the result for a row that has changed meanwhile: its endpoint was disabled, its retries were restarted, or another worker
 * attempted it.
 */
async function currentResult(deps: ActivityDeps, input: AttemptInput): Promise<AttemptResult> {
  const settled = await resultIfSettled(deps, await findDeliveryStatus(deps.database, input.deliveryId), input);
  if (settled === null) throw new Error('the delivery could not be claimed; the attempt will be repeated');
  return settled;
}

async function recordAttempt(deps: ActivityDeps, input: AttemptInput, result: Result): Promise<AttemptResult> {
  if (!result.ok && result.nextAttemptAt === null) return recordLastAttempt(deps, input, result);
  const now = deps.clock.now();
  const states = await recordResults(deps.database, [result], now);
  const state = states.get(result.deliveryId);
  if (state === undefined) throw new Error('the delivery is locked; the attempt will be repeated');
  if (state === 'delivered' || state === 'held') return { outcome: state };
  if (state !== 'pending') return currentResult(deps, input);
  return {
    outcome: 'retry',
    delayMs: Math.max(0, (result.nextAttemptAt?.getTime() ?? 0) - now.getTime()),
    answer: describeResponse(result.status, result.errorCode),
  };
}

/** Records the last attempt of a chain. Locks the endpoint before its deliveries, as the studio's writes do, to prevent deadlocks. */
async function recordLastAttempt(deps: ActivityDeps, input: AttemptInput, result: Result): Promise<AttemptResult> {
  const endpointAfter = await deps.database.transaction(async (sql) => {
    await sql.run('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [result.endpointId]);
    const endpointState = await recordDeliveryFailure(sql, result, describeResponse(result.status, result.errorCode), deps.clock.now());
    await insertAttempt(sql, result);
    if (endpointState?.disabled) await holdPendingDeliveries(sql, result.endpointId);
    return endpointState;
  });
  if (endpointAfter === null) return currentResult(deps, input);
  return {
    outcome: 'failed',
    alertAtFailures: endpointAfter.counted_failures === null ? null : alertThreshold(endpointAfter.counted_failures),
    answer: describeResponse(result.status, result.errorCode),
  };
}

/** Sends a `ping`, even to a disabled endpoint. It is logged but does not count as a delivery. */
export async function pingEndpoint(
  deps: ActivityDeps,
  { endpointId }: { endpointId: string },
  abortSignal: AbortSignal,
): Promise<PingResult> {
  const endpoint = await findEndpoint(deps.database, endpointId);
  if (endpoint === null) return { ok: false, status: null, errorCode: 'invalid_url', totalMs: 0, replyExcerpt: null };
  const eventId = newId('evt');
  const now = deps.clock.now();
  const secrets = signingSecrets(await signingKeys(deps.secretBox, endpoint), now);
  const rawBody = presentPing({ id: eventId, createdAt: now, environment: endpoint.environment, endpointId });
  const outcome = await deps.webhookSender.send({
    endpointId,
    url: endpoint.url,
    secrets,
    nowMs: now.getTime(),
    eventId,
    eventType: PING,
    rawBody,
    stop: abortSignal,
  });
  if (outcome === null) throw new Error('the ping was withdrawn');
  const { ok, status, errorCode, timings, replyExcerpt } = outcome;
  await insertAttempt(deps.database, {
    deliveryId: null,
    endpointId,
    chain: 0,
    number: 1,
    trigger: PING,
    at: new Date(outcome.sentAtMs),
    ok,
    status,
    errorCode,
    timings,
    replyExcerpt,
    nextAttemptAt: null,
  });
  return { ok, status, errorCode, totalMs: timings.totalMs, replyExcerpt };
}
