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
import type { AttemptResult, PingResult } from './webhook-contract';
import { PING } from '../src/domain/events';

/** A retry waits here as long as one attempt takes. Others wait in their workflows. */
const PATIENCE = { maxWaiting: 4, maxWaitMs: ATTEMPT_TIMEOUT_MS };
const MAX_BUSY_SECONDS = 60;

interface AttemptInput {
  deliveryId: string;
  chain: number;
  attempt: number;
}

/** One signed POST to the endpoint's present URL with its present secrets, then one transaction that says what came of it. */
export async function attemptDelivery(deps: ActivityDeps, input: AttemptInput): Promise<AttemptResult> {
  const delivery = await findDeliveryStatus(deps.database, input.deliveryId);
  const settledResult = await resultIfSettled(deps, delivery, input);
  if (settledResult !== null) return settledResult;
  const endpointId = delivery?.endpoint_id ?? '';
  // The row decides which attempt is due: after a restored backup it may be behind the workflow.
  const due = { ...input, attempt: Math.min(input.attempt, (delivery?.attempts ?? 0) + 1) };
  try {
    return await withHeartbeat((stop) => deps.attemptQueue.run(endpointId, () => claimAndAttempt(deps, due, stop), { ...PATIENCE, stop }));
  } catch (error) {
    if (error instanceof QueueOverloaded) return { outcome: 'busy', delayMs: await busyDelayMs(deps, endpointId) };
    throw error;
  }
}

/** A second for each round of attempts that is due, at most a minute. The random half spreads the retries. */
async function busyDelayMs({ database, clock }: ActivityDeps, endpointId: string): Promise<number> {
  const due = await countDueRetries(database, endpointId, clock.now(), MAX_BUSY_SECONDS * ATTEMPTS_PER_ENDPOINT);
  return Math.round(1_000 * Math.max(1, Math.ceil(due / ATTEMPTS_PER_ENDPOINT)) * (1 - Math.random() / 2));
}

/** The answer where no attempt is needed any more; null where one is due. */
async function resultIfSettled(
  deps: ActivityDeps,
  delivery: DeliveryStatus | null,
  { chain, attempt: number }: AttemptInput,
): Promise<AttemptResult | null> {
  if (delivery === null || delivery.chain !== chain) return { outcome: 'superseded' };
  if (delivery.state === 'delivered' || delivery.state === 'held') return { outcome: delivery.state };
  const answer = describeResponse(delivery.last_status, delivery.last_error);
  // Recorded by a worker that was killed before it could tell: rather the same mail twice than none.
  if (delivery.state === 'failed')
    return {
      outcome: 'failed',
      alertAtFailures: alertThreshold(await findConsecutiveFailures(deps.database, delivery.endpoint_id)),
      answer,
    };
  if (delivery.attempts < number) return null;
  return { outcome: 'retry', delayMs: Math.max(0, (delivery.next_attempt_at?.getTime() ?? 0) - deps.clock.now().getTime()), answer };
}

async function claimAndAttempt(deps: ActivityDeps, input: AttemptInput, stop: AbortSignal): Promise<AttemptResult> {
  const requestedAtMs = performance.now();
  const delivery = await claimRetry(deps.database, input);
  if (delivery === null) return currentResult(deps, input);
  const attemptResult = await sendAttempt(deps, { delivery, requestedAtMs }, input.attempt, stop);
  if ('lapsed' in attemptResult) throw new Error('the attempt was not begun in time; it is made again');
  if ('result' in attemptResult) return recordAttempt(deps, input, attemptResult.result);
  if (await holdClaimed(deps.database, delivery)) return { outcome: 'held' };
  deps.endpointCache.evict(delivery.endpoint_id);
  throw new Error('the endpoint has been enabled since its row was read; the attempt is made again');
}

/** The row changed meanwhile: it was held with its endpoint, started anew, or attempted by another worker. */
async function currentResult(deps: ActivityDeps, input: AttemptInput): Promise<AttemptResult> {
  const settled = await resultIfSettled(deps, await findDeliveryStatus(deps.database, input.deliveryId), input);
  if (settled === null) throw new Error('the delivery could not be claimed; it is attempted again');
  return settled;
}

async function recordAttempt(deps: ActivityDeps, input: AttemptInput, result: Result): Promise<AttemptResult> {
  if (!result.ok && result.nextAttemptAt === null) return recordLastAttempt(deps, input, result);
  const now = deps.clock.now();
  const states = await recordResults(deps.database, [result], now);
  const state = states.get(result.deliveryId);
  if (state === undefined) throw new Error('the delivery is locked; its attempt is made again');
  if (state === 'delivered' || state === 'held') return { outcome: state };
  if (state !== 'pending') return currentResult(deps, input);
  return {
    outcome: 'retry',
    delayMs: Math.max(0, (result.nextAttemptAt?.getTime() ?? 0) - now.getTime()),
    answer: describeResponse(result.status, result.errorCode),
  };
}

/** The chain is used up. The endpoint is locked before its deliveries, as the studio's writes do: no two of them wait for each other. */
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
    alertAtFailures: alertThreshold(endpointAfter.consecutive_failures),
    answer: describeResponse(result.status, result.errorCode),
  };
}

/** A `ping` goes out whatever state the endpoint is in. It is logged, and does not count as a delivery (ruling 36). */
export async function pingEndpoint(deps: ActivityDeps, { endpointId }: { endpointId: string }, stop: AbortSignal): Promise<PingResult> {
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
    stop,
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
