import type { OrderState } from '../src/domain/order-status';
import { condition, isCancellation, log, sleep } from '@temporalio/workflow';
import { checkMissingArtwork } from './activity-proxies';
import { ARTWORK_CHECK_INTERVAL_MS } from '../src/domain/artwork-rules';

/** Holds the state with the time of the next artwork check. */
interface StateHolder {
  state: OrderState | null;
}

/**
 * Checks for an order's missing artwork until it has arrived or is too late. Placing an order does not wait for the artwork store. The
 * database sets the time of each check. Runs concurrently with the order's messages, ends with the workflow and never rejects. Issues no
 * command if no artwork is missing.
 */
export async function awaitMissingArtwork(orderId: string, holder: StateHolder): Promise<void> {
  try {
    for (let minWaitMs = 1; ; minWaitMs = ARTWORK_CHECK_INTERVAL_MS) {
      await condition(() => typeof holder.state?.artworkDue === 'string');
      const checkAt = holder.state?.artworkDue;
      const checkAtMs = Date.parse(checkAt ?? '');
      await sleep(Math.max(checkAtMs - Date.now(), minWaitMs), { summary: 'until the next check for missing artwork' });
      const artworkDue = await checkMissingArtwork({ orderId });
      // Keeps a later time that a message has set meanwhile by replacing artwork.
      if (holder.state !== null && holder.state.artworkDue === checkAt) holder.state = { ...holder.state, artworkDue };
    }
  } catch (error) {
    if (!isCancellation(error)) log.error('the checks for missing artwork have ended', { orderId, error });
  }
}
