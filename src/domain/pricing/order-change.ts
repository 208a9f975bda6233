import type { ShippingAddress } from '../basket/quote-request';
import type { ValidationIssue } from '../errors';
import { describeMissingLine } from '../line-quantities';
import { formatCents } from '../money';
import type { PriceBook } from '../price-book/price-book';
import { shippingOptions } from '../shipping/options';
import type { ParcelGroup } from '../shipping/parcels';
import type { PricedLine } from './priced-quote';
import { isTaxed, taxContained } from './totals';

/** A line of an order, counted from 0, with its new reference; null removes the reference. */
export interface LineReference {
  line: number;
  externalReference: string | null;
}

/** Changes to an order before production. Absent fields stay as they are. */
export interface OrderChange {
  shippingAddress?: ShippingAddress;
  lines?: LineReference[];
  specialInstructions?: string | null;
  reference?: string | null;
}

/** The figures of an order that depend on its destination, and the basis of its delivery price. Amounts are in cents. */
export interface PricedDestination {
  parcels: readonly ParcelGroup[];
  shippingMethod: string | null;
  shippingCents: number;
  totalCents: number;
  gstCents: number;
}

/** Finds lines that the order does not have or that are named twice. */
export function changedLineIssues(lines: readonly LineReference[], ordered: number): ValidationIssue[] {
  return lines.flatMap(({ line }, index) => {
    const path = `lines.${index}.line`;
    if (line >= ordered) return [{ path, message: `must be a line of the order: ${describeMissingLine(line, ordered)}` }];
    return lines.findIndex((other) => other.line === line) < index ? [{ path, message: 'must be named once' }] : [];
  });
}

/** The reason why an order is not changed, with the difference in price if that is the reason. */
export interface ChangeRefusal {
  reason: string;
  details?: Record<string, number>;
}

/**
 * Checks that the order costs the same to the cent at another destination; null if it does. Only delivery and tax depend on the
 * destination, so the other prices are not calculated again.
 */
export function priceRefusal(book: PriceBook, priced: PricedDestination, destination: ShippingAddress): ChangeRefusal | null {
  const { parcels, shippingMethod, shippingCents, totalCents, gstCents } = priced;
  const options = shippingOptions(book.shipping, parcels, destination);
  const option = options.find(({ id, requiresQuote }) => id === shippingMethod && !requiresQuote);
  if (option === undefined) return { reason: `the delivery method ${shippingMethod} does not go to this address; ${ALTERNATIVE}` };
  const newTotalCents = totalCents - shippingCents + option.priceCents;
  const newGstCents = isTaxed(book.tax, destination, option.isCollection) ? taxContained(book.tax, newTotalCents) : 0;
  if (newTotalCents === totalCents && newGstCents === gstCents) return null;
  const differenceCents = newTotalCents - totalCents;
  return {
    reason:
      `to this address the order costs ${formatCents(newTotalCents)} with ${formatCents(newGstCents)} GST, ` +
      `not ${formatCents(totalCents)} with ${formatCents(gstCents)}${describeDifference(differenceCents)}; ${ALTERNATIVE}`,
    details: { totalCents, gstCents, newTotalCents, newGstCents, differenceCents },
  };
}

const describeDifference = (cents: number): string =>
  cents === 0 ? '' : ` (${formatCents(Math.abs(cents))} ${cents > 0 ? 'more' : 'less'})`;

const ALTERNATIVE = 'cancel the order and place a new one';

/** The values of an order that a change may replace. */
export interface ChangeableOrder {
  shippingAddress: ShippingAddress;
  lines: PricedLine[];
  specialInstructions: string | null;
  reference: string | null;
}

/** Applies a change. Returns the order's new values, and the replaced values in the form of a change. */
export function withChange(order: ChangeableOrder, change: OrderChange): { changed: ChangeableOrder; replaced: OrderChange } {
  const { shippingAddress, lines, specialInstructions, reference } = change;
  const references = new Map(lines?.map(({ line, externalReference }) => [line, externalReference]));
  return {
    changed: {
      shippingAddress: shippingAddress ?? order.shippingAddress,
      lines: order.lines.map((line, index) => ({
        ...line,
        externalReference: references.get(index) ?? (references.has(index) ? null : line.externalReference),
      })),
      specialInstructions: specialInstructions === undefined ? order.specialInstructions : specialInstructions,
      reference: reference === undefined ? order.reference : reference,
    },
    replaced: {
      ...(shippingAddress === undefined ? {} : { shippingAddress: order.shippingAddress }),
      ...(lines === undefined
        ? {}
        : { lines: lines.map(({ line }) => ({ line, externalReference: order.lines[line]?.externalReference ?? null })) }),
      ...(specialInstructions === undefined ? {} : { specialInstructions: order.specialInstructions }),
      ...(reference === undefined ? {} : { reference: order.reference }),
    },
  };
}
