import type { OrderState } from '../src/domain/order-status';
import { condition, isCancellation, log, sleep } from '@temporalio/workflow';
import { completeArtwork } from './activity-proxies';
import { ARTWORK_CHECK_INTERVAL_MS } from '../src/domain/artwork-rules';

/** Holds the state with the time of the next artwork check. */
interface StateHolder {
  state: OrderState | null;
}

/**
 * Checks for missing artwork at the times that the database sets, until it has arrived or the wait is over: placing an order must not
 * wait for a store (ruling 59). Runs concurrently with the order's messages and ends with the workflow. Issues no command if nothing is
 * missing. Never rejects.
 */
export async function awaitMissingArtwork(orderId: string, holder: StateHolder): Promise<void> {
  try {
    for (let minWaitMs = 1; ; minWaitMs = ARTWORK_CHECK_INTERVAL_MS) {
      await condition(() => typeof holder.state?.artworkDue === 'string');
      const dueAt = holder.state?.artworkDue;
      const dueMs = Date.parse(dueAt ?? '');
      await sleep(Math.max(dueMs - Date.now(), minWaitMs), { summary: 'until the next check for missing artwork' });
      const artworkDue = await completeArtwork({ orderId });
      // A message may have replaced artwork meanwhile and set a later time.
      if (holder.state !== null && holder.state.artworkDue === dueAt) holder.state = { ...holder.state, artworkDue };
    }
  } catch (error) {
    if (!isCancellation(error)) log.error('the checks for missing artwork have ended', { orderId, error });
  }
}
