import type { Environment } from '../../domain/limits';
import type { OrderFacts } from '../../domain/order-status';
import type { OrderState } from '../../../workflows/messages';
import { row, rows, type Sql } from '../data-source';
import type { OrderRow, OrderWithParcels, PaymentRow } from '../rows';

/** Select-list part over `orders o`. */
export const LIVE_PARCELS = `COALESCE((
  SELECT jsonb_agg(jsonb_build_object('tracking_number', p.tracking_number, 'carrier', p.carrier,
           'tracking_url', p.tracking_url, 'shipped_at', p.shipped_at) ORDER BY p.position)
    FROM parcels p WHERE p.order_id = o.id AND p.voided_at IS NULL), '[]') AS parcels`;

/** One order of this account and environment, or null. */
export function findOrder(sql: Sql, accountId: string, environment: Environment, orderId: string): Promise<OrderWithParcels | null> {
  return row(sql, `SELECT o.*, ${LIVE_PARCELS} FROM orders o WHERE o.id = $1 AND o.account_id = $2 AND o.environment = $3`,
    [orderId, accountId, environment]);
}

/** One order of any account, or null: the studio's view, and what events are written from. */
export function findOrderById(sql: Sql, orderId: string): Promise<OrderWithParcels | null> {
  return row(sql, `SELECT o.*, ${LIVE_PARCELS} FROM orders o WHERE o.id = $1`, [orderId]);
}

export interface PageMark {
  createdAt: Date;
  id: string;
}

/** Newest first by (created_at, id); `limit` rows after the mark. */
export function listOrders(sql: Sql, accountId: string, environment: Environment, limit: number, after: PageMark | null): Promise<OrderWithParcels[]> {
  const parameters: unknown[] = [accountId, environment, limit];
  if (after !== null) parameters.push(after.createdAt, after.id);
  return rows(sql, `SELECT o.*, ${LIVE_PARCELS} FROM orders o
     WHERE o.account_id = $1 AND o.environment = $2 ${after === null ? '' : 'AND (o.created_at, o.id) < ($4, $5)'}
     ORDER BY o.created_at DESC, o.id DESC LIMIT $3`, parameters);
}

/** The order as its workflow holds it, or null. With `lock`, the row stays locked until the transaction ends. */
export async function loadOrderState(sql: Sql, orderId: string, lock = false): Promise<OrderState | null> {
  const order = await row<OrderRow>(sql, `SELECT * FROM orders WHERE id = $1 ${lock ? 'FOR UPDATE' : ''}`, [orderId]);
  if (order === null) return null;
  const applied = await rows<{ milestone_id: string; content: string }>(sql,
    `SELECT milestone_id, content FROM order_timeline WHERE order_id = $1 AND outcome = 'applied'`, [orderId]);
  return {
    version: order.version,
    facts: await loadFacts(sql, order),
    applied: Object.fromEntries(applied.map(({ milestone_id, content }) => [milestone_id, content])),
    quoteId: order.quote_id,
    confirmationDue: confirmationDue(order),
  };
}

/** Live orders that are not white-labelled owe the customer one confirmation. */
export function confirmationDue(order: Pick<OrderRow, 'environment' | 'white_label' | 'confirmation_sent_at'>): boolean {
  return order.environment === 'live' && !order.white_label && order.confirmation_sent_at === null;
}

export async function loadFacts(sql: Sql, order: OrderRow): Promise<OrderFacts> {
  const parcels = await rows<{ id: string; voided: boolean }>(sql,
    `SELECT id, voided_at IS NOT NULL AS voided FROM parcels WHERE order_id = $1 ORDER BY position`, [order.id]);
  const payments = await rows<Pick<PaymentRow, 'id' | 'amount_cents' | 'reversed_at'>>(sql,
    `SELECT id, amount_cents, reversed_at FROM payments WHERE order_id = $1 ORDER BY created_at, id`, [order.id]);
  const standing = payments.filter(({ reversed_at }) => reversed_at === null);
  return {
    baseStatus: order.base_status,
    heldFrom: order.held_from,
    printed: order.printed,
    liveParcels: parcels.filter(({ voided }) => !voided).map(({ id }) => id),
    voidedParcels: parcels.filter(({ voided }) => voided).map(({ id }) => id),
    payments: Object.fromEntries(standing.map(({ id, amount_cents }) => [id, amount_cents])),
    reversedPayments: payments.filter(({ reversed_at }) => reversed_at !== null).map(({ id }) => id),
    totalCents: order.total_cents,
  };
}

/** Numbers are readable, unique and per environment: `P-10001`, `T-10001` for test (ruling 8). Gaps are normal. */
export async function nextOrderNumber(sql: Sql, environment: Environment): Promise<string> {
  const found = await row<{ number: number }>(sql, `SELECT nextval('order_numbers_${environment}') AS number`);
  return `${environment === 'test' ? 'T' : 'P'}-${found?.number}`;
}
