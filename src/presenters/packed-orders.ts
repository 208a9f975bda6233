import type { StudioJobRow } from '../db/repositories/studio-orders';
import { hasLineValues, type LabelProgram, type PackedOrderValue } from '../domain/label-program';
import { localDate } from '../domain/pricing/ready-date';
import { type CsvColumns, exactText } from './csv';

/** A packed order for a label program, with one of its lines if the file has a row for each. */
export interface PackedOrder {
  order: StudioJobRow;
  shippingMethod: string | null;
  line: number;
}

const pieces = ({ lines }: StudioJobRow): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** Each value of a packed order. */
const VALUES: Record<PackedOrderValue, (packed: PackedOrder, timeZone: string) => string | number | null | undefined> = {
  orderNumber: ({ order }) => order.order_number,
  orderId: ({ order }) => order.id,
  reference: ({ order }) => order.reference,
  accountName: ({ order }) => order.account_name,
  placedOn: ({ order }, timeZone) => localDate(timeZone, order.created_at),
  dueDate: ({ order }) => order.due_date,
  recipientName: ({ order }) => order.shipping_address.name,
  company: ({ order }) => order.shipping_address.company,
  email: ({ order }) => order.shipping_address.email,
  // Spreadsheets subtract at hyphens, so people who open the file would get another number.
  phone: ({ order }) => order.shipping_address.phone?.replaceAll(/ ?[./-]+ ?/g, ' '),
  line1: ({ order }) => order.shipping_address.line1,
  line2: ({ order }) => order.shipping_address.line2,
  city: ({ order }) => order.shipping_address.city,
  state: ({ order }) => order.shipping_address.state,
  postcode: ({ order }) => order.shipping_address.postcode,
  country: ({ order }) => order.shipping_address.country,
  shippingMethod: ({ shippingMethod }) => shippingMethod,
  pieces: ({ order }) => pieces(order),
  itemName: ({ order, line }) => order.lines[line]?.productName,
  itemQuantity: ({ order, line }) => order.lines[line]?.quantity,
  itemReference: ({ order, line }) => order.lines[line]?.externalReference,
  empty: () => null,
};

/** The columns of the file. A program reads its cells, so numbers and postcodes are written as they are. */
export const packedOrderColumns = ({ orderColumns }: LabelProgram, timeZone: string): CsvColumns<PackedOrder> =>
  orderColumns.map(({ heading, value }) => [
    heading,
    (packed) => {
      const cell = VALUES[value](packed, timeZone);
      return typeof cell === 'string' ? exactText(cell) : (cell ?? null);
    },
  ]);

/** The rows of an order: one, or one for each line. */
export const packedRows = (order: StudioJobRow, shippingMethod: string | null, { orderColumns }: LabelProgram): PackedOrder[] =>
  (hasLineValues(orderColumns) ? [...order.lines.keys()] : [0]).map((line) => ({ order, shippingMethod, line }));
