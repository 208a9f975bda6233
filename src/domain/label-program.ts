/** The values of a packed order for a label program. Those of a line repeat the order for each line. */
export const PACKED_ORDER_VALUES = [
  'orderNumber',
  'orderId',
  'reference',
  'accountName',
  'placedOn',
  'dueDate',
  'recipientName',
  'company',
  'email',
  'phone',
  'line1',
  'line2',
  'city',
  'state',
  'postcode',
  'country',
  'shippingMethod',
  'pieces',
  'itemName',
  'itemQuantity',
  'itemReference',
  'empty',
] as const;
export type PackedOrderValue = (typeof PACKED_ORDER_VALUES)[number];

/** The values of one line. A file with one of them has a row for each line. */
const LINE_VALUES: readonly PackedOrderValue[] = ['itemName', 'itemQuantity', 'itemReference'];

/** A column of the file of packed orders. */
export interface OrderColumn {
  heading: string;
  value: PackedOrderValue;
}

/** The headings in the file of tracking numbers; null for a column that the program does not have. */
export interface TrackingColumns {
  orderNumber: string;
  trackingNumber: string;
  carrier: string | null;
  service: string | null;
  trackingUrl: string | null;
  shippedAt: string | null;
  deliveredAt: string | null;
}

/** The files of a label program. */
export interface LabelProgram {
  orderColumns: OrderColumn[];
  trackingColumns: TrackingColumns;
}

/** The columns until an admin changes them, with the words of Starshipit. */
export const DEFAULT_LABEL_PROGRAM: LabelProgram = {
  orderColumns: [
    { heading: 'Order Number', value: 'orderNumber' },
    { heading: 'Order Date', value: 'placedOn' },
    { heading: 'Name', value: 'recipientName' },
    { heading: 'Company', value: 'company' },
    { heading: 'Email', value: 'email' },
    { heading: 'Phone', value: 'phone' },
    { heading: 'Building', value: 'line2' },
    { heading: 'Street', value: 'line1' },
    { heading: 'Suburb', value: 'city' },
    { heading: 'State', value: 'state' },
    { heading: 'Postcode', value: 'postcode' },
    { heading: 'Country', value: 'country' },
    { heading: 'Shipping Method', value: 'shippingMethod' },
    { heading: 'Reference', value: 'reference' },
    { heading: 'Item Name', value: 'itemName' },
    { heading: 'Quantity', value: 'itemQuantity' },
  ],
  trackingColumns: {
    orderNumber: 'Order Number',
    trackingNumber: 'Tracking Number',
    carrier: 'Carrier',
    service: 'Carrier Service',
    trackingUrl: 'Tracking URL',
    shippedAt: 'Shipped Date',
    deliveredAt: 'Delivered Date',
  },
};

export const LABEL_PROGRAM_LIMITS = { columns: 60, heading: 100 } as const;

export const hasLineValues = (columns: readonly OrderColumn[]): boolean => columns.some(({ value }) => LINE_VALUES.includes(value));

/** A heading as it is compared: letters and digits, without case. */
export const headingKey = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A heading that names two columns, with the path of the second; null if all differ. */
export function repeatedHeading(columns: TrackingColumns): keyof TrackingColumns | null {
  const seen = new Set<string>();
  for (const [name, heading] of Object.entries(columns) as [keyof TrackingColumns, string | null][]) {
    if (heading === null) continue;
    if (seen.has(headingKey(heading))) return name;
    seen.add(headingKey(heading));
  }
  return null;
}
