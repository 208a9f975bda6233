import { randomUUID } from 'node:crypto';
import { BURSTS, type Figure } from '../figure';
import { openQuotes, someBuyers, type OpenQuote } from '../fixtures';
import { bareUpdate } from '../floor/update';
import { changeOrder, placeOrder } from '../http';
import { closedLoop } from '../load';
import type { Stage } from '../stage';

const [CLIENTS, ACCOUNTS, CHANGES] = [16, 32, 7];

export const life: Figure = {
  what: 'placed, started, printed, held, released, shipped, completed: 7 requests, 16 clients',
  unit: '/s',
  async prepare(stage, isSmoke) {
    const perBurst = isSmoke ? 4 : 24;
    const next = await openQuotes(stage, await someBuyers(stage, isSmoke ? 2 : ACCOUNTS), perBurst * BURSTS);
    return {
      ours: () => closedLoop(perBurst, CLIENTS, () => liveThrough(stage, next())),
      floor: () =>
        closedLoop(perBurst, CLIENTS, async () => {
          const workflowId = randomUUID();
          for (let update = 0; update < CHANGES; update += 1) await bareUpdate(stage.temporal, workflowId);
        }),
    };
  },
};

/** Takes an order from its quote to its completion. @returns the order's id */
export async function liveThrough(stage: Stage, { key, quoteId }: OpenQuote): Promise<string> {
  const orderId = await placeOrder(stage, key, quoteId);
  const milestone = (type: string) => changeOrder(stage, orderId, 'milestones', { milestoneId: type, type });
  for (const type of ['production_started', 'printed', 'held', 'released']) await milestone(type);
  await changeOrder(stage, orderId, 'parcels', { parcelId: 'p1', trackingNumber: 'T1' });
  await milestone('completed');
  return orderId;
}
