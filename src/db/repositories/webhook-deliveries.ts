import type { Environment } from '../../domain/limits';
import type { Sql, Transaction } from '../database';
import { insertRow } from '../insert-row';
import type { Page } from '../keyset';
import { findEndpoint, type EndpointRow } from './webhook-endpoints';
import type { DeliveryState, DeliveryTrigger } from '../../domain/webhook-rules';
import { type PING, STATUS_EVENT_TYPES, type StoredEventType } from '../../domain/events';
import { bool, columns, integer, nullable, rowFromFields, text, time, typed, type RowOf } from '../columns';

export const DELIVERY_COLUMNS = columns('webhook_deliveries', {
  id: text,
  event_id: text,
  order_id: text,
  endpoint_id: text,
  state: typed<DeliveryState>(),
  trigger: typed<DeliveryTrigger>(),
  chain: integer,
  attempts: integer,
  next_attempt_at: nullable(time),
  created_at: time,
  completed_at: nullable(time),
  /** When the order's workflow took over the delivery's retries; null before that. */
  handed_over_at: nullable(time),
});
export type DeliveryRow = RowOf<typeof DELIVERY_COLUMNS>;

/** The newest attempt that the retention has deleted. */
export const DELETED_ATTEMPT_COLUMNS = columns('webhook_deliveries', {
  deleted_attempt_at: nullable(time),
  deleted_attempt_status: nullable(integer),
  deleted_attempt_error: nullable(text),
});

/** The progress of a delivery and the result of its last attempt. */
export interface DeliveryStatus extends Pick<DeliveryRow, 'endpoint_id' | 'state' | 'chain' | 'attempts' | 'next_attempt_at'> {
  last_status: number | null;
  last_error: string | null;
}

/** The last attempt of a delivery row, stored or deleted by the retention: `last.at`, `last.status`, `last.error`. */
export const lastAttemptJoin = (delivery: string): string => `
  LEFT JOIN LATERAL (SELECT at, status, error_code FROM webhook_attempts t WHERE t.delivery_id = ${delivery}.id ORDER BY t.id DESC LIMIT 1) stored ON true
  CROSS JOIN LATERAL (SELECT COALESCE(stored.at, ${delivery}.deleted_attempt_at) AS at,
    CASE WHEN stored.at IS NULL THEN ${delivery}.deleted_attempt_status ELSE stored.status END AS status,
    CASE WHEN stored.at IS NULL THEN ${delivery}.deleted_attempt_error ELSE stored.error_code END AS error) last`;
export const LAST_RESULT = 'last.status AS last_status, last.error AS last_error';

const DELIVERY_STATUS_COLUMNS = `d.endpoint_id, d.state, d.chain, d.attempts, d.next_attempt_at, ${LAST_RESULT}`;

export function findDeliveryStatus(sql: Sql, id: string): Promise<DeliveryStatus | null> {
  return sql.row(
    `
    SELECT ${DELIVERY_STATUS_COLUMNS}
      FROM webhook_deliveries d ${lastAttemptJoin('d')}
     WHERE d.id = $1`,
    [id],
  );
}

/** The endpoint of a delivery, unless it is deleted. */
export async function findEndpointOfDelivery(sql: Sql, id: string): Promise<EndpointRow | null> {
  const endpointId = await sql.value<string | null>('SELECT endpoint_id FROM webhook_deliveries WHERE id = $1', [id]);
  return endpointId === null ? null : findEndpoint(sql, endpointId);
}

export interface NewEvent {
  id: string;
  orderId: string;
  accountId: string;
  environment: Environment;
  sequence: number;
  /** Counts the events about issues with the same sequence from 1; 0 for an event about a status. */
  part: number;
  type: StoredEventType;
  body: string;
  createdAt: Date;
  /** The `traceparent` of the change; null without tracing. */
  traceContext: string | null;
}

/**
 * Stores the event, and one delivery for each endpoint that receives events of its account, environment and type. The delivery is `held` if
 * the endpoint is disabled. Endpoints are not locked. If one is disabled meanwhile, the relay that claims its delivery holds it.
 * @returns how many deliveries wait for their first attempt
 */
export async function insertEvent(sql: Transaction, event: NewEvent): Promise<number> {
  const { id, orderId, accountId, environment, sequence, part, type, body, createdAt, traceContext } = event;
  const [, states] = await Promise.all([
    sql.run(
      `
      INSERT INTO order_events (id, order_id, account_id, environment, sequence, part, type, body, created_at, trace_context)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [id, orderId, accountId, environment, sequence, part, type, body, createdAt, traceContext],
    ),
    sql.column<DeliveryState>(
      `
      INSERT INTO webhook_deliveries (id, event_id, order_id, endpoint_id, environment, state, trigger, created_at, next_attempt_at)
      SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), $1, $2, id, environment,
             CASE state WHEN 'disabled' THEN 'held' ELSE 'pending' END, 'automatic', $6, CASE state WHEN 'disabled' THEN NULL ELSE $6::timestamptz END
        FROM webhook_endpoints
       WHERE account_id = $3 AND environment = $4 AND deleted_at IS NULL AND $5 = ANY (COALESCE(event_types, $7::text[])) RETURNING state`,
      [id, orderId, accountId, environment, type, createdAt, STATUS_EVENT_TYPES],
    ),
  ]);
  return states.filter((state) => state === 'pending').length;
}

/** Initial values of a new chain. They invalidate an older chain and its claims. */
const NEW_CHAIN = `state = 'pending', chain = chain + 1, attempts = 0, completed_at = NULL, claim = NULL, claimed_until = NULL, handed_over_at = NULL`;

/**
 * Starts a delivery's chain again with the same event.
 * @returns the new chain's number, or null for an unknown delivery
 */
export function resendDelivery(sql: Sql, id: string, now: Date): Promise<number | null> {
  return sql.value(
    `
    UPDATE webhook_deliveries SET ${NEW_CHAIN}, trigger = 'resend', next_attempt_at = $2, recovery_id = NULL WHERE id = $1 RETURNING chain`,
    [id, now],
  );
}

/** The deliveries of a recovery: created from `since` until before `until`. `untilSent` is `until` as the caller sent it. */
export interface RecoveryScope {
  endpointId: string;
  since: string;
  until: string;
  untilSent: string | null;
  states: string[];
}

/**
 * Finds a recovery with the same scope that still has a pending delivery. Returns its count, or null. One index has the first attempts,
 * another the retries.
 */
export function findRunningRecovery(sql: Sql, { endpointId, since, untilSent, states }: RecoveryScope): Promise<number | null> {
  const pendingOf = (attempts: string): string =>
    `SELECT FROM webhook_deliveries d WHERE d.endpoint_id = $1 AND d.state = 'pending' AND ${attempts} AND d.recovery_id = r.id`;
  return sql.value(
    `
    SELECT r.count FROM webhook_recoveries r
     WHERE r.endpoint_id = $1 AND r.since = $2 AND r.until_sent IS NOT DISTINCT FROM $3 AND r.states = $4
       AND (EXISTS (${pendingOf('d.attempts = 0')}) OR EXISTS (${pendingOf('d.attempts > 0')}))
     ORDER BY r.id DESC LIMIT 1`,
    [endpointId, since, untilSent, states],
  );
}

/** Starts a new chain for each delivery in the scope. @returns the number of deliveries */
export async function startRecovery(sql: Transaction, scope: RecoveryScope, now: Date): Promise<number> {
  await sql.setStatementTimeout(60_000);
  const count = await sql.value<number>(
    `
    WITH recovery AS (
      INSERT INTO webhook_recoveries (endpoint_id, since, until_sent, states, count, created_at) VALUES ($1, $2, $4, $5, 0, $6) RETURNING id),
    restarted_deliveries AS (
      UPDATE webhook_deliveries SET ${NEW_CHAIN}, trigger = 'recover', next_attempt_at = $6, recovery_id = recovery.id
        FROM recovery WHERE endpoint_id = $1 AND created_at >= $2 AND created_at < $3 AND state = ANY ($5) RETURNING recovery_id)
    SELECT count(*)::int FROM restarted_deliveries`,
    [scope.endpointId, scope.since, scope.until, scope.untilSent, scope.states, now],
  );
  await sql.run('UPDATE webhook_recoveries SET count = $2 WHERE id = (SELECT max(id) FROM webhook_recoveries WHERE endpoint_id = $1)', [
    scope.endpointId,
    count,
  ]);
  return count;
}

export function countRecoverable(sql: Sql, { endpointId, since, until, states }: RecoveryScope): Promise<number> {
  return sql.value(
    `
    SELECT count(*) AS count FROM webhook_deliveries WHERE endpoint_id = $1 AND created_at >= $2 AND created_at < $3 AND state = ANY ($4)`,
    [endpointId, since, until, states],
  );
}

export interface NewAttempt {
  deliveryId: string | null;
  endpointId: string;
  chain: number;
  number: number;
  trigger: DeliveryTrigger | typeof PING;
  at: Date;
  ok: boolean;
  status: number | null;
  errorCode: string | null;
  timings: object;
  replyExcerpt: string | null;
  /** Null after a success. */
  nextAttemptAt: Date | null;
}

export async function insertAttempt(sql: Sql, attempt: NewAttempt): Promise<void> {
  await insertRow(sql, 'webhook_attempts', [...ATTEMPT_COLUMNS.without('id').names, 'delivery_id', 'endpoint_id'], rowFromFields(attempt));
}

/** A delivery in the studio's lists: its event, endpoint and the result of its last attempt, null before one. */
export interface StudioDeliveryRow extends DeliveryRow {
  account_id: string;
  account_name: string;
  environment: Environment;
  order_number: string;
  endpoint_url: string;
  event_type: StoredEventType;
  sequence: number;
  last_at: Date | null;
  last_status: number | null;
  last_error: string | null;
}

/** A delivery with the event's text and creation time. */
export interface StudioDeliveryDetail extends StudioDeliveryRow, Pick<RowOf<typeof DELETED_ATTEMPT_COLUMNS>, 'deleted_attempt_at'> {
  body: string;
  event_created_at: Date;
}

export interface DeliveryFilter {
  /** Optional only with `orderId` or `endpointId`, which have one environment. */
  environment?: Environment | undefined;
  state?: DeliveryState | undefined;
  accountId?: string | undefined;
  endpointId?: string | undefined;
  orderId?: string | undefined;
  errorCode?: string | undefined;
  /** The period of creation: `from` inclusive, `to` exclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** Default: newest first. */
  sort?: DeliverySort | undefined;
}

/** `nextAttempt` lists only deliveries with attempts left, the next attempt first. */
export type DeliverySort = 'newest' | 'oldest' | 'nextAttempt';

const SORTS: Record<DeliverySort, { columns: string; order: string; comparison: '<' | '>' }> = {
  newest: { columns: 'd.created_at, d.id', order: 'ORDER BY d.created_at DESC, d.id DESC', comparison: '<' },
  oldest: { columns: 'd.created_at, d.id', order: 'ORDER BY d.created_at, d.id', comparison: '>' },
  nextAttempt: { columns: 'd.next_attempt_at, d.id', order: 'ORDER BY d.next_attempt_at, d.id', comparison: '>' },
};

const JOINED_COLUMNS = `e.account_id, c.name AS account_name, e.environment, o.order_number, w.url AS endpoint_url, e.type AS event_type,
  e.sequence, last.at AS last_at, ${LAST_RESULT}`;
const STUDIO_COLUMNS = `${DELIVERY_COLUMNS.of('d')}, ${JOINED_COLUMNS}`;
/** Joins of `webhook_deliveries d`; one index lookup each. */
const STUDIO_JOINS = `JOIN order_events e ON e.id = d.event_id JOIN orders o ON o.id = d.order_id JOIN accounts c ON c.id = e.account_id
  JOIN webhook_endpoints w ON w.id = d.endpoint_id ${lastAttemptJoin('d')}`;

/**
 * Lists one page. If the list is sorted by next attempt, the cursor holds that time. For an account, the deliveries of each endpoint are
 * looked up separately, including deleted endpoints, so that each lookup reads at most one page.
 */
export function listDeliveries(sql: Sql, filter: DeliveryFilter, { limit, after }: Page): Promise<StudioDeliveryRow[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const { environment, state, accountId, endpointId, orderId, errorCode, from, to, sort = 'newest' } = filter;
  const { columns: sortColumns, order, comparison } = SORTS[sort];
  const conditions = [
    'true',
    environment !== undefined && `d.environment = '${environment}'`,
    state !== undefined && `d.state = '${state}'`, // a literal, because some indexes contain only some states
    endpointId !== undefined && `d.endpoint_id = ${bind(endpointId)}`,
    orderId !== undefined && `d.order_id = ${bind(orderId)}`,
    errorCode !== undefined && `d.error_code = ${bind(errorCode)}`,
    from !== undefined && `d.created_at >= ${bind(from)}`,
    to !== undefined && `d.created_at < ${bind(to)}`,
    sort === 'nextAttempt' && `d.state = 'pending' AND d.next_attempt_at IS NOT NULL`,
    after !== null && `(${sortColumns}) ${comparison} (${bind(after.createdAt)}, ${bind(after.id)})`,
  ].filter((condition) => typeof condition === 'string');
  const select = (more: string): string =>
    `SELECT ${DELIVERY_COLUMNS.of('d')}, ${DELETED_ATTEMPT_COLUMNS.of('d')} FROM webhook_deliveries d WHERE ${[...conditions, more].join(' AND ')}`;
  const page = `${order} LIMIT ${bind(limit)}`;
  const selectPage = (): string => {
    if (accountId !== undefined)
      return `SELECT d.* FROM webhook_endpoints w CROSS JOIN LATERAL (${select('d.endpoint_id = w.id')} ${page}) d WHERE w.account_id = ${bind(accountId)}`;
    return select('true');
  };
  return sql.rows(`SELECT ${STUDIO_COLUMNS} FROM (${selectPage()} ${page}) d ${STUDIO_JOINS} ${order}`, parameters);
}

export function findStudioDelivery(sql: Sql, id: string): Promise<StudioDeliveryDetail | null> {
  return sql.row(
    `SELECT ${STUDIO_COLUMNS}, d.deleted_attempt_at, e.body, e.created_at AS event_created_at FROM webhook_deliveries d ${STUDIO_JOINS} WHERE d.id = $1`,
    [id],
  );
}

const OWN_COLUMNS = DELIVERY_COLUMNS.without('chain', 'handed_over_at');
/** A delivery in the account's own view, with the result of its last attempt. */
export type OwnDeliveryRow = RowOf<typeof OWN_COLUMNS> & Pick<StudioDeliveryRow, 'event_type' | 'sequence' | 'last_status' | 'last_error'>;

const OWN_DELIVERY = `${OWN_COLUMNS.of('d')}, e.type AS event_type, e.sequence, ${LAST_RESULT}`;
const OWN_JOINS = `JOIN order_events e ON e.id = d.event_id ${lastAttemptJoin('d')}`;

/**
 * Lists the deliveries to an account's endpoints in an environment, newest first by (created_at, id). Each endpoint is looked up
 * separately, including deleted ones, so that each lookup reads at most one page.
 */
export function listOwnDeliveries(
  sql: Sql,
  { accountId, environment }: { accountId: string; environment: Environment },
  state: DeliveryState | null,
  { limit, after }: Page,
): Promise<OwnDeliveryRow[]> {
  return sql.rows(
    `
    SELECT ${OWN_DELIVERY} FROM (
      SELECT d.* FROM webhook_endpoints w CROSS JOIN LATERAL (
        SELECT ${DELIVERY_COLUMNS.list}, ${DELETED_ATTEMPT_COLUMNS.list} FROM webhook_deliveries
         WHERE endpoint_id = w.id AND ($3::text IS NULL OR state = $3) AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5))
         ORDER BY created_at DESC, id DESC LIMIT $6) d
       WHERE w.account_id = $1 AND w.environment = $2 ORDER BY d.created_at DESC, d.id DESC LIMIT $6) d ${OWN_JOINS}
     ORDER BY d.created_at DESC, d.id DESC`,
    [accountId, environment, state, after?.createdAt ?? null, after?.id ?? null, limit],
  );
}

export function findOwnDelivery(sql: Sql, id: string): Promise<OwnDeliveryRow | null> {
  return sql.row(`SELECT ${OWN_DELIVERY} FROM webhook_deliveries d ${OWN_JOINS} WHERE d.id = $1`, [id]);
}

export const ATTEMPT_COLUMNS = columns('webhook_attempts', {
  id: integer,
  chain: integer,
  number: integer,
  trigger: typed<DeliveryTrigger>(),
  at: time,
  ok: bool,
  status: nullable(integer),
  error_code: nullable(text),
  /** Milliseconds per phase, measured by the sender. */
  timings: typed<Record<string, number | null>>(),
  reply_excerpt: nullable(text),
  next_attempt_at: nullable(time),
});
export type AttemptRow = RowOf<typeof ATTEMPT_COLUMNS>;

/** The stored attempts of every chain, oldest first. */
export function findAttempts(sql: Sql, deliveryId: string): Promise<AttemptRow[]> {
  return sql.rows(
    `
    SELECT ${ATTEMPT_COLUMNS.list}
      FROM webhook_attempts WHERE delivery_id = $1 ORDER BY id`,
    [deliveryId],
  );
}
