import { wordsOf } from '../../../shared/status';
import { known } from '../../../shared/known';
import type { Order, TimelineEntry } from '../order';
import { MOVES, type Standing } from './consequences';
import { ORDER_STATUSES } from '../../../shared/order-status';
import { blockerInWords, whoIsTold } from '../words';

/** What remains of the milestones once this one is taken back leads to this, from the beginning, as the API judges it (ruling 56). */
function without({ timeline }: Order, { milestoneId }: TimelineEntry): Standing {
  const applied = timeline.filter(({ outcome }) => outcome === 'applied');
  const gone = new Set([milestoneId, ...applied.flatMap(({ corrects }) => (corrects === null ? [] : [corrects]))]);
  const begin: Standing = { baseStatus: 'received', heldFrom: 'received', printed: false };
  return applied.filter((entry) => !gone.has(entry.milestoneId)).reduce(moved, begin);
}

const moved = (standing: Standing, { type }: TimelineEntry): Standing => ({ ...standing, ...known(MOVES, type)?.(standing) });

export function afterTakingBack(order: Order, entry: TimelineEntry): string[] {
  const after = without(order, entry);
  const status = order.facts.liveParcels > 0 ? 'shipped' : after.baseStatus;
  return [
    ...standsThen(order, after, status),
    ...cancelThen(order, after),
    whoIsTold(status === order.status || order.remakeOf !== null ? null : `order.${status}`, order),
    'Parcels and money stay as they are, and both entries stay under “What happened”.',
  ];
}

function standsThen({ orderNumber, status, baseStatus, facts }: Order, after: Standing, statusThen: Order['status']): string[] {
  const isUnprinted = facts.printed && !after.printed;
  const print = isUnprinted ? ', not printed' : '';
  const reads = `“${wordsOf(statusThen).toLowerCase()}”`;
  if (statusThen !== status) return [`${orderNumber} reads ${reads} again${print}.`];
  const beneath =
    baseStatus === after.baseStatus
      ? []
      : [`${known(ORDER_STATUSES, after.baseStatus)?.beneath ?? wordsOf(after.baseStatus).toLowerCase()} again`];
  const changes = [...beneath, ...(isUnprinted ? ['not printed any more'] : [])];
  if (changes.length === 0) return [`${orderNumber} stays as it is: other entries say the same.`];
  return [`${orderNumber} still reads ${reads}.`, `It is ${changes.join(' and ')}.`];
}

/** Of a remake the client knows nothing that could be cancelled. */
function cancelThen({ cancellable, remakeOf, facts }: Order, { printed }: Standing): string[] {
  if (remakeOf !== null || !facts.printed || printed) return [];
  const left = cancellable.blockers.filter((blocker) => blocker !== 'printed');
  return left.length === 0
    ? ['The client can cancel it again.']
    : [`The client still cannot cancel it: ${left.map(blockerInWords).join('; ')}.`];
}
