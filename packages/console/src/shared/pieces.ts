import type { Of } from '../api/types';
import { isToBeShipped } from './order-status';

export type Progress = Pick<Of<'StudioOrderRow'>, 'status' | 'baseStatus' | 'facts' | 'lines' | 'shipments'>;

/**
 * How many pieces of each line are in no parcel that is under way or there. A parcel of which nobody said what it holds is taken to hold
 * all that was left.
 */
export function unpackedOf({ lines, shipments }: Pick<Progress, 'lines' | 'shipments'>): number[] {
  if (shipments.some(({ lines: holds }) => holds === null)) return lines.map(() => 0);
  return without(lines, shipments);
}

type Holding = Pick<Progress['shipments'][number], 'lines'>;

/** The pieces of each line that are not in these parcels, as far as parcels say what they hold. */
export function without(lines: readonly { quantity: number }[], parcels: readonly Holding[]): number[] {
  const packed = parcels.flatMap(({ lines: holds }) => holds ?? []);
  return lines.map(({ quantity }, line) => quantity - sum(packed.filter((each) => each.line === line).map((each) => each.quantity)));
}

export const ofLines = (counts: readonly number[]): string =>
  counts.flatMap((count, line) => (count > 0 ? [`${count} of line ${line + 1}`] : [])).join(', ');

/** How far it is beyond what its status says, and what it waits for; null where the status says it all. */
export function furtherOf(order: Progress): string | null {
  const { status, baseStatus, facts, lines } = order;
  if (status === 'shipped') {
    const [all, left] = [sum(lines.map(({ quantity }) => quantity)), sum(unpackedOf(order))];
    return left > 0 && isToBeShipped(baseStatus) ? `${all - left} of ${all} pieces shipped` : null;
  }
  if (!facts.printed || !isToBeShipped(status)) return null;
  return status === 'in_production' ? 'Printed, waits for packing' : 'Printed';
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
