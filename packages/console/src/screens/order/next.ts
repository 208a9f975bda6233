import { unpackedOf } from '../../shared/progress';
import { nextStage, type OptionalStage } from '../../shared/stages';
import { reasonInWords } from '../../shared/words';
import { actionOf, type ActionType, isHandover, isOpen, type Order, type OrderAction } from './studio-order';

/**
 * The usual next step, or null.
 * @param stages the stages that the studio uses besides printing
 */
export function usualNextAction(order: Order, stages: readonly OptionalStage[]): ActionType | null {
  const { baseStatus, status, facts } = order;
  const isPacked = (): boolean => unpackedOf(order).every((left) => left === 0);
  switch (baseStatus) {
    case 'received':
      // It shipped before its production was recorded, so only the remaining pieces matter.
      if (status === 'shipped') return isPacked() ? null : 'parcel_added';
      return 'production_started';
    case 'in_production':
      if (!facts.printed) return 'printed';
      if (status !== 'shipped' || !isPacked()) {
        const stage = nextStage(order, stages);
        if (stage !== null) return stage;
      }
      if (isHandover(order, 'completed')) return 'completed';
      return status === 'shipped' && isPacked() ? 'completed' : 'parcel_added';
    case 'on_hold':
      return 'released';
    case 'completed':
    case 'cancelled':
    default: // a newer status
      return null;
  }
}

/** The most likely other action, or null. */
export function likelyOtherAction(
  order: Order,
  stages: readonly OptionalStage[],
  isVisible: (type: ActionType) => boolean,
): ActionType | null {
  const likely: ActionType[] = [order.facts.printed ? 'completed' : 'held', 'payment_recorded', 'remake'];
  const next = usualNextAction(order, stages);
  return (
    likely.find(
      (type) => type !== next && !(type === 'held' && order.baseStatus === 'on_hold') && isVisible(type) && isOpen(actionOf(order, type)),
    ) ?? null
  );
}

/** Why the console does not offer an action that the API allows, or null. */
export function notOfferedReason(
  { baseStatus, invoice }: Pick<Order, 'baseStatus' | 'invoice'>,
  type: string,
  isOffice: boolean,
): string | null {
  if (type !== 'cancelled') return null;
  if (baseStatus === 'completed') return `The order is completed.${isOffice ? ' Issue a credit note instead.' : ''}`;
  if (invoice?.state !== 'paid') return null;
  return isOffice ? 'The invoice is paid. Reverse the payment first.' : 'Ask the office.';
}

/** Why an action is unavailable. The reason leaves out a base status that the page does not show. */
export function unavailableReason(
  { status, baseStatus }: Pick<Order, 'status' | 'baseStatus'>,
  { reason }: Pick<OrderAction, 'reason'>,
): string {
  const words = (reason ?? 'the order does not allow it').replace('; contact the studio', '');
  return reasonInWords(status === baseStatus ? words : words.replace(`, it is ${baseStatus}`, ''));
}
