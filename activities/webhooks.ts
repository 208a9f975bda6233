import {
  claimRetry,
  countDueRetries,
  holdClaimed,
  recordEnd,
  recordResults,
  type AttemptResult as Result,
} from '../src/db/repositories/relay';
import { findStanding, insertAttempt, type DeliveryStanding } from '../src/db/repositories/webhook-deliveries';
import { failuresInARow, findEndpoint, holdPending, signingKeys, signingSecrets } from '../src/db/repositories/webhook-endpoints';
import { alertAt, answerOf, ATTEMPT_TIMEOUT_MS } from '../src/domain/webhook-rules';
import { presentPing } from '../src/presenters/events';
import { attempt } from '../src/relay/attempt';
import { ATTEMPTS_PER_ENDPOINT } from '../src/relay/lanes';
import { QueueOverloaded } from '../src/runtime/keyed-queue';
import { newId } from '../src/security/ids';
import type { ActivityDeps } from './deps';
import { heartbeating } from './heartbeat';
import type { AttemptResult, PingResult } from './webhook-contract';
import { PING } from '../src/domain/events';

/** A retry waits here as long as one attempt takes. Others wait in their workflows. */
const PATIENCE = { maxWaiting: 4, maxWaitMs: ATTEMPT_TIMEOUT_MS };
const MAX_BUSY_SECONDS = 60;

interface Attempt {
  deliveryId: string;
  chain: number;
  attempt: number;
}

/** One signed POST to the endpoint's present URL with its present secrets, then one transaction that says what came of it. */
export async function attemptDelivery(deps: ActivityDeps, input: Attempt): Promise<AttemptResult> {
  const standing = await findStanding(deps.database, input.deliveryId);
  const settled = await settledAlready(deps, standing, input);
  if (settled !== null) return settled;
  const endpointId = standing?.endpoint_id ?? '';
  // The row decides which attempt is due: after a restored backup it may be behind the workflow.
  const due = { ...input, attempt: Math.min(input.attempt, (standing?.attempts ?? 0) + 1) };
  try {
    return await heartbeating((stop) => deps.attempts.run(endpointId, () => claimAndAttempt(deps, due), { ...PATIENCE, stop }));
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
async function settledAlready(
  deps: ActivityDeps,
  delivery: DeliveryStanding | null,
  { chain, attempt: number }: Attempt,
): Promise<AttemptResult | null> {
  if (delivery === null || delivery.chain !== chain) return { outcome: 'superseded' };
  if (delivery.state === 'delivered' || delivery.state === 'held') return { outcome: delivery.state };
  const answer = answerOf(delivery.last_status, delivery.last_error);
  // Recorded by a worker that was killed before it could tell: rather the same mail twice than none.
  if (delivery.state === 'failed')
    return { outcome: 'failed', alertAtFailures: alertAt(await failuresInARow(deps.database, delivery.endpoint_id)), answer };
  if (delivery.attempts < number) return null;
  return { outcome: 'retry', delayMs: Math.max(0, (delivery.next_attempt_at?.getTime() ?? 0) - deps.clock.now().getTime()), answer };
}

async function claimAndAttempt(deps: ActivityDeps, input: Attempt): Promise<AttemptResult> {
  const askedAtMs = performance.now();
  const delivery = await claimRetry(deps.database, input);
  if (delivery === null) return whatStands(deps, input);
  const attempted = await attempt(deps, { delivery, askedAtMs }, input.attempt);
  if ('lapsed' in attempted) throw new Error('the attempt was not begun in time; it is made again');
  if ('result' in attempted) return record(deps, input, attempted.result);
  if (await holdClaimed(deps.database, delivery)) return { outcome: 'held' };
  deps.freshEndpoints.forget(delivery.endpoint_id);
  throw new Error('the endpoint has been enabled since its row was read; the attempt is made again');
}

/** The row changed meanwhile: it was held with its endpoint, started anew, or attempted by another worker. */
async function whatStands(deps: ActivityDeps, input: Attempt): Promise<AttemptResult> {
  const settled = await settledAlready(deps, await findStanding(deps.database, input.deliveryId), input);
  if (settled === null) throw new Error('the delivery could not be claimed; it is attempted again');
  return settled;
}

async function record(deps: ActivityDeps, input: Attempt, result: Result): Promise<AttemptResult> {
  if (!result.ok && result.nextAttemptAt === null) return recordLast(deps, input, result);
  const now = deps.clock.now();
  const states = await recordResults(deps.database, [result], now);
  const state = states.get(result.deliveryId);
  if (state === undefined) throw new Error('the delivery is locked; its attempt is made again');
  if (state === 'delivered' || state === 'held') return { outcome: state };
  if (state !== 'pending') return whatStands(deps, input);
  return {
    outcome: 'retry',
    delayMs: Math.max(0, (result.nextAttemptAt?.getTime() ?? 0) - now.getTime()),
    answer: answerOf(result.status, result.errorCode),
  };
}

/** The chain is used up. The endpoint is locked before its deliveries, as the studio's writes do: no two of them wait for each other. */
async function recordLast(deps: ActivityDeps, input: Attempt, result: Result): Promise<AttemptResult> {
  const ended = await deps.database.transaction(async (sql) => {
    await sql.run('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [result.endpointId]);
    const end = await recordEnd(sql, result, answerOf(result.status, result.errorCode), deps.clock.now());
    await insertAttempt(sql, result);
    if (end?.disabled) await holdPending(sql, result.endpointId);
    return end;
  });
  if (ended === null) return whatStands(deps, input);
  return { outcome: 'failed', alertAtFailures: alertAt(ended.consecutive_failures), answer: answerOf(result.status, result.errorCode) };
}

/** A `ping` goes out whatever state the endpoint is in. It is logged, and does not count as a delivery (ruling 36). */
export async function pingEndpoint(deps: ActivityDeps, { endpointId }: { endpointId: string }): Promise<PingResult> {
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
