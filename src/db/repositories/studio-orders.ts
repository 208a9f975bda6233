import type { StoredEventType } from '../../domain/events';
import { DEFAULT_RUSH_TIER, type Environment, type RushTier } from '../../domain/limits';
import type { IdOrNumber } from '../../domain/order-number';
import type { RemakeFacts } from '../../domain/remakes';
import type { EndpointState } from '../../domain/webhook-rules';
import type { ShippingAddress } from '../../domain/basket/quote-request';
import type { PricedJob } from '../../domain/pricing/priced-quote';
import type { Sql } from '../database';
import { LATEST_EVENTS, type OrderEventRow } from './order-events';
import { NOTE_RECORD, ORDER_WITH_RELATIONS } from './orders';
import { columns, nullable, text, type Columns, type RowOf } from '../columns';
import {
  ATTENTION_COLUMNS,
  ORDER_CHANGE_COLUMNS,
  INSPECTION_COLUMNS,
  INVOICE_COLUMNS,
  PARCEL_COLUMNS,
  PAYMENT_COLUMNS,
  REMAKE_COLUMNS,
  TIMELINE_COLUMNS,
  type AttentionRow,
  type OrderChangeRow,
  type InspectionRow,
  type InvoiceRow,
  type OrderWithRelations,
  type ParcelRow,
  type PaymentRow,
  type RemakeRow,
  type TimelineRow,
} from '../rows';

/** An order as the studio lists it, with its account and price data. */
export interface StudioOrderRow extends OrderWithRelations {
  account_name: string;
  rush_tier: RushTier;
  /** `YYYY-MM-DD`; null on orders that were settled before due dates were stored. */
  due_date: string | null;
  /** Unreversed payments, in cents. */
  paid_cents: number;
  /** Null if the order is not a remake. */
  remake_of: RemakeOrigin | null;
}

/** An order with its invoice, open attention and webhook endpoints, for a row of a list. */
export interface ListedOrderRow extends StudioOrderRow {
  /** `[erased]` on an erased order, as the postcode. */
  recipient_name: string;
  postcode: string;
  invoice: InvoiceRow | null;
  attention: AttentionRow[];
  webhookEndpoints: WebhookAudience[];
  /** Whether the artwork of the first line has a preview. */
  hasPreview: boolean;
}

/** The original of a remake, and the reason. */
export interface RemakeOrigin extends Pick<RemakeRow, 'original_id' | 'remake_id' | 'reason' | 'lines'> {
  order_number: string;
}

/** An order with the data for production. */
export interface StudioJobRow extends StudioOrderRow {
  jobs: PricedJob[];
  shipping_address: ShippingAddress;
}

const REMAKE_ORIGIN_COLUMNS = REMAKE_COLUMNS.only('original_id', 'remake_id', 'reason', 'lines');
/** SQL over `STUDIO_ORDER_TABLES`: the items and the address of an order are in its quote, those of a remake in the remake's own row. */
export const JOBS = 'COALESCE(q.jobs, m.jobs)';
export const SHIPPING_ADDRESS = 'COALESCE(q.shipping_address, m.shipping_address)';

export const STUDIO_ORDER_COLUMNS = `${ORDER_WITH_RELATIONS}, a.name AS account_name, COALESCE(q.rush_tier, '${DEFAULT_RUSH_TIER}') AS rush_tier, o.due_date,
  CASE WHEN m.order_id IS NOT NULL THEN ${REMAKE_ORIGIN_COLUMNS.json('m')} || jsonb_build_object('order_number',
    (SELECT original.order_number FROM orders original WHERE original.id = m.original_id)) END AS remake_of,
  (SELECT COALESCE(SUM(y.amount_cents), 0)::bigint FROM payments y WHERE y.order_id = o.id AND y.reversed_at IS NULL) AS paid_cents`;
export const STUDIO_ORDER_TABLES = `orders o JOIN accounts a ON a.id = o.account_id LEFT JOIN quotes q ON q.id = o.quote_id LEFT JOIN remakes m ON m.order_id = o.id`;

export function toRemakeFacts(order: StudioOrderRow): RemakeFacts {
  return {
    orderNumber: order.order_number,
    baseStatus: order.base_status,
    isErased: order.erased_at !== null,
    remakeOf: order.remake_of?.order_number ?? null,
    remakes: order.remakes.length,
  };
}

/** One order of any account and environment, or null. */
export function findStudioOrder(sql: Sql, orderId: string): Promise<StudioJobRow | null> {
  return sql.row(
    `SELECT ${STUDIO_ORDER_COLUMNS}, ${JOBS} AS jobs, ${SHIPPING_ADDRESS} AS shipping_address FROM ${STUDIO_ORDER_TABLES} WHERE o.id = $1`,
    [orderId],
  );
}

export interface OrderInBatch {
  id: string;
  order_number: string;
  environment: Environment;
}

/** The orders with these ids or exact numbers. */
export function findOrdersByIdOrNumber(sql: Sql, names: readonly string[]): Promise<OrderInBatch[]> {
  return sql.rows('SELECT id, order_number, environment FROM orders WHERE id = ANY ($1) OR order_number = ANY ($1)', [names]);
}

/** The id of the order with exactly this number, or null. */
export function findOrderIdByNumber(sql: Sql, orderNumber: string): Promise<string | null> {
  return sql.value('SELECT id FROM orders WHERE order_number = $1', [orderNumber]);
}

/** The id of the order with this number or this invoice number; null if there is none. */
export function findOrderIdByOrderOrInvoiceNumber(sql: Sql, number: string): Promise<string | null> {
  return sql.value(
    'SELECT id FROM orders WHERE order_number = $1 UNION ALL SELECT order_id AS id FROM invoices WHERE invoice_number = $1',
    [number],
  );
}

const ARTWORK_COLUMNS = columns('uploads', {
  id: text,
  url: text,
  storage_key: text,
  filename: text,
  content_type: text,
  checksum: nullable(text),
});
export type UploadedArtwork = RowOf<typeof ARTWORK_COLUMNS>;

/** The artwork with its inspection; null before the first inspection. */
export interface InspectedArtwork extends UploadedArtwork {
  inspection: InspectionRow | null;
}

/** An endpoint that receives the order's events of its types. While it is disabled, the events are held. */
export interface WebhookAudience {
  state: EndpointState;
  /** Null means all. */
  eventTypes: StoredEventType[] | null;
}

/** All records of one order at one moment, oldest first, including voided parcels and reversed payments. */
export interface StudioRecords extends Pick<
  ListedOrderRow,
  'recipient_name' | 'postcode' | 'invoice' | 'attention' | 'webhookEndpoints' | 'hasPreview'
> {
  order: StudioJobRow;
  timeline: TimelineRow[];
  /** Applied changes by the client. */
  changes: OrderChangeRow[];
  parcels: ParcelRow[];
  payments: PaymentRow[];
  notes: RowOf<typeof NOTE_RECORD>[];
  /** The latest events, newest first. */
  events: OrderEventRow[];
  /** The uploads that the order's lines use. */
  uploads: InspectedArtwork[];
}

/** The endpoints for which `insertEvent` creates deliveries. */
const WEBHOOK_ENDPOINTS = `(SELECT COALESCE(jsonb_agg(jsonb_build_object('state', w.state, 'eventTypes', w.event_types) ORDER BY w.created_at, w.id), '[]')
     FROM webhook_endpoints w WHERE w.account_id = o.account_id AND w.environment = o.environment AND w.deleted_at IS NULL)`;

/** Select-list part over `orders o`: the further columns of `ListedOrderRow`; one index lookup each. */
const LISTED_RECORDS = `${SHIPPING_ADDRESS} ->> 'name' AS recipient_name,
  ${SHIPPING_ADDRESS} ->> 'postcode' AS postcode,
  (SELECT ${INVOICE_COLUMNS.json('i')} FROM invoices i WHERE i.order_id = o.id) AS invoice,
  (SELECT COALESCE(jsonb_agg(${ATTENTION_COLUMNS.json('t')} ORDER BY t.raised_at, t.id), '[]')
     FROM order_attention t WHERE t.order_id = o.id AND t.cleared_at IS NULL) AS attention,
  ${WEBHOOK_ENDPOINTS} AS "webhookEndpoints",
  EXISTS (SELECT FROM uploads u JOIN artwork_inspections s ON s.upload_id = u.id AND s.checksum IS NOT DISTINCT FROM u.checksum
           WHERE u.account_id = o.account_id AND u.url = ${JOBS} -> 0 ->> 'imageUrl' AND s.state = 'ok') AS "hasPreview"`;
/** Select-list part over `STUDIO_ORDER_TABLES`: a `ListedOrderRow`, with record dates for `withRecordDates`. */
export const LISTED_ORDER_COLUMNS = `${STUDIO_ORDER_COLUMNS}, ${LISTED_RECORDS}`;

/** SQL: the inspection of the current file of upload `u`. */
const INSPECTION = `(SELECT ${INSPECTION_COLUMNS.json('s')} FROM artwork_inspections s WHERE s.upload_id = u.id AND s.checksum IS NOT DISTINCT FROM u.checksum)`;

const jsonArrayOf = (table: string, { json }: Pick<Columns, 'json'>, order: string): string =>
  `(SELECT COALESCE(jsonb_agg(${json('r')} ORDER BY ${order}), '[]') FROM ${table} r WHERE r.order_id = o.id)`;

const STUDIO_RECORDS = `
  ${jsonArrayOf('order_timeline', TIMELINE_COLUMNS, 'r.id')} AS timeline,
  (SELECT COALESCE(jsonb_agg(${ORDER_CHANGE_COLUMNS.json('r')} ORDER BY r.applied_at, r.id), '[]')
     FROM order_changes r WHERE r.order_id = o.id AND r.applied_at IS NOT NULL) AS changes,
  ${jsonArrayOf('parcels', PARCEL_COLUMNS, 'r.position')} AS all_parcels,
  ${jsonArrayOf('payments', PAYMENT_COLUMNS, 'r.created_at, r.id')} AS all_payments,
  ${jsonArrayOf('credit_notes', NOTE_RECORD, 'r.created_at, r.id')} AS notes,
  ${LISTED_RECORDS},
  ${LATEST_EVENTS} AS events,
  (SELECT COALESCE(jsonb_agg(${ARTWORK_COLUMNS.json('u')} || jsonb_build_object('inspection', ${INSPECTION})), '[]')
     FROM uploads u WHERE u.account_id = o.account_id AND u.url IN (SELECT job->>'imageUrl' FROM jsonb_array_elements(${JOBS}) job)) AS uploads`;

/** SQL over `orders o`: the order with the id or number `$1`. */
export const isOrder = (by: IdOrNumber): string => ('id' in by ? 'o.id = $1' : 'o.order_number = $1');

/** One order of any account and environment with all its records, or null. One statement, so all records are from one moment. */
export async function findStudioRecords(sql: Sql, by: IdOrNumber): Promise<StudioRecords | null> {
  const row = await sql.row<StudioJobRow & Omit<StudioRecords, 'parcels'> & { all_parcels: ParcelRow[]; all_payments: PaymentRow[] }>(
    `SELECT ${STUDIO_ORDER_COLUMNS}, ${JOBS} AS jobs, ${SHIPPING_ADDRESS} AS shipping_address, ${STUDIO_RECORDS} FROM ${STUDIO_ORDER_TABLES} WHERE ${isOrder(by)}`,
    Object.values(by),
  );
  if (row === null) return null;
  const {
    timeline,
    changes,
    all_parcels: parcels,
    all_payments: payments,
    notes,
    recipient_name,
    postcode,
    invoice,
    attention,
    events,
    webhookEndpoints,
    hasPreview,
    uploads,
    ...order
  } = row;
  return {
    order,
    timeline: timeline.map((entry) => withDates(entry, ['occurred_at', 'created_at'])),
    changes: changes.map((change) => withDates(change, ['applied_at'])),
    parcels: parcels.map((parcel) => withDates(parcel, ['shipped_at', 'delivered_at', 'voided_at'])),
    payments: payments.map((payment) => withDates(payment, ['received_at', 'reversed_at'])),
    notes: notes.map((note) => withDates(note, ['reversed_at'])),
    recipient_name,
    postcode,
    ...withRecordDates({ invoice, attention }),
    events: events.map((event) => ({
      ...withDates(event, ['created_at']),
      deliveries: event.deliveries.map((delivery) => withDates(delivery, ['next_attempt_at', 'completed_at'])),
    })),
    webhookEndpoints,
    hasPreview,
    uploads: uploads.map(withInspection),
  };
}

/** Parses the times of the invoice and of open attention, which are text in JSON. */
export function withRecordDates<T extends Pick<ListedOrderRow, 'invoice' | 'attention'>>(row: T): T {
  const { invoice, attention } = row;
  return {
    ...row,
    invoice: invoice === null ? null : withDates(invoice, ['issued_at', 'due_at', 'voided_at']),
    attention: attention.map((open) => withDates(open, ['raised_at'])),
  };
}

function withInspection(upload: InspectedArtwork): InspectedArtwork {
  return { ...upload, inspection: upload.inspection === null ? null : withDates(upload.inspection, ['inspected_at']) };
}

/** The artwork of a line of this account's orders; null if it no longer exists. */
export async function findArtworkByUrl(sql: Sql, accountId: string, url: string): Promise<InspectedArtwork | null> {
  const row = await sql.row<InspectedArtwork>(
    `SELECT ${ARTWORK_COLUMNS.of('u')}, ${INSPECTION} AS inspection FROM uploads u WHERE u.account_id = $1 AND u.url = $2`,
    [accountId, url],
  );
  return row === null ? null : withInspection(row);
}

/** Converts a record's times, which are text in JSON, to Dates. */
export function withDates<T extends object>(record: T, names: readonly (keyof T)[]): T {
  const dates = names.map((name) => [name, record[name] === null ? null : new Date(String(record[name]))]);
  return { ...record, ...Object.fromEntries(dates) };
}

/** The column with the id that messages use. */
const MESSAGE_ID_COLUMNS = { parcels: 'id', payments: 'id', credit_notes: 'sender_id' };

export function hasRecord(sql: Sql, table: keyof typeof MESSAGE_ID_COLUMNS, orderId: string, id: string): Promise<boolean> {
  return sql.exists(`SELECT 1 FROM ${table} WHERE order_id = $1 AND ${MESSAGE_ID_COLUMNS[table]} = $2`, [orderId, id]);
}
