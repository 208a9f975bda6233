import { countedWith } from './order-message';
import type { OrderMessage } from './order-status';

/** Of the texts of its parcels, milestones, notes and payments together, as JSON (ruling 75). */
export const MAX_ORDER_TEXT_BYTES = 256 * 1024;

/** A full order still takes a cancel, and parcels, payments and milestones back, with a note or reason of at most this many bytes. */
const SHORT_BYTES = 200;

/** Fields that the sender can shorten or leave out. */
const TEXT_FIELDS = ['note', 'reason', 'trackingNumber', 'carrier', 'trackingUrl', 'reference', 'lines'] as const;

/** A message that is to be stored, measured in bytes of UTF-8. */
interface Measured {
  message: OrderMessage;
  bytesOf: (text: string) => number;
  /** Of what is to be stored of it. */
  ownBytes: number;
  /** Of what the order holds already. */
  storedBytes: number;
}

/** Why the message does not fit into its order, with the fields to shorten; null where it does. */
export function textExcess({ message, bytesOf, ownBytes, storedBytes }: Measured): string | null {
  if (storedBytes + ownBytes <= MAX_ORDER_TEXT_BYTES) return null;
  const texts = TEXT_FIELDS.flatMap((field) => {
    const value: unknown = (message as Partial<Record<(typeof TEXT_FIELDS)[number], unknown>>)[field];
    return value === undefined || value === null ? [] : [{ field, bytes: bytesOf(JSON.stringify(value)) }];
  }).toSorted((a, b) => b.bytes - a.bytes);
  if (isAlwaysTaken(message) && texts.reduce((sum, { bytes }) => sum + bytes, 0) <= SHORT_BYTES) return null;
  const longest = texts.map(({ field, bytes }) => `${field} (${inBytes(bytes)})`).join(', ');
  return (
    `the texts of this order's parcels, milestones, notes and payments have ${inBytes(storedBytes)} of ${inBytes(MAX_ORDER_TEXT_BYTES)}, ` +
    `and this message has ${inBytes(ownBytes)}${longest === '' ? '' : `; shorten ${longest}`}; ` +
    `the order can still be cancelled, and parcels, payments and milestones taken back, with a note or reason of at most ${SHORT_BYTES} bytes`
  );
}

const isAlwaysTaken = ({ type }: OrderMessage): boolean => type === 'cancelled' || countedWith(type) === null;

const inBytes = (bytes: number): string => `${bytes} bytes`;
