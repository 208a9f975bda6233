import type { Schema } from '../api/studio';
import { isToBeShipped } from './order-status';

export type Progress = Pick<Schema<'StudioOrderRow'>, 'status' | 'baseStatus' | 'facts' | 'lines' | 'shipments'>;

/** The status on the studio's screens: a completed order reads completed, even after shipping (ruling 28). */
export const displayStatus = ({ status, baseStatus }: Pick<Progress, 'status' | 'baseStatus'>): Progress['status'] =>
  baseStatus === 'completed' ? 'completed' : status;

/** The pieces of each line that are in no live parcel. A parcel with unknown contents counts as containing all remaining pieces. */
export function unpackedOf({ lines, shipments }: Pick<Progress, 'lines' | 'shipments'>): number[] {
  if (shipments.some(({ lines: contents }) => contents === null)) return lines.map(() => 0);
  return without(lines, shipments);
}

type Contents = Pick<Progress['shipments'][number], 'lines'>;

/** The pieces of each line that are not in these parcels. Parcels with unknown contents count as empty. */
export function without(lines: readonly { quantity: number }[], parcels: readonly Contents[]): number[] {
  const packed = parcels.flatMap(({ lines: contents }) => contents ?? []);
  return lines.map(({ quantity }, line) => quantity - sum(packed.filter((each) => each.line === line).map((each) => each.quantity)));
}

export const describeLineCounts = (counts: readonly number[]): string =>
  counts.flatMap((count, line) => (count > 0 ? [`${count} of line ${line + 1}`] : [])).join(', ');

/** Progress that the status does not show; null without any. */
export function describeProgress(order: Progress): string | null {
  const { status, baseStatus, facts, lines } = order;
  if (status === 'shipped') {
    const [all, left] = [sum(lines.map(({ quantity }) => quantity)), sum(unpackedOf(order))];
    return left > 0 && isToBeShipped(baseStatus) ? `${all - left} of ${all} pieces shipped` : null;
  }
  return facts.printed && isToBeShipped(status) ? 'Printed' : null;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
