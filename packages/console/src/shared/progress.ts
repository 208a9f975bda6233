import type { Schema } from '../api/studio';
import { isToBeShipped } from './order-status';

export type Progress = Pick<Schema<'StudioOrderRow'>, 'status' | 'baseStatus' | 'facts' | 'lines' | 'shipments'>;

type Contents = Pick<Progress['shipments'][number], 'lines'>;

/** The status on the studio's screens: a completed order reads completed, even after shipping (ruling 28). */
export function displayStatus(order: Omit<Progress, 'facts'>): Progress['status'] | 'part_shipped' {
  const { status, baseStatus } = order;
  if (baseStatus === 'completed') return 'completed';
  const isAnyLeft = isToBeShipped(baseStatus) && sum(unpackedOf(order)) > 0;
  return status === 'shipped' && isAnyLeft ? 'part_shipped' : status;
}

/** The pieces of each line that are in no parcel. A parcel with unknown contents counts as containing all remaining pieces. */
export function unpackedOf({ lines, shipments }: Pick<Progress, 'lines' | 'shipments'>): number[] {
  if (shipments.some(({ lines: contents }) => contents === null)) return lines.map(() => 0);
  return without(lines, shipments);
}

/** The pieces of each line that are not in these parcels. Parcels with unknown contents count as empty. */
export function without(lines: readonly { quantity: number }[], parcels: readonly Contents[]): number[] {
  const packed = parcels.flatMap(({ lines: contents }) => contents ?? []);
  return lines.map(({ quantity }, line) => quantity - sum(packed.filter((each) => each.line === line).map((each) => each.quantity)));
}

/** `2 × line 1`: screens count lines from 1, the API from 0. */
export const piecesOfLine = (quantity: number, line: number): string => `${quantity} × line ${line + 1}`;

export const describeLineCounts = (counts: readonly number[]): string =>
  counts.flatMap((count, line) => (count > 0 ? [piecesOfLine(count, line)] : [])).join(', ');

/** Progress that the status does not show; null without any. */
export function describeProgress(order: Progress): string | null {
  const { status, facts, lines } = order;
  if (displayStatus(order) === 'part_shipped') {
    const all = sum(lines.map(({ quantity }) => quantity));
    return `${all - sum(unpackedOf(order))} of ${all} pieces shipped`;
  }
  return facts.printed && isToBeShipped(status) ? 'Printed' : null;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
