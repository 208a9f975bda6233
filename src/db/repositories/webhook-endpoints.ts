import type { Environment } from '../../domain/limits';
import type { SecretBox } from '../../security/secret-box';
import type { Sql, Transaction } from '../database';
import { findPage, type Page } from '../keyset';
import type { StoredEventType } from '../../domain/events';
import type { EndpointState, RecoverableState } from '../../domain/webhook-rules';
import { columns, nullable, text, time, typed, type RowOf } from '../columns';

export const ENDPOINT_COLUMNS = columns('webhook_endpoints', {
  id: text,
  account_id: text,
  environment: typed<Environment>(),
  url: text,
  /** The event types that the endpoint receives; null means all types, including future types. */
  event_types: nullable(typed<StoredEventType[]>()),
  /** Both secrets are encrypted; `signingKeys` decrypts them. */
  secret: text,
  previous_secret: nullable(text),
  previous_secret_until: nullable(time),
  state: typed<EndpointState>(),
  disabled_reason: nullable(text),
  created_at: time,
  updated_at: time,
  deleted_at: nullable(time),
});
export type EndpointRow = RowOf<typeof ENDPOINT_COLUMNS>;

/** The owner of both secrets of an endpoint. They share an owner because a rotation turns the current secret into the previous one. */
export const endpointSecretOwner = (id: string): string => `webhook-endpoint/${id}`;

export function findEndpoint(sql: Sql, id: string): Promise<EndpointRow | null> {
  return sql.row(`SELECT ${ENDPOINT_COLUMNS.list} FROM webhook_endpoints WHERE id = $1 AND deleted_at IS NULL`, [id]);
}

/** The decrypted secrets that sign an endpoint's webhooks. */
export interface SigningKeys {
  current: string;
  previous: string | null;
  previousUntil: Date | null;
}

/** @throws UnreadableSecretError */
export async function signingKeys(
  box: SecretBox,
  endpoint: Pick<EndpointRow, 'id' | 'secret' | 'previous_secret' | 'previous_secret_until'>,
): Promise<SigningKeys> {
  const { id, secret, previous_secret: previous, previous_secret_until: previousUntil } = endpoint;
  const owner = endpointSecretOwner(id);
  return { current: await box.open(owner, secret), previous: previous === null ? null : await box.open(owner, previous), previousUntil };
}

/** The secrets that sign at `now`: the present one, and the previous one during the overlap. */
export function signingSecrets({ current, previous, previousUntil }: SigningKeys, now: Date): string[] {
  return previous !== null && previousUntil !== null && previousUntil > now ? [current, previous] : [current];
}

export interface NewEndpoint {
  id: string;
  accountId: string;
  environment: Environment;
  url: string;
  eventTypes: StoredEventType[] | null;
  /** Decrypted. */
  secret: string;
  now: Date;
}

export async function insertEndpoint(sql: Sql, box: SecretBox, endpoint: NewEndpoint): Promise<EndpointRow> {
  return sql.one(
    `
    WITH new_endpoint AS (
      INSERT INTO webhook_endpoints (id, account_id, environment, url, event_types, secret, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $7, $5, $6, $6) RETURNING ${ENDPOINT_COLUMNS.list}),
    new_health AS (INSERT INTO webhook_endpoint_health (endpoint_id) SELECT id FROM new_endpoint)
    SELECT ${ENDPOINT_COLUMNS.list} FROM new_endpoint`,
    [
      endpoint.id,
      endpoint.accountId,
      endpoint.environment,
      endpoint.url,
      await box.seal(endpointSecretOwner(endpoint.id), endpoint.secret),
      endpoint.now,
      endpoint.eventTypes,
    ],
  );
}

/** Disables an endpoint. Its pending deliveries become held in the same transaction, so that none is lost. */
export async function disableEndpoint(sql: Transaction, id: string, reason: string, now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE webhook_endpoints SET state = 'disabled', disabled_reason = $2, updated_at = $3
     WHERE id = $1 AND deleted_at IS NULL`,
    [id, reason, now],
  );
  await holdPendingDeliveries(sql, id);
}

/**
 * Enables an endpoint and resets its failure count. Results of attempts before this no longer count. Held deliveries stay held until the
 * studio recovers them.
 */
export async function enableEndpoint(sql: Sql, id: string, now: Date): Promise<void> {
  await sql.run(
    `
    WITH reset_health AS (
      UPDATE webhook_endpoint_health SET consecutive_failures = 0, epoch = epoch + 1, failing_since = NULL, failing_mailed_at = NULL WHERE endpoint_id = $1)
    UPDATE webhook_endpoints SET state = 'enabled', disabled_reason = NULL, updated_at = $2
     WHERE id = $1 AND deleted_at IS NULL`,
    [id, now],
  );
}

/** Holds every pending delivery of a disabled or deleted endpoint. A running POST keeps its claim, because it may still succeed. */
export async function holdPendingDeliveries(sql: Transaction, endpointId: string): Promise<void> {
  await sql.setStatementTimeout(50_000); // an endpoint that did not answer for a long time has many deliveries
  await sql.run(`UPDATE webhook_deliveries SET state = 'held', next_attempt_at = NULL WHERE endpoint_id = $1 AND state = 'pending'`, [
    endpointId,
  ]);
}

/** An endpoint in the studio's view: without secrets, with the counts of waiting and failed deliveries. */
export interface EndpointView extends RowOf<typeof VIEW_COLUMNS> {
  consecutive_failures: number;
  held: number;
  failed: number;
}

/** Lists count at most this many deliveries of one kind, because readers refresh them often. */
export const MAX_COUNTED = 10_000;
const countSql = (state: RecoverableState, maxCount: number | null): string =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = w.id AND d.state = '${state}' LIMIT ${maxCount ?? 'ALL'}) c)`;
const VIEW_COLUMNS = ENDPOINT_COLUMNS.without('secret', 'previous_secret');
const endpointViewSql = (
  maxCount: number | null,
): string => `${VIEW_COLUMNS.of('w')}, ${countSql('held', maxCount)} AS held, ${countSql('failed', maxCount)} AS failed,
  (SELECT h.consecutive_failures FROM webhook_endpoint_health h WHERE h.endpoint_id = w.id) AS consecutive_failures`;
const VIEW = endpointViewSql(null);
/** Select-list part over `webhook_endpoints w`, for many endpoints at once. */
export const LISTED_VIEW = endpointViewSql(MAX_COUNTED);

/** Finds an endpoint; null if it does not exist or is deleted. */
export function findEndpointView(sql: Sql, id: string): Promise<EndpointView | null> {
  return sql.row(`SELECT ${VIEW} FROM webhook_endpoints w WHERE w.id = $1 AND w.deleted_at IS NULL`, [id]);
}

/** Lists an account's endpoints in one environment or both, newest first by (created_at, id). Deleted endpoints are omitted. */
export function listEndpoints(
  sql: Sql,
  { accountId, environment = null }: { accountId: string; environment?: Environment | null },
  page: Page,
): Promise<EndpointView[]> {
  const endpoints = `SELECT ${VIEW} FROM webhook_endpoints w
     WHERE w.account_id = $1 AND ($2::text IS NULL OR w.environment = $2) AND w.deleted_at IS NULL`;
  return findPage(sql, { text: endpoints, parameters: [accountId, environment], sortBy: ['w.created_at', 'w.id'] }, page);
}

/** Locks the endpoint's row until the transaction ends, then reads it, deleted or not. */
export async function lockEndpoint(sql: Sql, id: string): Promise<EndpointView | null> {
  const locked = await sql.row(`SELECT id FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return locked === null ? null : sql.row(`SELECT ${VIEW} FROM webhook_endpoints w WHERE w.id = $1`, [id]);
}

export async function updateEndpoint(
  sql: Sql,
  { id, url, event_types }: Pick<EndpointRow, 'id' | 'url' | 'event_types'>,
  now: Date,
): Promise<void> {
  await sql.run(`UPDATE webhook_endpoints SET url = $2, event_types = $3, updated_at = $4 WHERE id = $1`, [id, url, event_types, now]);
}

/**
 * Rotates the secret. The previous secret signs until `overlapUntil`; null ends it at once. Requires the endpoint's lock.
 * @param rotation its `secret` is not encrypted
 * @throws UnreadableSecretError if the previous secret is still needed and cannot be decrypted
 */
export async function rotateSecret(
  sql: Sql,
  box: SecretBox,
  id: string,
  rotation: { secret: string; overlapUntil: Date | null; now: Date },
): Promise<void> {
  const owner = endpointSecretOwner(id);
  const current =
    rotation.overlapUntil === null ? null : await sql.value<string>('SELECT secret FROM webhook_endpoints WHERE id = $1', [id]);
  await sql.run(
    'UPDATE webhook_endpoints SET previous_secret = $2, previous_secret_until = $3, secret = $4, updated_at = $5 WHERE id = $1',
    [
      id,
      current === null ? null : await box.reseal(owner, current),
      rotation.overlapUntil,
      await box.seal(owner, rotation.secret),
      rotation.now,
    ],
  );
}

/** Deletes an endpoint. Its pending deliveries become held, and all its deliveries stay readable. */
export async function deleteEndpoint(sql: Transaction, id: string, now: Date): Promise<void> {
  await sql.run(`UPDATE webhook_endpoints SET deleted_at = $2, updated_at = $2 WHERE id = $1 AND deleted_at IS NULL`, [id, now]);
  await holdPendingDeliveries(sql, id);
}

export async function findConsecutiveFailures(sql: Sql, id: string): Promise<number> {
  return (await sql.value<number | null>('SELECT consecutive_failures FROM webhook_endpoint_health WHERE endpoint_id = $1', [id])) ?? 0;
}
