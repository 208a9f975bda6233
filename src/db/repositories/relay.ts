import type { AttemptTimings } from '../../webhooks/outcome';
import {
  DISABLED_REASON,
  FAILURES_BEFORE_DISABLE,
  FAILURES_BEFORE_FAILING,
  type DeliveryState,
  type DeliveryTrigger,
} from '../../domain/webhook-rules';
import type { Sql } from '../database';
import { attentionInsert } from './attention';
import {
  DELETED_ATTEMPT_COLUMNS,
  DELIVERY_COLUMNS,
  LAST_RESULT,
  lastAttemptJoin,
  type DeliveryRow,
  type NewAttempt,
} from './webhook-deliveries';
import { ENDPOINT_COLUMNS, type SigningKeys } from './webhook-endpoints';
import type { RowOf } from '../columns';
import type { StoredEventType } from '../../domain/events';

/**
 * The relay's SQL. The deliveries' rows are its outbox. A claim has a number and ends by the database's clock. A result counts only with
 * the delivery's current chain and claim, so a relay that was paused beyond its lease changes nothing. Locks are taken in one order: the
 * endpoint, its health, then deliveries by id.
 */

/** Notified after commits that create deliveries. */
export const DELIVERIES_CHANNEL = 'webhook_deliveries';

/**
 * Wakes the relays. Two statements in one text are one transaction and one round trip. The commit does not wait for the disk: if a crash
 * loses it, the relays' next poll finds the rows.
 */
export async function notifyDeliveries(sql: Sql): Promise<void> {
  await sql.run(`SET LOCAL synchronous_commit = off; SELECT pg_notify('${DELIVERIES_CHANNEL}', '')`);
}

/** How long a claim lasts, s. An attempt takes up to ten, and starts only if more than that is left. */
export const LEASE_SECONDS = 30;
const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;
const UNCLAIMED = `(d.claimed_until IS NULL OR d.claimed_until < clock_timestamp())`;

/** A delivery that one relay may send until its claim ends. */
export interface ClaimedDelivery extends RowOf<typeof SENT_DELIVERY_COLUMNS> {
  claim: number;
  event_type: StoredEventType;
  /** The event's text, the same bytes in every attempt. */
  body: string;
  trace_context: string | null;
  /** The endpoint's epoch at the claim. */
  epoch: number;
}

const SENT_DELIVERY_COLUMNS = DELIVERY_COLUMNS.only('id', 'chain', 'endpoint_id', 'trigger', 'event_id', 'created_at');
const CLAIMED_COLUMNS = `${SENT_DELIVERY_COLUMNS.of('d')}, d.claim, e.type AS event_type, e.body, e.trace_context,
  (SELECT h.epoch FROM webhook_endpoint_health h WHERE h.endpoint_id = d.endpoint_id) AS epoch`;

/**
 * How many deliveries may be claimed for each endpoint; `defaultCapacity` applies to unlisted endpoints. `maxTotal` limits all together.
 */
export interface ClaimCapacity {
  endpoints: { id: string; capacity: number }[];
  defaultCapacity: number;
  maxTotal: number;
}

/**
 * SQL that finds the endpoints with rows in a partial index and their capacities, with one lookup for each endpoint. A long queue of one
 * endpoint does not hide others.
 */
function endpointCapacityCtes(condition: string): string {
  return `
    waiting_endpoints (endpoint_id) AS (
      (SELECT endpoint_id FROM webhook_deliveries WHERE ${condition} ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT n.endpoint_id FROM webhook_deliveries n WHERE ${condition} AND n.endpoint_id > waiting_endpoints.endpoint_id ORDER BY n.endpoint_id LIMIT 1)
        FROM waiting_endpoints WHERE waiting_endpoints.endpoint_id IS NOT NULL),
    capacities AS (
      SELECT waiting_endpoints.endpoint_id, COALESCE(c.capacity, $3) AS capacity FROM waiting_endpoints LEFT JOIN unnest($1::text[], $2::integer[]) c (endpoint_id, capacity) USING (endpoint_id)
       WHERE waiting_endpoints.endpoint_id IS NOT NULL)`;
}

const endpointIdsOf = ({ endpoints }: ClaimCapacity): string[] => endpoints.map(({ id }) => id);
const capacitiesOf = ({ endpoints }: ClaimCapacity): number[] => endpoints.map(({ capacity }) => capacity);

/**
 * Claims deliveries that wait for their first attempt, each endpoint's oldest first. The commit does not wait for the disk: if a crash
 * loses the claim, a relay claims the delivery again.
 */
export function claimFirstAttempts(sql: Sql, capacity: ClaimCapacity): Promise<ClaimedDelivery[]> {
  return sql.rows(
    `
    WITH RECURSIVE ${endpointCapacityCtes(`state = 'pending' AND attempts = 0`)},
    picked_deliveries AS (
      SELECT p.id FROM capacities CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = capacities.endpoint_id AND d.state = 'pending' AND d.attempts = 0 AND ${UNCLAIMED}
         ORDER BY d.created_at, d.id LIMIT capacities.capacity FOR NO KEY UPDATE SKIP LOCKED) p
       WHERE capacities.capacity > 0 LIMIT $4),
    claim AS MATERIALIZED (SELECT nextval('webhook_claims') AS number, set_config('synchronous_commit', 'off', true))
    UPDATE webhook_deliveries d SET claim = claim.number, claimed_until = ${LEASE}
      FROM picked_deliveries, claim, order_events e WHERE d.id = picked_deliveries.id AND e.id = d.event_id
    RETURNING ${CLAIMED_COLUMNS}`,
    [endpointIdsOf(capacity), capacitiesOf(capacity), capacity.defaultCapacity, capacity.maxTotal],
  );
}

/** Claims a delivery for its attempt number `attempt`; null if the row waits for another attempt. */
export function claimRetry(
  sql: Sql,
  { deliveryId, chain, attempt }: { deliveryId: string; chain: number; attempt: number },
): Promise<ClaimedDelivery | null> {
  return sql.row(
    `
    UPDATE webhook_deliveries d SET claim = nextval('webhook_claims'), claimed_until = ${LEASE}
      FROM order_events e WHERE d.id = $1 AND d.chain = $2 AND d.attempts = $3 - 1 AND d.state = 'pending' AND e.id = d.event_id
    RETURNING ${CLAIMED_COLUMNS}`,
    [deliveryId, chain, attempt],
  );
}

/** Counts the endpoint's due retries, at most `most`. */
export async function countDueRetries(sql: Sql, endpointId: string, now: Date, most: number): Promise<number> {
  const due = await sql.rows(
    `
    SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'pending' AND attempts > 0 AND next_attempt_at <= $2 LIMIT $3`,
    [endpointId, now, most],
  );
  return due.length;
}

/** Releases claims on deliveries whose attempt did not start. */
export async function releaseClaims(sql: Sql, deliveries: Pick<ClaimedDelivery, 'id' | 'claim'>[]): Promise<void> {
  if (deliveries.length === 0) return;
  await sql.run(
    `
    UPDATE webhook_deliveries d SET claimed_until = NULL FROM unnest($1::text[], $2::bigint[]) c (id, claim) WHERE d.id = c.id AND d.claim = c.claim`,
    [deliveries.map(({ id }) => id), deliveries.map(({ claim }) => claim)],
  );
}

const RELAY_ENDPOINT_COLUMNS = ENDPOINT_COLUMNS.without('event_types', 'disabled_reason', 'created_at');

/** The relay's data of an endpoint before each POST, with its secrets as stored. */
export interface StoredRelayEndpoint extends RowOf<typeof RELAY_ENDPOINT_COLUMNS> {
  /** The number of times that the endpoint was enabled. */
  epoch: number;
}

/** A StoredRelayEndpoint with decrypted secrets. */
export interface RelayEndpoint extends Omit<StoredRelayEndpoint, 'secret' | 'previous_secret' | 'previous_secret_until'> {
  signing: SigningKeys;
}

export function findRelayEndpoints(sql: Sql, endpointIds: string[]): Promise<StoredRelayEndpoint[]> {
  return sql.rows(
    `
    SELECT ${RELAY_ENDPOINT_COLUMNS.of('w')}, h.epoch
      FROM webhook_endpoints w JOIN webhook_endpoint_health h ON h.endpoint_id = w.id WHERE w.id = ANY ($1)`,
    [endpointIds],
  );
}

export interface AttemptResult extends NewAttempt {
  deliveryId: string;
  claim: number;
  trigger: DeliveryTrigger;
  /** The endpoint's epoch when the POST was sent. */
  epoch: number;
  timings: AttemptTimings;
}

/** SQL: always true. Its subquery runs before the rows of the query are locked, so the health is locked first. */
const AFTER_HEALTH = '(SELECT count(*) FROM locked_health) >= 0';

/**
 * Records results in one statement. Locked rows are skipped and missing in the returned map, so the caller records them later. A success
 * delivers, even if the delivery became held during the POST. After a failure the delivery waits for its next attempt. A result of another
 * chain or claim is only logged. A result that was recorded before, by a statement without an answer, is logged once.
 */
export async function recordResults(sql: Sql, results: readonly AttemptResult[], now: Date): Promise<Map<string, DeliveryState | null>> {
  const rows = await sql.rows<{ id: string; state: DeliveryState | null }>(
    `
    WITH results AS MATERIALIZED (
      SELECT r."deliveryId", r."endpointId", r.chain, r.claim, r.number, r.trigger, r.epoch, r.at, r.ok, r.status, r."errorCode", r.timings, r."replyExcerpt",
             r."nextAttemptAt" FROM jsonb_to_recordset($1::jsonb) AS r ("deliveryId" text, "endpointId" text, chain integer, claim bigint, number integer, trigger text,
        epoch integer, at timestamptz, ok boolean, status integer, "errorCode" text, timings jsonb, "replyExcerpt" text, "nextAttemptAt" timestamptz)),
    locked_health AS MATERIALIZED (
      SELECT endpoint_id FROM webhook_endpoint_health
       WHERE endpoint_id IN (SELECT "endpointId" FROM results WHERE ok) AND (consecutive_failures > 0 OR failing_since IS NOT NULL)
       ORDER BY endpoint_id FOR NO KEY UPDATE),
    unlocked AS MATERIALIZED (
      SELECT id FROM webhook_deliveries WHERE id IN (SELECT "deliveryId" FROM results) AND ${AFTER_HEALTH} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
    updated AS (
      UPDATE webhook_deliveries d SET attempts = r.number, claimed_until = NULL,
        state = CASE WHEN r.ok THEN 'delivered' ELSE d.state END, completed_at = CASE WHEN r.ok THEN $2::timestamptz END,
        next_attempt_at = CASE WHEN d.state = 'pending' THEN r."nextAttemptAt" END
       FROM results r JOIN unlocked ON unlocked.id = r."deliveryId"
      WHERE d.id = r."deliveryId" AND d.chain = r.chain AND d.claim = r.claim AND d.state IN ('pending', 'held')
      RETURNING d.id, d.order_id, d.endpoint_id, d.chain, d.state, r.ok, r.epoch),
    inserted_attempts AS (
      INSERT INTO webhook_attempts (delivery_id, endpoint_id, chain, number, trigger, at, ok, status, error_code, timings, reply_excerpt, next_attempt_at)
      SELECT r."deliveryId", r."endpointId", r.chain, r.number, r.trigger, r.at, r.ok, r.status, r."errorCode", r.timings, r."replyExcerpt",
             CASE WHEN updated.state = 'pending' THEN r."nextAttemptAt" END
        FROM results r JOIN unlocked ON unlocked.id = r."deliveryId" LEFT JOIN updated ON updated.id = r."deliveryId"
       WHERE NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = r."deliveryId" AND a.chain = r.chain AND a.number = r.number AND a.at = r.at)
       ORDER BY r.at),
    reset_health AS (
      UPDATE webhook_endpoint_health h SET consecutive_failures = 0, failing_since = NULL, failing_mailed_at = NULL
       WHERE h.endpoint_id IN (SELECT endpoint_id FROM locked_health) AND EXISTS (SELECT 1 FROM updated WHERE updated.ok AND updated.endpoint_id = h.endpoint_id AND updated.epoch = h.epoch)),
    -- Only a resent delivery can have failed before.
    cleared_attention AS (
      UPDATE order_attention a SET cleared_at = $2, cleared_by = 'service' FROM updated
       WHERE updated.ok AND updated.chain > 1 AND a.order_id = updated.order_id AND a.code = 'DELIVERY_FAILED' AND a.subject = updated.id AND a.cleared_at IS NULL)
    SELECT unlocked.id, updated.state FROM unlocked LEFT JOIN updated USING (id)`,
    [JSON.stringify(results), now],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/**
 * Ends a chain without success: the delivery fails and raises attention, and the endpoint's failure count grows. The count can mark the
 * endpoint as failing or disable it. A failure of a POST that was sent before the endpoint was enabled again, or while it is disabled, does
 * not count. Requires the endpoint's lock. Null if the claim is outdated.
 */
export function recordDeliveryFailure(
  sql: Sql,
  result: AttemptResult,
  lastResponse: string,
  now: Date,
): Promise<{ counted_failures: number | null; disabled: boolean } | null> {
  return sql.row(
    `
    WITH locked_health AS MATERIALIZED (SELECT endpoint_id FROM webhook_endpoint_health WHERE endpoint_id = $7 FOR NO KEY UPDATE),
    failed_delivery AS (
      UPDATE webhook_deliveries SET state = 'failed', attempts = $4::integer, next_attempt_at = NULL, completed_at = $5, claimed_until = NULL
       WHERE id = $1 AND chain = $2 AND claim = $3 AND state = 'pending' AND ${AFTER_HEALTH} RETURNING id, order_id, endpoint_id),
    raised_attention AS (${attentionInsert(`
      SELECT order_id, 'DELIVERY_FAILED', id, 'webhook ' || id || ' did not arrive in ' || $4::text || ' attempts; the last: ' || $6, $5 FROM failed_delivery`)}),
    counted_failures AS (
      UPDATE webhook_endpoint_health h SET consecutive_failures = consecutive_failures + 1,
        failing_since = CASE WHEN consecutive_failures + 1 >= ${FAILURES_BEFORE_FAILING} THEN COALESCE(failing_since, $5) ELSE failing_since END
        FROM failed_delivery f JOIN webhook_endpoints w ON w.id = f.endpoint_id
       WHERE h.endpoint_id = f.endpoint_id AND h.epoch = $8 AND w.state = 'enabled' RETURNING h.endpoint_id, h.consecutive_failures),
    disabled_endpoint AS (
      UPDATE webhook_endpoints w SET state = 'disabled', updated_at = $5, disabled_reason = '${DISABLED_REASON}'
        FROM counted_failures c WHERE w.id = c.endpoint_id AND w.state = 'enabled' AND c.consecutive_failures >= ${FAILURES_BEFORE_DISABLE} RETURNING w.id)
    SELECT c.consecutive_failures AS counted_failures, EXISTS (SELECT 1 FROM disabled_endpoint) AS disabled
      FROM failed_delivery LEFT JOIN counted_failures c USING (endpoint_id)`,
    [result.deliveryId, result.chain, result.claim, result.number, now, lastResponse, result.endpointId, result.epoch],
  );
}

/**
 * Holds a claimed delivery if its endpoint is disabled or deleted. Returns false if the endpoint is enabled again, because the caller's
 * data may be a second old.
 */
export function holdClaimed(sql: Sql, { id, claim }: Pick<ClaimedDelivery, 'id' | 'claim'>): Promise<boolean> {
  return sql.exists(
    `
    UPDATE webhook_deliveries d SET state = 'held', next_attempt_at = NULL, claimed_until = NULL
      FROM webhook_endpoints w
     WHERE d.id = $1 AND d.claim = $2 AND d.state = 'pending' AND w.id = d.endpoint_id AND (w.state = 'disabled' OR w.deleted_at IS NOT NULL)
    RETURNING d.id`,
    [id, claim],
  );
}

/** A delivery whose retries its order's workflow will make. */
export interface DeliveryHandover extends Pick<DeliveryRow, 'id' | 'chain' | 'attempts' | 'endpoint_id' | 'order_id'> {
  claim: number;
  next_attempt_at: Date;
  url: string;
  event_type: StoredEventType;
  order_number: string;
  account_id: string;
  last_status: number | null;
  last_error: string | null;
}

const HANDOVER_COLUMNS = `c.id, c.claim, c.chain, c.attempts, c.next_attempt_at, c.endpoint_id, w.url, e.type AS event_type, c.order_id,
  o.order_number, o.account_id, ${LAST_RESULT}`;

/**
 * Claims deliveries to hand over, from randomly chosen endpoints. Takes the most urgent delivery of every endpoint before any second one,
 * so that no endpoint's queue blocks another.
 */
export function claimHandovers(sql: Sql, capacity: ClaimCapacity): Promise<DeliveryHandover[]> {
  return sql.rows(
    `
    WITH RECURSIVE ${endpointCapacityCtes(`state = 'pending' AND attempts > 0 AND handed_over_at IS NULL`)},
    random_endpoints AS MATERIALIZED (SELECT endpoint_id, capacity FROM capacities WHERE capacity > 0 ORDER BY random() LIMIT 64),
    waiting_deliveries AS MATERIALIZED (
      SELECT p.id, row_number() OVER (PARTITION BY random_endpoints.endpoint_id ORDER BY p.next_attempt_at, p.id) AS turn FROM random_endpoints CROSS JOIN LATERAL (
        SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
         WHERE d.endpoint_id = random_endpoints.endpoint_id AND d.state = 'pending' AND d.attempts > 0 AND d.handed_over_at IS NULL AND ${UNCLAIMED}
         ORDER BY d.next_attempt_at, d.id LIMIT random_endpoints.capacity FOR NO KEY UPDATE SKIP LOCKED) p),
    picked_deliveries AS (SELECT id FROM waiting_deliveries ORDER BY turn, random() LIMIT $4),
    claim AS MATERIALIZED (SELECT nextval('webhook_claims') AS number),
    claimed_deliveries AS (
      UPDATE webhook_deliveries d SET claim = claim.number, claimed_until = ${LEASE} FROM picked_deliveries, claim WHERE d.id = picked_deliveries.id
      RETURNING d.id, d.claim, d.chain, d.attempts, d.next_attempt_at, d.endpoint_id, d.event_id, d.order_id, ${DELETED_ATTEMPT_COLUMNS.of('d')})
    SELECT ${HANDOVER_COLUMNS}
      FROM claimed_deliveries c JOIN webhook_endpoints w ON w.id = c.endpoint_id JOIN order_events e ON e.id = c.event_id JOIN orders o ON o.id = c.order_id ${lastAttemptJoin('c')}`,
    [endpointIdsOf(capacity), capacitiesOf(capacity), capacity.defaultCapacity, capacity.maxTotal],
  );
}

/** Marks the delivery as taken over by the order's workflow. */
export async function markHandedOver(
  sql: Sql,
  { id, chain, claim }: Pick<DeliveryHandover, 'id' | 'chain' | 'claim'>,
  now: Date,
): Promise<void> {
  await sql.run(
    `
    UPDATE webhook_deliveries SET handed_over_at = $4, claimed_until = CASE WHEN claim = $3 THEN NULL ELSE claimed_until END
     WHERE id = $1 AND chain = $2`,
    [id, chain, claim, now],
  );
}

/**
 * Releases deliveries whose next attempt is long overdue, because their workflow was lost. They are handed over again.
 * @returns how many
 */
export async function releaseOverdueHandovers(sql: Sql, overdueSince: Date, limit: number): Promise<number> {
  const rows = await sql.rows(
    `
    UPDATE webhook_deliveries SET handed_over_at = NULL WHERE id IN (
      SELECT id FROM webhook_deliveries
       WHERE environment IN ('live', 'test') AND state = 'pending' AND attempts > 0 AND handed_over_at IS NOT NULL AND next_attempt_at < $1
         AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
       ORDER BY next_attempt_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`,
    [overdueSince, limit],
  );
  return rows.length;
}
