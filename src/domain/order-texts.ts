import { kindOf, type OrderMessage } from './order-messages';

/** The limit for the texts of an order's parcels, milestones, notes and payments together, as JSON (ruling 75). */
export const MAX_ORDER_TEXT_BYTES = 256 * 1024;

/** An order at its limit still accepts cancellations, voids, reversals and corrections whose note or reason is at most this long. */
const SHORT_TEXT_BYTES = 200;

/** Fields that the sender can shorten or leave out. */
const TEXT_FIELDS = ['note', 'reason', 'trackingNumber', 'carrier', 'trackingUrl', 'reference', 'lines'] as const;

/** A message to store, with sizes in bytes of UTF-8. */
interface MeasuredMessage {
  message: OrderMessage;
  countBytes: (text: string) => number;
  /** The stored size of the message. */
  ownBytes: number;
  /** The size of the texts that the order has already stored. */
  storedBytes: number;
}

/** Returns the reason why the message does not fit into its order, with the fields to shorten; null if it fits. */
export function textLimitIssue({ message, countBytes, ownBytes, storedBytes }: MeasuredMessage): string | null {
  if (storedBytes + ownBytes <= MAX_ORDER_TEXT_BYTES) return null;
  const texts = TEXT_FIELDS.flatMap((field) => {
    const value: unknown = (message as Partial<Record<(typeof TEXT_FIELDS)[number], unknown>>)[field];
    return value === undefined || value === null ? [] : [{ field, bytes: countBytes(JSON.stringify(value)) }];
  }).toSorted((a, b) => b.bytes - a.bytes);
  if (isAlwaysAccepted(message) && texts.reduce((sum, { bytes }) => sum + bytes, 0) <= SHORT_TEXT_BYTES) return null;
  const longest = texts.map(({ field, bytes }) => `${field} (${formatBytes(bytes)})`).join(', ');
  return (
    `the texts of this order's parcels, milestones, notes and payments use ${formatBytes(storedBytes)} of ${formatBytes(MAX_ORDER_TEXT_BYTES)}, ` +
    `and this message adds ${formatBytes(ownBytes)}${longest === '' ? '' : `; shorten ${longest}`}; ` +
    `the order still accepts cancellations, voids, reversals and corrections with a note or reason of at most ${SHORT_TEXT_BYTES} bytes`
  );
}

const isAlwaysAccepted = (message: OrderMessage): boolean => message.type === 'cancelled' || kindOf(message).limit === null;

const formatBytes = (bytes: number): string => `${bytes} bytes`;
