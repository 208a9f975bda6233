import { isForOffice } from '../../shared/attention';
import type { ActionType, Order } from './order';

/** Why a scan must not confirm this action: a person first reads what the screen shows, then presses the button. Null if it may. */
export function scanRefusal({ baseStatus, attention }: Order, type: ActionType): string | null {
  if (baseStatus === 'cancelled') return 'The order is cancelled';
  if (type === 'released') return 'Read why it is on hold, then press the button';
  return attention.some(({ code }) => !isForOffice(code)) ? 'Read its problems, then press the button' : null;
}
