import type { OrderState } from '../src/domain/order-status';
import { condition, isCancellation, log, sleep } from '@temporalio/workflow';
import { completeArtwork } from './activity-proxies';
import { ARTWORK_CHECK_INTERVAL_MS } from '../src/domain/artwork-rules';

/** Whose state says when artwork is to be looked for. */
interface StateHolder {
  state: OrderState | null;
}

/**
 * Looks for artwork that was not there when the order was placed, whenever the database says that it is due, until it has come or its time
 * is over: placing itself must not wait for a store (ruling 59). Runs beside the order's messages without holding them up, and ends with
 * the workflow. Where nothing is awaited it issues no command. Never rejects.
 */
export async function awaitMissingArtwork(orderId: string, holder: StateHolder): Promise<void> {
  try {
    for (let minWaitMs = 1; ; minWaitMs = ARTWORK_CHECK_INTERVAL_MS) {
      await condition(() => typeof holder.state?.artworkDue === 'string');
      const dueAt = holder.state?.artworkDue;
      const dueMs = Date.parse(dueAt ?? '');
      await sleep(Math.max(dueMs - Date.now(), minWaitMs), { summary: 'until artwork that was not there is looked for' });
      const artworkDue = await completeArtwork({ orderId });
      // A message that replaced artwork meanwhile knows the later time.
      if (holder.state !== null && holder.state.artworkDue === dueAt) holder.state = { ...holder.state, artworkDue };
    }
  } catch (error) {
    if (!isCancellation(error)) log.error('artwork is looked for no more', { orderId, error });
  }
}
