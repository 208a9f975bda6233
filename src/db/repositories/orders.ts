import type { Environment } from '../../domain/limits';
import { messageKey, type MilestoneType, type SentMessage } from '../../domain/order-messages';
import { findLimitGroup } from '../../domain/order-messages/limits';
import type { Role } from '../../domain/roles';
import { STATUSES_TO_BE_SHIPPED, type MilestoneFacts, type OrderFacts, type OrderState, type OrderStatus } from '../../domain/order-status';
import type { Sql, Transaction } from '../database';
import { findPage, type Page } from '../keyset';
import { ARTWORK_ISSUES, NEXT_CHECK_AT } from './order-artwork';
import { isCorrected } from './timeline';
import type { RowOf } from '../columns';
import {
  CREDIT_NOTE_COLUMNS,
  ORDER_COLUMNS,
  PARCEL_COLUMNS,
  PAYMENT_COLUMNS,
  REMAKE_COLUMNS,
  type OrderRow,
  type OrderWithRelations,
} from '../rows';

const VISIBLE_PARCEL_COLUMNS = PARCEL_COLUMNS.only('tracking_number', 'carrier', 'tracking_url', 'shipped_at', 'delivered_at', 'lines');
/** Expression over `orders` under an alias. */
const liveParcelsOf = (order: string): string => `COALESCE((
  SELECT jsonb_agg(${VISIBLE_PARCEL_COLUMNS.json('p')} ORDER BY p.position)
    FROM parcels p WHERE p.order_id = ${order}.id AND p.voided_at IS NULL), '[]')`;

const REMAKE_SUMMARY_COLUMNS = REMAKE_COLUMNS.only('order_id', 'remake_id', 'reason', 'lines');
/** Select-list part over `orders o`: its remakes. An order without remakes costs one index lookup. */
const REMAKES = `COALESCE((
  SELECT jsonb_agg(${REMAKE_SUMMARY_COLUMNS.json('m')} || jsonb_build_object('order_number', r.order_number, 'status', r.status, 'parcels', ${liveParcelsOf('r')}) ORDER BY m.sequence)
    FROM remakes m JOIN orders r ON r.id = m.order_id WHERE m.original_id = o.id), '[]') AS remakes`;

/** SQL over `orders o`: a client has placed the order. Clients see a remake only as part of its original. */
const PLACED_BY_CLIENT = 'o.quote_id IS NOT NULL';

/** Select-list part over `orders o`; one index lookup. */
const IS_PAID = 'EXISTS (SELECT 1 FROM payments y WHERE y.order_id = o.id AND y.reversed_at IS NULL) AS is_paid';

/** Select-list part over `orders o`: when the order was cancelled. A cancellation cannot be reversed, so the first one counts. */
const CANCELLED_AT = `CASE WHEN o.base_status = 'cancelled' THEN (
  SELECT min(t.created_at) FROM order_timeline t WHERE t.order_id = o.id AND t.type = 'cancelled' AND t.outcome = 'applied') END AS cancelled_at`;
/** SQL over `orders o`: the ids of uncorrected timeline entries of a type. */
const uncorrectedEntries = (type: MilestoneType, columns: string): string =>
  `SELECT ${columns} FROM order_timeline t
    WHERE t.order_id = o.id AND t.outcome = 'applied' AND t.type = '${type}' AND NOT ${isCorrected('o.id', 't.message_key')}`;
/** SQL over `orders o`: the latest reason since the last release. A repeated hold without a reason keeps the earlier one. */
const HOLD_REASON = `(${uncorrectedEntries('held', `t.content::jsonb->>'reason'`)} AND t.content::jsonb->>'reason' IS NOT NULL
    AND t.id > COALESCE((${uncorrectedEntries('released', 'max(t.id)')}), 0) ORDER BY t.id DESC LIMIT 1)`;
/** Select-list part over `orders o`: the reasons why the order waits for its client, who can change artwork until the order is printed. */
const ISSUES = `CASE WHEN o.base_status = 'on_hold'
    THEN jsonb_build_array(jsonb_build_object('code', 'ON_HOLD', 'line', NULL, 'message', ${HOLD_REASON})) ELSE '[]' END
  || CASE WHEN o.status IN ('${STATUSES_TO_BE_SHIPPED.join("', '")}') AND NOT o.printed THEN ${ARTWORK_ISSUES} ELSE '[]' END AS issues`;

/** Select-list part over `orders o`: the whole row. */
const ORDER = ORDER_COLUMNS.of('o');
/** Select-list part over `orders o`: data of other tables. */
export const ORDER_RELATIONS = `${liveParcelsOf('o')} AS parcels, ${IS_PAID}, ${CANCELLED_AT}, ${REMAKES}, ${ISSUES}`;
/** Select-list part over `orders o`: an `OrderWithRelations`. */
export const ORDER_WITH_RELATIONS = `${ORDER}, ${ORDER_RELATIONS}`;

export const NEWEST_ORDERS = ['o.created_at', 'o.id'] as const;

/** One order of this account and environment, or null. */
export function findOrder(sql: Sql, accountId: string, environment: Environment, orderId: string): Promise<OrderWithRelations | null> {
  return sql.row(
    `SELECT ${ORDER_WITH_RELATIONS} FROM orders o WHERE o.id = $1 AND o.account_id = $2 AND o.environment = $3 AND ${PLACED_BY_CLIENT}`,
    [orderId, accountId, environment],
  );
}

/** One order of any account, or null, for the studio and for events. */
export function findOrderById(sql: Sql, orderId: string): Promise<OrderWithRelations | null> {
  return sql.row(`SELECT ${ORDER_WITH_RELATIONS} FROM orders o WHERE o.id = $1`, [orderId]);
}

export interface OrderFilter {
  status?: OrderStatus;
  /** RFC 3339, inclusive. */
  createdAfter?: string;
  /** RFC 3339, exclusive. */
  createdBefore?: string;
  /** The exact reference of the order. */
  reference?: string;
  /** The exact reference of at least one line. */
  externalReference?: string;
}

/** SQL over `orders o`; `mark` is the parameter's placeholder. */
const CONDITIONS: Record<keyof OrderFilter, (mark: string) => string> = {
  status: (mark) => `o.status = ${mark}`,
  createdAfter: (mark) => `o.created_at >= ${mark}`,
  createdBefore: (mark) => `o.created_at < ${mark}`,
  reference: (mark) => `o.reference = ${mark} AND o.erased_at IS NULL`,
  externalReference: (mark) =>
    `o.erased_at IS NULL AND order_references(o.account_id, o.environment, o.lines) @> ARRAY[$1 || ' ' || $2 || ' ' || ${mark}]`,
};

export function listOrders(
  sql: Sql,
  { accountId, environment }: { accountId: string; environment: Environment },
  filter: OrderFilter,
  page: Page,
): Promise<OrderWithRelations[]> {
  const filters = Object.entries(filter) as [keyof OrderFilter, string][];
  const conditions = filters.map(([name], index) => `AND ${CONDITIONS[name](`$${index + 3}`)}`);
  const text = `SELECT ${ORDER_WITH_RELATIONS} FROM orders o WHERE o.account_id = $1 AND o.environment = $2 AND ${PLACED_BY_CLIENT} ${conditions.join(' ')}`;
  return findPage(sql, { text, parameters: [accountId, environment, ...filters.map(([, value]) => value)], sortBy: NEWEST_ORDERS }, page);
}

const STATE_COLUMNS = ORDER_COLUMNS.only(
  'id',
  'order_number',
  'quote_id',
  'account_id',
  'environment',
  'version',
  'base_status',
  'held_from',
  'printed',
  'printed_lines',
  'total_cents',
  'white_label',
  'confirmation_sent_at',
  'confirmation_failed_at',
  'erased_at',
  'created_at',
);
type StateRow = RowOf<typeof STATE_COLUMNS> & { line_count: number };

/** The state of the order's workflow, or null. */
export async function loadOrderState(sql: Sql, orderId: string): Promise<Required<OrderState> | null> {
  return (await loadOrderStates(sql, [orderId])).get(orderId) ?? null;
}

/** The states of the orders' workflows by order id. */
export async function loadOrderStates(sql: Sql, orderIds: readonly string[]): Promise<Map<string, Required<OrderState>>> {
  const orders = await sql.rows<StateRow & OrderRecords & { artwork_due: Date | null }>(
    `SELECT ${STATE_COLUMNS.of('o')}, jsonb_array_length(o.lines) AS line_count, ${ORDER_RECORDS}, ${NEXT_CHECK_AT} AS artwork_due FROM orders o WHERE o.id = ANY ($1)`,
    [orderIds],
  );
  return new Map(orders.map((order) => [order.id, toOrderState(order)]));
}

function toOrderState(order: StateRow & OrderRecords & { artwork_due: Date | null }): Required<OrderState> {
  return {
    orderNumber: order.order_number,
    accountId: order.account_id,
    environment: order.environment,
    version: order.version,
    facts: toOrderFacts(order, order.all_parcels, order.all_payments, order.all_notes),
    confirmationOwedSince: confirmationOwedSince(order)?.toISOString() ?? null,
    artworkDue: order.artwork_due?.toISOString() ?? null,
  };
}

/** The columns of the facts that milestones change. */
export const FACT_COLUMNS = {
  baseStatus: 'base_status',
  heldFrom: 'held_from',
  printed: 'printed',
  printedLines: 'printed_lines',
} as const satisfies Record<keyof MilestoneFacts, keyof OrderRow>;

/** An order's stored state before a message is applied. */
export interface LockedOrder extends Pick<
  OrderRow,
  'account_id' | 'version' | 'order_number' | 'status' | 'base_status' | 'printed' | 'printed_lines' | 'stage'
> {
  /** SHA-256 of the content applied under the message's key; null if the key is new. */
  applied_digest: string | null;
  /** True if the message with this key (a milestone, parcel, payment or credit note) was applied and later reversed. */
  is_reversed: boolean;
  /** How many applied messages count towards the message's limit. */
  counted: number;
  /** The size of the applied messages in bytes of UTF-8. */
  text_bytes: number;
  live_parcels: number;
  paid_cents: number;
  /** The name of the studio token that sent the message; null for other senders. */
  token_name: string | null;
  token_role: Role | null;
  badge_name: string | null;
  /** The number of the original order; null if this order is not a remake. */
  remake_of: string | null;
}

/** `$2` is the message's key, `$3` the types it counts with, `$4` its token. */
const LOCKED_ORDER = `o.account_id, o.version, o.order_number, o.status, o.base_status, o.printed, o.printed_lines, o.stage,
  (${isCorrected('o.id', '$2')}
    OR EXISTS (SELECT 1 FROM parcels p WHERE p.order_id = o.id AND 'parcel:' || p.id = $2 AND p.voided_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM payments y WHERE y.order_id = o.id AND 'payment:' || y.id = $2 AND y.reversed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM credit_notes n WHERE n.order_id = o.id AND 'credit-note:' || n.sender_id = $2 AND n.reversed_at IS NOT NULL)) AS is_reversed,
  (SELECT t.digest FROM order_timeline t WHERE t.order_id = o.id AND t.message_key = $2 AND t.outcome = 'applied') AS applied_digest,
  (SELECT count(*)::int FROM order_timeline t WHERE t.order_id = o.id AND t.outcome = 'applied' AND t.type = ANY ($3)) AS counted,
  (SELECT COALESCE(sum(octet_length(t.content)), 0)::int FROM order_timeline t WHERE t.order_id = o.id AND t.outcome = 'applied') AS text_bytes,
  (SELECT count(*)::int FROM parcels p WHERE p.order_id = o.id AND p.voided_at IS NULL) AS live_parcels,
  (SELECT COALESCE(SUM(y.amount_cents), 0)::bigint FROM payments y WHERE y.order_id = o.id AND y.reversed_at IS NULL) AS paid_cents,
  (SELECT k.name FROM studio_tokens k WHERE k.id = $4) AS token_name,
  (SELECT k.role FROM studio_tokens k WHERE k.id = $4) AS token_role,
  (SELECT b.name FROM badges b WHERE b.id = $5) AS badge_name,
  (SELECT original.order_number FROM remakes m JOIN orders original ON original.id = m.original_id WHERE m.order_id = o.id) AS remake_of`;

/** The order's account, which never changes; null if there is no such order. */
export function findAccountOfOrder(sql: Sql, orderId: string): Promise<string | null> {
  return sql.value('SELECT account_id FROM orders WHERE id = $1', [orderId]);
}

/**
 * Locks the order's row until the transaction ends; null if there is no such order. A message that locks uploads next takes the weaker
 * lock. A transaction that has locked an upload and raises attention on the order would otherwise deadlock with it.
 */
export async function lockOrder(
  sql: Transaction,
  orderId: string,
  { message, sender }: SentMessage,
  strength: 'UPDATE' | 'NO KEY UPDATE',
): Promise<LockedOrder | null> {
  const [, order] = await Promise.all([
    sql.run(`SELECT 1 FROM orders WHERE id = $1 FOR ${strength}`, [orderId]),
    sql.row<LockedOrder>(`SELECT ${LOCKED_ORDER} FROM orders o WHERE o.id = $1`, [
      orderId,
      messageKey(message),
      findLimitGroup(message.type)?.types ?? [],
      sender?.credentialId ?? null,
      sender?.badgeId ?? null,
    ]),
  ]);
  return order;
}

/**
 * Returns the time since when the customer's confirmation is due, or null. It is due for live orders that are neither white-labelled nor
 * remakes. It is no longer due when it was sent or failed, or when the order was cancelled or erased.
 */
export function confirmationOwedSince(order: Omit<StateRow, 'line_count'>): Date | null {
  const isOwed =
    order.quote_id !== null &&
    order.environment === 'live' &&
    !order.white_label &&
    order.base_status !== 'cancelled' &&
    order.confirmation_sent_at === null &&
    order.confirmation_failed_at === null &&
    order.erased_at === null;
  return isOwed ? order.created_at : null;
}

/** Counts the account's confirmations sent since `since` whose orders are now cancelled, at most `limit`. */
export function countCancelledAfterConfirmation(sql: Sql, accountId: string, since: Date, limit: number): Promise<number> {
  return sql.value(
    `SELECT count(*)::int AS count FROM (
       SELECT FROM orders WHERE account_id = $1 AND confirmation_sent_at > $2 AND base_status = 'cancelled' LIMIT $3) cancelled`,
    [accountId, since, limit],
  );
}

/** Records that the confirmation will not be sent, and why. Keeps the first reason. */
export async function markConfirmationFailed(sql: Sql, orderId: string, reason: string, now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE orders SET confirmation_failed_at = $2, confirmation_failure = $3
     WHERE id = $1 AND confirmation_sent_at IS NULL AND confirmation_failed_at IS NULL`,
    [orderId, now, reason],
  );
}

const PARCEL_RECORD = PARCEL_COLUMNS.only('id', 'voided_at');
const PAYMENT_RECORD = PAYMENT_COLUMNS.only('id', 'amount_cents', 'reversed_at');
export const NOTE_RECORD = CREDIT_NOTE_COLUMNS.only('sender_id', 'amount_cents', 'reversed_at');

interface OrderRecords {
  all_parcels: RowOf<typeof PARCEL_RECORD>[];
  all_payments: RowOf<typeof PAYMENT_RECORD>[];
  all_notes: RowOf<typeof NOTE_RECORD>[];
}

/** Select-list part over `orders o`: its parcels, payments and credit notes, oldest first. */
const ORDER_RECORDS = `
  (SELECT COALESCE(jsonb_agg(${PARCEL_RECORD.json('p')} ORDER BY p.position), '[]')
     FROM parcels p WHERE p.order_id = o.id) AS all_parcels,
  (SELECT COALESCE(jsonb_agg(${PAYMENT_RECORD.json('y')} ORDER BY y.created_at, y.id), '[]')
     FROM payments y WHERE y.order_id = o.id) AS all_payments,
  (SELECT COALESCE(jsonb_agg(${NOTE_RECORD.json('n')} ORDER BY n.created_at, n.id), '[]')
     FROM credit_notes n WHERE n.order_id = o.id) AS all_notes`;

/** The facts of one order from its row, parcels, payments and credit notes, oldest first. */
export function toOrderFacts(
  order: StateRow,
  parcels: OrderRecords['all_parcels'],
  payments: OrderRecords['all_payments'],
  notes: OrderRecords['all_notes'],
): Required<OrderFacts> {
  const livePayments = payments.filter(({ reversed_at }) => reversed_at === null);
  return {
    baseStatus: order.base_status,
    heldFrom: order.held_from,
    printed: order.printed,
    printedLines: order.printed_lines,
    lineCount: order.line_count,
    liveParcels: parcels.filter(({ voided_at }) => voided_at === null).map(({ id }) => id),
    voidedParcels: parcels.filter(({ voided_at }) => voided_at !== null).map(({ id }) => id),
    payments: Object.fromEntries(livePayments.map(({ id, amount_cents }) => [id, amount_cents])),
    reversedPayments: payments.filter(({ reversed_at }) => reversed_at !== null).map(({ id }) => id),
    totalCents: order.total_cents,
    creditNotes: Object.fromEntries(
      notes.filter(({ reversed_at }) => reversed_at === null).map(({ sender_id, amount_cents }) => [sender_id, amount_cents]),
    ),
    reversedCreditNotes: notes.filter(({ reversed_at }) => reversed_at !== null).map(({ sender_id }) => sender_id),
  };
}
