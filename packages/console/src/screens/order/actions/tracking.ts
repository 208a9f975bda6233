import { callApiPage, studio } from '../../../api/studio';
import type { Order } from '../order';

/** The orders with a live parcel of this tracking number, by their numbers. */
export async function ordersWith(trackingNumber: string, { environment }: Order): Promise<string[]> {
  const { rows } = await callApiPage(studio.GET('/orders', { params: { query: { environment, q: trackingNumber, limit: 100 } } }));
  const isIt = (other: string): boolean => other.toLowerCase() === trackingNumber.toLowerCase();
  return rows.filter(({ shipments }) => shipments.some((parcel) => isIt(parcel.trackingNumber))).map(({ orderNumber }) => orderNumber);
}
