import { ownValue } from '../../../shared/own-value';
import { displayStatus } from '../../../shared/progress';
import { statusLabel } from '../../../shared/status';
import type { Order, TimelineEntry } from '../order';
import { blockerInWords, notificationText } from '../words';
import { EFFECTS, type MilestoneState } from './consequences';

/** Replays the remaining milestones, as the API does (ruling 56). */
function stateWithout({ timeline }: Order, { milestoneId }: TimelineEntry): MilestoneState {
  const applied = timeline.filter(({ outcome }) => outcome === 'applied');
  const undone = new Set([milestoneId, ...applied.flatMap(({ corrects }) => (corrects === null ? [] : [corrects]))]);
  const initial: MilestoneState = { baseStatus: 'received', heldFrom: 'received', printed: false };
  return applied
    .filter((entry) => !undone.has(entry.milestoneId))
    .reduce((state, { type }) => ({ ...state, ...ownValue(EFFECTS, type)?.(state) }), initial);
}

export function undoConsequences(order: Order, entry: TimelineEntry): string[] {
  const after = stateWithout(order, entry);
  const status = order.facts.liveParcels > 0 ? 'shipped' : after.baseStatus;
  const [before, then] = [displayStatus(order), displayStatus({ status, baseStatus: after.baseStatus })];
  const isUnprinted = order.facts.printed && !after.printed;
  return [
    then === before ? `The status stays ${statusLabel(then).toLowerCase()}.` : `The status becomes ${statusLabel(then).toLowerCase()}.`,
    ...(isUnprinted ? ['The order is no longer printed.', ...cancelText(order)] : []),
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
