import { addressLines } from '../domain/address-lines';
import type { StudioRecords } from '../db/repositories/studio-orders';
import type { ParcelRow, SellerRow } from '../db/rows';
import { lineDetail, type NameLookup } from './line-facts';
import type { PdfContent } from './pdf-renderer';
import { formatDayIn, isNonEmpty } from './formatting';

interface PackingSlipInput {
  order: StudioRecords['order'];
  nameOf: NameLookup;
  /** The parcel to list; null to list the whole order. */
  parcel: ParcelRow | null;
  /** Whether the order has several parcels. */
  isOneOfSeveral: boolean;
  studio: SellerRow | null;
  timeZone: string;
  printedAt: Date;
}

/** Lists the contents of a parcel for its recipient. A white-label order names the account as the sender, not the studio. */
export function createPackingSlipContent({
  order,
  nameOf,
  parcel,
  isOneOfSeveral,
  studio,
  timeZone,
  printedAt,
}: PackingSlipInput): PdfContent {
  const packed = new Map(parcel?.lines?.map(({ line, quantity }) => [line, quantity]));
  const hasListedLines = parcel !== null && parcel.lines !== null;
  const lines = order.lines.flatMap((line, at) => {
    const quantity = hasListedLines ? (packed.get(at) ?? 0) : line.quantity;
    if (quantity === 0) return [];
    const quantityText = quantity === line.quantity ? String(quantity) : `${quantity} of ${line.quantity}`;
    const detail = lineDetail(at, order.jobs[at]?.selections, nameOf);
    return [{ product: line.productName, detail, reference: line.externalReference ?? '', quantity: quantityText }];
  });
  const isWhole =
    lines.length === order.lines.length && order.lines.every(({ quantity }, at) => !hasListedLines || packed.get(at) === quantity);
  return {
    template: 'packing-slip',
    data: {
      title: `Packing slip ${order.order_number}`,
      footer: `Order ${order.order_number}`,
      isTest: order.environment === 'test',
      orderNumber: order.order_number,
      reference: order.reference,
      sender: senderOf(order, studio),
      date: formatDayIn(timeZone, parcel?.shipped_at ?? printedAt),
      shipTo: addressLines(order.shipping_address),
      parcel: parcel === null ? [] : parcelFacts(parcel),
      lines,
      note: noteOf(isWhole, !hasListedLines && isOneOfSeveral),
    },
    barcodes: { 'order-number': order.order_number },
  };
}

function noteOf(isWhole: boolean, isOfAllParcels: boolean): string {
  if (isOfAllParcels) return 'The order has several parcels. This list contains the pieces of all parcels.';
  return isWhole ? 'This parcel contains the whole order.' : 'This parcel contains part of the order. The rest is shipped separately.';
}

function senderOf(order: StudioRecords['order'], studio: SellerRow | null): { name: string; address: string[] } | null {
  if (order.white_label) return { name: order.account_name, address: [] };
  return studio === null ? null : { name: studio.name, address: [studio.address] };
}

function parcelFacts({ id, carrier, tracking_number }: ParcelRow): [string, string][] {
  const carrierFacts: [string, string][] = isNonEmpty(carrier) ? [['Carrier', carrier]] : [];
  return [['Parcel', id], ...carrierFacts, ['Tracking', tracking_number]];
}
