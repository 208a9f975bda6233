import { formatMoney } from '../../../shared/amount';
import { ownValue } from '../../../shared/own-value';
import { describeLineCounts, displayStatus, unpackedOf } from '../../../shared/progress';
import { statusLabel } from '../../../shared/words';
import { isApplied, isHandover, type MilestoneType, type Order, type TimelineEntry, undoneIds } from '../studio-order';
import { blockerInWords, linesInWords, notificationText } from '../words';

/** The part of an order that milestones change. */
interface MilestoneState {
  baseStatus: Order['baseStatus'];
  heldFrom: Order['baseStatus'];
  printedLines: ReadonlySet<number>;
}

const EFFECTS: Readonly<Record<MilestoneType, (state: MilestoneState, lines: readonly number[]) => Partial<MilestoneState>>> = {
  production_started: () => ({ baseStatus: 'in_production' }),
  printed: ({ printedLines }, lines) => ({ printedLines: new Set([...printedLines, ...lines]) }),
  framed: () => ({}),
  checked: () => ({}),
  ready: () => ({}),
  held: ({ baseStatus }) => (baseStatus === 'on_hold' ? {} : { baseStatus: 'on_hold', heldFrom: baseStatus }),
  released: ({ heldFrom }) => ({ baseStatus: heldFrom }),
  artwork_rejected: () => ({}),
  completed: () => ({ baseStatus: 'completed' }),
  cancelled: () => ({ baseStatus: 'cancelled' }),
};

/** The effects of a milestone, one sentence each. The floor sees no amounts. */
export function consequences(order: Order, type: MilestoneType, isOffice: boolean, lines: readonly number[] = []): string[] {
  switch (type) {
    case 'production_started':
      return [order.status === 'shipped' ? 'The start is recorded. The order stays shipped.' : 'The order moves to production.'];
    case 'printed':
      return [`${piecesInWords(lines)} are printed.`, ...clientCancelConsequences(order)];
    case 'framed':
      return [`${piecesInWords(lines)}${lines.length === 0 ? ' with a frame' : ''} are framed.`];
    case 'checked':
      return [`${piecesInWords(lines)} are checked.`];
    case 'ready':
      return [`${piecesInWords(lines)} are ready.`];
    case 'held':
      return [order.baseStatus === 'on_hold' ? 'The hold gets another reason.' : 'Production stops until you release the order.'];
    case 'released':
      return ['Production continues.'];
    case 'artwork_rejected':
      return order.remakeOf === null
        ? ['The client can replace the artwork until the order is printed.']
        : ['The client does not see the remake. Ask for other artwork, then undo the rejection.'];
    case 'completed':
      return [...missingParcels(order), 'The order leaves the open orders.'];
    case 'cancelled':
      return [
        order.status === 'shipped' ? 'The order stays shipped. The client sees that it is cancelled.' : 'Production stops.',
        ...invoiceOfCancel(order, isOffice),
        'You cannot undo this.',
      ];
  }
}

const piecesInWords = (lines: readonly number[]): string => (lines.length === 0 ? 'All pieces' : `The pieces of ${linesInWords(lines)}`);

function missingParcels(order: Order): string[] {
  if (isHandover(order, 'completed')) return ['The customer has the order.'];
  if (order.facts.liveParcels === 0) return ['⚠ The order has no parcel.'];
  const left = describeLineCounts(unpackedOf(order));
  return left === '' ? [] : [`⚠ Not in a parcel: ${left}. If you still ship them, add a parcel first.`];
}

/** Clients do not see remakes. */
export const clientCancelConsequences = ({ remakeOf, cancellable }: Order): string[] =>
  remakeOf === null && cancellable.now ? ['The client can no longer cancel it.'] : [];

function invoiceOfCancel({ invoice, currency, accountName }: Order, isOffice: boolean): string[] {
  if (invoice === null) return [];
  if (!isOffice) return ['The invoice is voided.'];
  const creditCents = Math.max(0, Math.min(invoice.paidCents, invoice.amountCents - invoice.creditedCents));
  const voided = `Invoice ${invoice.invoiceNumber} is voided.`;
  return creditCents === 0 ? [voided] : [voided, `The paid ${formatMoney(creditCents, currency)} becomes credit of ${accountName}.`];
}

/** Replays the remaining milestones, as the API does. */
function stateWithout(order: Order, { milestoneId }: TimelineEntry): MilestoneState {
  const undone = undoneIds(order).add(milestoneId);
  const initial: MilestoneState = { baseStatus: 'received', heldFrom: 'received', printedLines: new Set() };
  const allLines = [...order.lines.keys()];
  return order.timeline
    .filter((entry) => isApplied(entry) && !undone.has(entry.milestoneId))
    .reduce((state, { type, lines }) => ({ ...state, ...ownValue(EFFECTS, type)?.(state, lines ?? allLines) }), initial);
}

export function undoConsequences(order: Order, entry: TimelineEntry): string[] {
  const after = stateWithout(order, entry);
  const status = order.facts.liveParcels > 0 ? 'shipped' : after.baseStatus;
  const [before, then] = [displayStatus(order), displayStatus({ ...order, status, baseStatus: after.baseStatus })];
  const isUnprinted = order.facts.printed && after.printedLines.size < order.lines.length;
  const isCancellableAgain = order.stageLines.printed.length > 0 && after.printedLines.size === 0;
  return [
    then === before ? `The status stays ${statusLabel(then).toLowerCase()}.` : `The status becomes ${statusLabel(then).toLowerCase()}.`,
    ...(isUnprinted ? ['The order is no longer printed.'] : []),
    ...(isCancellableAgain ? cancelText(order) : []),
    notificationText(status === order.status || order.remakeOf !== null ? null : `order.${status}`, order),
    'Parcels and payments do not change.',
  ];
}

function cancelText({ cancellable, remakeOf }: Order): string[] {
  if (remakeOf !== null) return [];
  const left = cancellable.blockers.filter((blocker) => blocker !== 'printed');
  return left.length === 0
    ? ['The client can cancel it again.']
    : [`The client still cannot cancel it: ${left.map(blockerInWords).join(', ')}.`];
}
