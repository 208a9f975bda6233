import type { OrderRow, OrderWithRelations, RemakeOfOrder, VisibleParcel } from '../db/rows';
import { cancelBlockers, type CancelBlocker } from '../domain/cancel-rules';
import type { LineQuantity } from '../domain/line-quantities';
import type { Metadata } from '../domain/metadata';
import { toOrderIssue } from '../domain/order-issues';
import type { PricedLine } from '../domain/pricing/priced-quote';
import type { DeliveryDates } from '../domain/shipping/options';
import { fieldsOf } from './fields';

/** An order in responses and webhooks of clients. Its amounts add up. */
export function presentOrder(order: OrderWithRelations) {
  return {
    orderId: order.id,
    ...fieldsOf(order, 'order_number', 'status', 'environment'),
    isTest: order.environment === 'test',
    ...fieldsOf(order, 'quote_id', 'reference', 'currency'),
    lines: order.lines.map(presentLine),
    ...fieldsOf(order, 'subtotal_cents', 'shipping_cents', 'shipping_method', 'discount_cents', 'rush_fee_cents'),
    ...fieldsOf(order, 'total_cents', 'gst_cents', 'promised_ready_date'),
    estimatedDeliveryDates: presentDeliveryDates(order),
    shipments: order.parcels.map(presentShipment),
    remakes: order.remakes.map((remake) => ({ status: remake.status, shipments: presentRemakeShipments(remake) })),
    cancellable: presentCancellable(order),
    issues: order.issues.map(toOrderIssue),
    metadata: presentMetadata(order.metadata),
    createdAt: order.created_at.toISOString(),
    cancelledAt: order.cancelled_at?.toISOString() ?? null,
  };
}
export type PresentedOrder = ReturnType<typeof presentOrder>;

export function presentDeliveryDates(row: Pick<OrderRow, 'delivery_earliest' | 'delivery_latest'>): DeliveryDates | null {
  const { delivery_earliest: earliest, delivery_latest: latest } = row;
  return earliest === null || latest === null ? null : { earliest, latest };
}

/** Sorts the keys, because jsonb does not keep the order of the request. */
export function presentMetadata(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Restores the order of the fields, which jsonb does not keep. */
export function presentPieces({ line, quantity }: LineQuantity): LineQuantity {
  return { line, quantity };
}

/** The parcels of a remake. Their line numbers are those of the original order, because clients know only that order. */
export function presentRemakeShipments({ parcels, lines }: RemakeOfOrder) {
  const toOriginalLine = ({ line, quantity }: LineQuantity): LineQuantity => ({ line: lines[line]?.line ?? line, quantity });
  return parcels.map((parcel) => presentShipment({ ...parcel, lines: parcel.lines?.map(toOriginalLine) ?? null }));
}

function presentShipment(parcel: VisibleParcel) {
  return {
    carrier: parcel.carrier,
    trackingNumber: parcel.tracking_number,
    trackingUrl: parcel.tracking_url,
    shippedAt: readTime(parcel.shipped_at),
    deliveredAt: readTime(parcel.delivered_at),
    lines: parcel.lines?.map(presentPieces) ?? null,
  };
}

/** A time of a record that was read as JSON, which is text. */
const readTime = (at: Date | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Tells whether the account may cancel the order now, and the blockers. */
function presentCancellable(order: OrderWithRelations): { now: boolean; blockers: CancelBlocker[] } {
  const blockers = cancelBlockers({
    baseStatus: order.base_status,
    hasLiveParcel: order.parcels.length > 0,
    isPrinted: order.printed_lines.length > 0,
    isPaid: order.is_paid,
  });
  return { now: blockers.length === 0, blockers };
}

/** A line of a quote or order. Restores the order of the fields, which jsonb does not keep. */
export function presentLine(line: PricedLine): PricedLine {
  return fieldsOf(line, 'externalReference', 'productSlug', 'productName', 'quantity', 'unitPriceCents', 'amountCents');
}
