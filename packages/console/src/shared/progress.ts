import type { KnownValue, Schema } from '../api/studio';
import { ownValue } from './own-value';
import { statusLabel } from './words';

export type Progress = Pick<Schema<'StudioOrderRow'>, 'status' | 'baseStatus' | 'lines' | 'shipments' | 'stage' | 'stageLines'>;

type Contents = Pick<Progress['shipments'][number], 'lines'>;

/** The status on the studio's screens: a completed order reads completed, even after shipping. */
export function displayStatus(order: Omit<Progress, 'stage' | 'stageLines'>): Progress['status'] | 'part_shipped' {
  const { status, baseStatus } = order;
  if (baseStatus === 'completed') return 'completed';
  const isAnyLeft = isToBeShipped(baseStatus) && sum(unpackedOf(order)) > 0;
  return status === 'shipped' && isAnyLeft ? 'part_shipped' : status;
}

/** The pieces of each line that are in no parcel. A parcel with unknown contents counts as containing all remaining pieces. */
export function unpackedOf({ lines, shipments }: Pick<Progress, 'lines' | 'shipments'>): number[] {
  if (shipments.some(({ lines: contents }) => contents === null)) return lines.map(() => 0);
  return piecesLeft(lines, shipments);
}

/** The pieces of each line that are not in these parcels. Parcels with unknown contents count as empty. */
export function piecesLeft(lines: readonly { quantity: number }[], parcels: readonly Contents[]): number[] {
  const packed = parcels.flatMap(({ lines: contents }) => contents ?? []);
  return lines.map(({ quantity }, line) => quantity - sum(packed.filter((each) => each.line === line).map((each) => each.quantity)));
}

/** `2 × line 1`: screens count lines from 1, the API from 0. */
export const piecesOfLine = (quantity: number, line: number): string => `${quantity} × line ${line + 1}`;

export const describeLineCounts = (counts: readonly number[]): string =>
  counts.flatMap((count, line) => (count > 0 ? [piecesOfLine(count, line)] : [])).join(', ');

/** Progress that the status does not show; null without any. */
export function describeProgress(order: Progress): string | null {
  const { status, lines, stage, stageLines } = order;
  if (displayStatus(order) === 'part_shipped') {
    const all = sum(lines.map(({ quantity }) => quantity));
    return `${all - sum(unpackedOf(order))} of ${all} pieces shipped`;
  }
  if (!isToBeShipped(status)) return null;
  if (stage !== null) return statusLabel(stage);
  return stageLines.printed.length > 0 ? `${stageLines.printed.length} of ${lines.length} lines printed` : null;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

export type OrderStatus = KnownValue<Schema<'StudioOrderRow'>['status']>;

interface StatusRules {
  colour: string;
  /** It can be due and late. */
  isToBeShipped: boolean;
}

/** In the order of production. A missing status does not compile. */
export const ORDER_STATUSES: Readonly<Record<OrderStatus, StatusRules>> = {
  received: { colour: 'indigo', isToBeShipped: true },
  in_production: { colour: 'violet', isToBeShipped: true },
  on_hold: { colour: 'yellow', isToBeShipped: true },
  shipped: { colour: 'teal', isToBeShipped: false },
  completed: { colour: 'green', isToBeShipped: false },
  cancelled: { colour: 'gray', isToBeShipped: false },
};
export const STATUSES = Object.keys(ORDER_STATUSES) as OrderStatus[];

/** Whether orders of this status can be due. True without a status. */
export const canBeDue = (status = ''): boolean => ownValue(ORDER_STATUSES, status)?.isToBeShipped !== false;

/** Whether an order of this status can be due and late. False for statuses that this build does not know. */
export const isToBeShipped = (status: string): boolean => ownValue(ORDER_STATUSES, status)?.isToBeShipped === true;
