import type { Environment, RushTier } from '../../domain/limits';
import type { OrderStatus } from '../../domain/order-status';
import type { PricedJob, ShippingAddress } from '../../domain/quotes';
import { row, rows, type Sql } from '../data-source';
import type { InvoiceRow, OrderWithParcels, ParcelRow, PaymentRow } from '../rows';
import { LIVE_PARCELS, type PageMark } from './orders';

/** An order as the studio lists it: whose it is and what it rests on. */
export interface StudioOrderRow extends OrderWithParcels {
  account_name: string;
  rush_tier: RushTier;
  /** Payments that stand, in cents. */
  paid_cents: number;
}

/** With what the floor needs to make and send it. */
export interface StudioJobRow extends StudioOrderRow {
  jobs: PricedJob[];
  shipping_address: ShippingAddress;
}

export interface StudioOrderFilter {
  environment: Environment;
  status: OrderStatus | null;
  accountId: string | null;
  /** Part of an order number, order id, external reference or tracking number. */
  text: string | null;
}

const STUDIO_COLUMNS = `o.*, ${LIVE_PARCELS}, a.name AS account_name, q.rush_tier,
  (SELECT COALESCE(SUM(y.amount_cents), 0)::bigint FROM payments y WHERE y.order_id = o.id AND y.reversed_at IS NULL) AS paid_cents`;
const STUDIO_TABLES = `orders o JOIN accounts a ON a.id = o.account_id JOIN quotes q ON q.id = o.quote_id`;

/** Newest first by (created_at, id); `limit` rows after the mark. */
export function listStudioOrders(sql: Sql, filter: StudioOrderFilter, limit: number, after: PageMark | null): Promise<StudioOrderRow[]> {
  return rows(sql, `SELECT ${STUDIO_COLUMNS} FROM ${STUDIO_TABLES}
     WHERE o.environment = $1 AND ($2::text IS NULL OR o.status = $2) AND ($3::text IS NULL OR o.account_id = $3)
       AND ($4::text IS NULL OR o.order_number ILIKE $4 OR o.id ILIKE $4
            OR EXISTS (SELECT 1 FROM jsonb_array_elements(o.lines) l WHERE l->>'externalReference' ILIKE $4)
            OR EXISTS (SELECT 1 FROM parcels p WHERE p.order_id = o.id AND p.tracking_number ILIKE $4))
       AND ($5::timestamptz IS NULL OR (o.created_at, o.id) < ($5, $6))
     ORDER BY o.created_at DESC, o.id DESC LIMIT $7`,
    [filter.environment, filter.status, filter.accountId, filter.text === null ? null : anywhere(filter.text),
      after?.createdAt ?? null, after?.id ?? null, limit]);
}

/** LIKE pattern of text that stands anywhere, its own wildcards taken as they are written. */
function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** One order of any account and environment, or null. */
export function findStudioOrder(sql: Sql, orderId: string): Promise<StudioJobRow | null> {
  return row(sql, `SELECT ${STUDIO_COLUMNS}, q.jobs, q.shipping_address FROM ${STUDIO_TABLES} WHERE o.id = $1`, [orderId]);
}

export interface UploadedArtwork {
  url: string;
  storage_key: string;
  filename: string;
  content_type: string;
}

/** What was declared of the artwork that the account names by these URLs. */
export function artworkOf(sql: Sql, accountId: string, urls: string[]): Promise<UploadedArtwork[]> {
  return rows(sql, `SELECT url, storage_key, filename, content_type FROM uploads WHERE account_id = $1 AND url = ANY ($2)`, [accountId, urls]);
}

/** Every parcel, voided ones too, oldest first. */
export function parcelsOf(sql: Sql, orderId: string): Promise<ParcelRow[]> {
  return rows(sql, `SELECT * FROM parcels WHERE order_id = $1 ORDER BY position`, [orderId]);
}

/** Every payment, reversed ones too, oldest first. */
export function paymentsOf(sql: Sql, orderId: string): Promise<PaymentRow[]> {
  return rows(sql, `SELECT * FROM payments WHERE order_id = $1 ORDER BY created_at, id`, [orderId]);
}

export function invoiceOf(sql: Sql, orderId: string): Promise<InvoiceRow | null> {
  return row(sql, `SELECT * FROM invoices WHERE order_id = $1`, [orderId]);
}

export async function hasParcel(sql: Sql, orderId: string, parcelId: string): Promise<boolean> {
  return (await row(sql, `SELECT 1 FROM parcels WHERE order_id = $1 AND id = $2`, [orderId, parcelId])) !== null;
}

export async function hasPayment(sql: Sql, orderId: string, paymentId: string): Promise<boolean> {
  return (await row(sql, `SELECT 1 FROM payments WHERE order_id = $1 AND id = $2`, [orderId, paymentId])) !== null;
}
