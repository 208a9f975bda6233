import { isForOffice } from '../../shared/attention';
import { type ActionType, isHandover, type Order } from './studio-order';

/** Why a scan must not confirm this action: a person first reads what the screen shows, then presses the button. Null if it may. */
export function scanRefusal(order: Order, type: ActionType): string | null {
  const { baseStatus, attention } = order;
  if (baseStatus === 'cancelled') return 'The order is cancelled';
  if (isHandover(order, type)) return 'Enter who collects it, then press the button';
  if (type === 'released') return 'Read why it is on hold, then press the button';
  return attention.some(({ code }) => !isForOffice(code)) ? 'Read its problems, then press the button' : null;
}
