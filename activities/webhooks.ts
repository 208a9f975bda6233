import { heartbeat } from '@temporalio/activity';
import { transaction, type Sql } from '../src/db/data-source';
import { findAccount } from '../src/db/repositories/accounts';
import {
  findDelivery, insertAttempt, markDelivered, markFailed, markHeld, markRetry, recoverable, restartChain, type DeliveryWithEvent,
} from '../src/db/repositories/webhook-deliveries';
import { findEndpoint, holdPending, signingSecrets, type EndpointRow } from '../src/db/repositories/webhook-endpoints';
import { delayBeforeAttempt } from '../src/domain/webhook-schedule';
import { troubleMail } from '../src/mail/webhook-trouble';
import { presentPing } from '../src/presenters/events';
import { newId } from '../src/security/ids';
import type { AttemptOutcome } from '../src/webhooks/send';
import type { RecoverInput } from '../workflows/webhook-messages';
import type { ActivityDeps } from './index';
import type { AttemptResult, PingResult } from './webhook-contract';

/** Consecutive failed deliveries at which the studio is mailed; at the last the endpoint is disabled. */
const ALERTS = [10, 15, 20];

/** How often an attempt under way tells Temporal that its worker lives, ms. */
const HEARTBEAT_MS = 2000;

interface Attempt {
  deliveryId: string;
  chain: number;
  attempt: number;
}

/** One signed POST to the endpoint's present URL with its present secrets, then one transaction that says what came of it. */
export async function attemptDelivery(deps: ActivityDeps, input: Attempt): Promise<AttemptResult> {
  const sql = deps.dataSource.manager;
  const delivery = await findDelivery(sql, input.deliveryId);
  if (delivery === null || delivery.chain !== input.chain) return { outcome: 'superseded' };
  if (delivery.state === 'delivered' || delivery.state === 'held') return { outcome: delivery.state };
  if (delivery.state === 'failed') return { outcome: 'failed', alertAtFailures: await alertOf(deps, delivery.endpoint_id) };
  if (delivery.attempts >= input.attempt) return { outcome: 'retry', delayMs: untilNext(delivery, deps.clock.now()) };
  const endpoint = await findEndpoint(sql, delivery.endpoint_id);
  if (endpoint === null || endpoint.state === 'disabled') {
    await markHeld(sql, delivery.id, delivery.chain);
    return { outcome: 'held' };
  }
  const delayMs = deps.attemptsInFlight.enter(endpoint.id);
  if (delayMs > 0) return { outcome: 'busy', delayMs };
  try {
    return await whileBeating(async () => {
      const outcome = await send(deps, endpoint, { eventId: delivery.event_id, eventType: delivery.event_type, rawBody: delivery.body });
      return transaction(deps.dataSource, (tx) => record(deps, tx, { delivery, endpoint, attempt: input.attempt, outcome }));
    });
  } finally {
    deps.attemptsInFlight.leave(endpoint.id);
  }
}

/** An attempt whose worker is killed is made again as soon as its heartbeat is missed. One that is soon over sends none. */
async function whileBeating<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The wait left of an attempt that was recorded although its worker was killed before it could tell. */
function untilNext({ next_attempt_at }: DeliveryWithEvent, now: Date): number {
  return Math.max(0, (next_attempt_at?.getTime() ?? 0) - now.getTime());
}

async function send(deps: ActivityDeps, endpoint: EndpointRow, event: { eventId: string; eventType: string; rawBody: string }): Promise<AttemptOutcome> {
  const now = deps.clock.now();
  const { id: endpointId, url } = endpoint;
  const outcome = await deps.webhookSender.send({ endpointId, url, secrets: signingSecrets(endpoint, now), nowMs: now.getTime(), ...event });
  if (outcome === null) throw new Error('the attempt was withdrawn, and nobody here withdraws one');
  return outcome;
}

interface Made {
  delivery: DeliveryWithEvent;
  endpoint: EndpointRow;
  attempt: number;
  outcome: AttemptOutcome;
}

async function record(deps: ActivityDeps, tx: Sql, made: Made): Promise<AttemptResult> {
  const { delivery, attempt, outcome } = made;
  const delayMs = outcome.ok ? null : delayBeforeAttempt(deps.webhookRetryScheduleMs, attempt + 1);
  const nextAttemptAt = delayMs === null ? null : new Date(outcome.sentAtMs + delayMs);
  // The endpoint before its deliveries, as the studio's writes do: no two of them can wait for each other.
  if (nextAttemptAt === null) await tx.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [delivery.endpoint_id]);
  const result = await moveOn(deps, tx, made, nextAttemptAt);
  await insertAttempt(tx, {
    deliveryId: delivery.id, endpointId: delivery.endpoint_id, chain: delivery.chain, number: attempt, trigger: delivery.trigger,
    at: new Date(outcome.sentAtMs), ok: outcome.ok, status: outcome.status, errorCode: outcome.errorCode, timings: outcome.timings,
    replyExcerpt: outcome.replyExcerpt, nextAttemptAt: result.outcome === 'retry' ? nextAttemptAt : null,
  });
  return result;
}

async function moveOn(deps: ActivityDeps, tx: Sql, { delivery, outcome }: Made, nextAttemptAt: Date | null): Promise<AttemptResult> {
  const now = deps.clock.now();
  const { id, chain } = delivery;
  if (outcome.ok) return (await markDelivered(tx, id, chain, now)) ? { outcome: 'delivered' } : { outcome: 'superseded' };
  if (nextAttemptAt !== null) {
    const stands = await markRetry(tx, id, chain, nextAttemptAt);
    return stands ? { outcome: 'retry', delayMs: Math.max(0, nextAttemptAt.getTime() - now.getTime()) } : whatBecameOf(tx, id, chain);
  }
  const failed = await markFailed(tx, id, chain, now);
  if (failed === null) return whatBecameOf(tx, id, chain);
  if (failed.disabled) await holdPending(tx, failed.endpoint_id);
  return { outcome: 'failed', alertAtFailures: alertAt(failed.consecutive_failures) };
}

function alertAt(failures: number): number | null {
  return ALERTS.includes(failures) ? failures : null;
}

/** For a failure recorded by a worker that was killed before it could tell: rather the same mail twice than none. */
async function alertOf(deps: ActivityDeps, endpointId: string): Promise<number | null> {
  return alertAt((await findEndpoint(deps.dataSource.manager, endpointId))?.consecutive_failures ?? 0);
}

/** The row moved while the attempt was on its way: held with its endpoint, or begun anew. */
async function whatBecameOf(tx: Sql, id: string, chain: number): Promise<AttemptResult> {
  const now = await findDelivery(tx, id);
  return now?.chain === chain && now.state === 'held' ? { outcome: 'held' } : { outcome: 'superseded' };
}

/** Mails the studio once per threshold that an endpoint's deliveries keep failing, and when it has been disabled. */
export async function mailTrouble(deps: ActivityDeps, { deliveryId, failures }: { deliveryId: string; failures: number }): Promise<void> {
  const delivery = await findDelivery(deps.dataSource.manager, deliveryId);
  const endpoint = delivery === null ? null : await findEndpoint(deps.dataSource.manager, delivery.endpoint_id);
  const account = endpoint === null ? null : await findAccount(deps.dataSource.manager, endpoint.account_id);
  if (endpoint === null || account === null) return;
  await deps.mailer.send(troubleMail({ endpoint, account, failures, deliveryId, to: deps.studioMail }));
}

/** A `ping` goes out whatever state the endpoint is in, is logged, and counts for nothing (ruling 36). */
export async function pingEndpoint(deps: ActivityDeps, { endpointId }: { endpointId: string }): Promise<PingResult> {
  const endpoint = await findEndpoint(deps.dataSource.manager, endpointId);
  if (endpoint === null) return { ok: false, status: null, errorCode: 'invalid_url', totalMs: 0, replyExcerpt: null };
  const eventId = newId('evt');
  const rawBody = presentPing({ id: eventId, createdAt: deps.clock.now(), environment: endpoint.environment, endpointId });
  const outcome = await send(deps, endpoint, { eventId, eventType: 'ping', rawBody });
  await insertAttempt(deps.dataSource.manager, {
    deliveryId: null, endpointId, chain: 0, number: 1, trigger: 'ping', at: new Date(outcome.sentAtMs), ok: outcome.ok, status: outcome.status,
    errorCode: outcome.errorCode, timings: outcome.timings, replyExcerpt: outcome.replyExcerpt, nextAttemptAt: null,
  });
  const { ok, status, errorCode, timings, replyExcerpt } = outcome;
  return { ok, status, errorCode, totalMs: timings.totalMs, replyExcerpt };
}

/**
 * Starts the chains of the next deliveries to recover. Run twice it starts none twice: what it has started is `pending` and
 * no longer among them, and a start that was lost is the sweeper's.
 */
export async function recoverBatch(deps: ActivityDeps, input: RecoverInput & { after: string | null; limit: number }): Promise<{ started: number; after: string | null }> {
  const endpoint = await findEndpoint(deps.dataSource.manager, input.endpointId);
  if (endpoint?.state !== 'enabled') return { started: 0, after: null }; // switched off meanwhile: the rest stays as it is
  const found = await recoverable(deps.dataSource.manager, input, input.after, input.limit);
  for (const { id } of found) {
    const chain = await restartChain(deps.dataSource.manager, id, 'recover', deps.clock.now());
    if (chain !== null) await deps.temporal.restartDelivery({ deliveryId: id, chain, attempt: 1 });
  }
  const last = found.at(-1);
  return { started: found.length, after: found.length < input.limit || last === undefined ? null : `${last.created_at.getTime()}.${last.id}` };
}
