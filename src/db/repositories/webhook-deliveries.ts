import type { Environment } from '../../domain/limits';
import { row, rows, type Sql } from '../data-source';
import type { PageMark } from './orders';

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'held';
export type DeliveryTrigger = 'automatic' | 'resend' | 'recover';

export interface DeliveryRow {
  id: string;
  event_id: string;
  order_id: string;
  endpoint_id: string;
  state: DeliveryState;
  trigger: DeliveryTrigger;
  chain: number;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  completed_at: Date | null;
}

const DELIVERY_COLUMNS = `d.id, d.event_id, d.order_id, d.endpoint_id, d.state, d.trigger, d.chain, d.attempts, d.next_attempt_at,
  d.created_at, d.completed_at`;

/** A delivery with the event it carries. */
export interface DeliveryWithEvent extends DeliveryRow {
  event_type: string;
  body: string;
}

export function findDelivery(sql: Sql, id: string): Promise<DeliveryWithEvent | null> {
  return row(sql, `
    SELECT ${DELIVERY_COLUMNS}, e.type AS event_type, e.body FROM webhook_deliveries d JOIN order_events e ON e.id = d.event_id WHERE d.id = $1`, [id]);
}

export interface NewEvent {
  id: string;
  orderId: string;
  accountId: string;
  environment: Environment;
  sequence: number;
  type: string;
  body: string;
  createdAt: Date;
}

/**
 * The event and one delivery per endpoint that listens to its account and environment; `held` where the endpoint is disabled.
 * The shared lock orders this against disabling, so that no pending delivery is left at a disabled endpoint.
 * @returns ids of the deliveries to start.
 */
export async function insertEvent(sql: Sql, event: NewEvent): Promise<string[]> {
  const found = await rows<{ id: string }>(sql, `
    WITH told AS (
      INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)),
    listening AS (
      SELECT id, state FROM webhook_endpoints WHERE account_id = $3 AND environment = $4 AND deleted_at IS NULL FOR SHARE),
    made AS (
      INSERT INTO webhook_deliveries (id, event_id, order_id, endpoint_id, state, trigger, created_at, next_attempt_at)
      SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), $1, $2, id,
             CASE state WHEN 'disabled' THEN 'held' ELSE 'pending' END, 'automatic', $8, CASE state WHEN 'disabled' THEN NULL ELSE $8 END
        FROM listening RETURNING id, state)
    SELECT id FROM made WHERE state = 'pending'`,
    [event.id, event.orderId, event.accountId, event.environment, event.sequence, event.type, event.body, event.createdAt]);
  return found.map(({ id }) => id);
}

/** Deliveries of an order that nothing has been heard of yet; starting one that runs already changes nothing. */
export async function unstartedDeliveries(sql: Sql, orderId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(sql, `SELECT id FROM webhook_deliveries WHERE order_id = $1 AND state = 'pending' AND attempts = 0 ORDER BY created_at, id`, [orderId]);
  return found.map(({ id }) => id);
}

/** Delivered: the endpoint's count of failures begins again. False when the chain is no longer the present one. */
export async function markDelivered(sql: Sql, id: string, chain: number, now: Date): Promise<boolean> {
  const done = await row(sql, `
    WITH done AS (
      UPDATE webhook_deliveries SET state = 'delivered', attempts = attempts + 1, next_attempt_at = NULL, completed_at = $3
       WHERE id = $1 AND chain = $2 AND state IN ('pending', 'held') RETURNING endpoint_id),
    reset AS (
      UPDATE webhook_endpoints SET consecutive_failures = 0 WHERE id IN (SELECT endpoint_id FROM done) AND consecutive_failures > 0)
    SELECT endpoint_id FROM done`, [id, chain, now]);
  return done !== null;
}

/** How many deliveries in a row may fail before the endpoint is disabled (specification "Delivery guarantees" 5). */
const FAILURES_BEFORE_DISABLE = 20;

/**
 * The chain is used up: the delivery fails and the endpoint's count grows in one statement; at twenty it is disabled.
 * Null when the chain is no longer the present one.
 */
export function markFailed(sql: Sql, id: string, chain: number, now: Date): Promise<{ endpoint_id: string; consecutive_failures: number; disabled: boolean } | null> {
  return row(sql, `
    WITH done AS (
      UPDATE webhook_deliveries SET state = 'failed', attempts = attempts + 1, next_attempt_at = NULL, completed_at = $3
       WHERE id = $1 AND chain = $2 AND state = 'pending' RETURNING endpoint_id)
    UPDATE webhook_endpoints SET
      consecutive_failures = consecutive_failures + 1,
      disabled_reason = CASE WHEN state = 'enabled' AND consecutive_failures + 1 >= ${FAILURES_BEFORE_DISABLE}
        THEN '${FAILURES_BEFORE_DISABLE} deliveries in a row failed' ELSE disabled_reason END,
      updated_at = $3,
      state = CASE WHEN consecutive_failures + 1 >= ${FAILURES_BEFORE_DISABLE} THEN 'disabled' ELSE state END
     WHERE id = (SELECT endpoint_id FROM done)
     RETURNING id AS endpoint_id, consecutive_failures, state = 'disabled' AS disabled`, [id, chain, now]);
}

/** Another attempt is to come. False when the chain is no longer the present one. */
export async function markRetry(sql: Sql, id: string, chain: number, nextAttemptAt: Date): Promise<boolean> {
  const found = await row(sql, `
    UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = $3
     WHERE id = $1 AND chain = $2 AND state = 'pending' RETURNING id`, [id, chain, nextAttemptAt]);
  return found !== null;
}

export async function markHeld(sql: Sql, id: string, chain: number): Promise<void> {
  await sql.query(`UPDATE webhook_deliveries SET state = 'held', next_attempt_at = NULL WHERE id = $1 AND chain = $2 AND state = 'pending'`, [id, chain]);
}

/** Begins a delivery's chain anew with the same event. @returns the new chain's number, or null for an unknown delivery */
export async function restartChain(sql: Sql, id: string, trigger: DeliveryTrigger, now: Date): Promise<number | null> {
  const found = await row<{ chain: number }>(sql, `
    UPDATE webhook_deliveries SET state = 'pending', trigger = $2, chain = chain + 1, attempts = 0, next_attempt_at = $3, completed_at = NULL
     WHERE id = $1 RETURNING chain`, [id, trigger, now]);
  return found?.chain ?? null;
}

/** Deliveries whose next attempt is overdue, by id after `after`: their workflow may be missing, or wait for room. */
export function overdueDeliveries(sql: Sql, before: Date, after: string, limit: number): Promise<Pick<DeliveryRow, 'id' | 'chain' | 'attempts'>[]> {
  return rows(sql, `
    SELECT id, chain, attempts FROM webhook_deliveries
     WHERE state = 'pending' AND next_attempt_at < $1 AND id > $2 ORDER BY id LIMIT $3`, [before, after, limit]);
}

/** The next deliveries of an endpoint to recover, oldest first, after the one named `after` (`<created_at ms>.<id>`). */
export function recoverable(sql: Sql, scope: { endpointId: string; since: string; until: string; states: string[] }, after: string | null, limit: number): Promise<DeliveryRow[]> {
  const [ms = '0', id = ''] = after === null ? [] : after.split('.');
  return rows(sql, `
    SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d
     WHERE endpoint_id = $1 AND created_at >= $2 AND created_at < $3 AND state = ANY ($4) AND (created_at, id) > ($5, $6)
     ORDER BY created_at, id LIMIT $7`,
    [scope.endpointId, scope.since, scope.until, scope.states, new Date(Number(ms)), id, limit]);
}

export async function countRecoverable(sql: Sql, scope: { endpointId: string; since: string; until: string; states: string[] }): Promise<number> {
  const found = await row<{ count: number }>(sql, `
    SELECT count(*) AS count FROM webhook_deliveries WHERE endpoint_id = $1 AND created_at >= $2 AND created_at < $3 AND state = ANY ($4)`,
    [scope.endpointId, scope.since, scope.until, scope.states]);
  return found?.count ?? 0;
}

export interface NewAttempt {
  deliveryId: string | null;
  endpointId: string;
  chain: number;
  number: number;
  trigger: DeliveryTrigger | 'ping';
  at: Date;
  ok: boolean;
  status: number | null;
  errorCode: string | null;
  timings: object;
  replyExcerpt: string | null;
  nextAttemptAt: Date | null;
}

export async function insertAttempt(sql: Sql, attempt: NewAttempt): Promise<void> {
  await sql.query(`
    INSERT INTO webhook_attempts (delivery_id, endpoint_id, chain, number, trigger, at, ok, status, error_code, timings, reply_excerpt, next_attempt_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [attempt.deliveryId, attempt.endpointId, attempt.chain, attempt.number, attempt.trigger, attempt.at, attempt.ok, attempt.status,
      attempt.errorCode, JSON.stringify(attempt.timings), attempt.replyExcerpt, attempt.nextAttemptAt]);
}

/** A delivery as the studio lists it. */
export interface StudioDeliveryRow extends DeliveryRow {
  account_id: string;
  environment: Environment;
  event_type: string;
  sequence: number;
}

/** With the event's text and the time it was written. */
export interface StudioDeliveryDetail extends StudioDeliveryRow {
  body: string;
  event_created_at: Date;
}

export interface DeliveryFilter {
  state: DeliveryState | null;
  endpointId: string | null;
  orderId: string | null;
}

const STUDIO_COLUMNS = `${DELIVERY_COLUMNS}, e.account_id, e.environment, e.type AS event_type, e.sequence`;
const STUDIO_TABLES = 'webhook_deliveries d JOIN order_events e ON e.id = d.event_id';

/** Newest first by (created_at, id); `limit` rows after the mark. */
export function listDeliveries(sql: Sql, filter: DeliveryFilter, limit: number, after: PageMark | null): Promise<StudioDeliveryRow[]> {
  return rows(sql, `SELECT ${STUDIO_COLUMNS} FROM ${STUDIO_TABLES}
     WHERE ($1::text IS NULL OR d.state = $1) AND ($2::text IS NULL OR d.endpoint_id = $2) AND ($3::text IS NULL OR d.order_id = $3)
       AND ($4::timestamptz IS NULL OR (d.created_at, d.id) < ($4, $5))
     ORDER BY d.created_at DESC, d.id DESC LIMIT $6`,
    [filter.state, filter.endpointId, filter.orderId, after?.createdAt ?? null, after?.id ?? null, limit]);
}

export function findStudioDelivery(sql: Sql, id: string): Promise<StudioDeliveryDetail | null> {
  return row(sql, `SELECT ${STUDIO_COLUMNS}, e.body, e.created_at AS event_created_at FROM ${STUDIO_TABLES} WHERE d.id = $1`, [id]);
}

export interface AttemptRow {
  id: number;
  chain: number;
  number: number;
  trigger: DeliveryTrigger;
  at: Date;
  ok: boolean;
  status: number | null;
  error_code: string | null;
  /** Milliseconds per phase, as the sender measured them. */
  timings: Record<string, number | null>;
  reply_excerpt: string | null;
  next_attempt_at: Date | null;
}

/** Every attempt of every chain, oldest first. */
export function attemptsOf(sql: Sql, deliveryId: string): Promise<AttemptRow[]> {
  return rows(sql, `
    SELECT id, chain, number, trigger, at, ok, status, error_code, timings, reply_excerpt, next_attempt_at
      FROM webhook_attempts WHERE delivery_id = $1 ORDER BY id`, [deliveryId]);
}
