import { randomUUID } from 'node:crypto';
import type { Figure } from '../figure';
import { prepareOpenQuotes, createBuyers, type OpenQuote } from '../fixtures';
import { executeBareUpdate } from '../floor/update';
import { call, placeOnFloor, placeOrder, sendMilestone } from '../http';
import { closedLoop } from '../load';
import type { Stage } from '../stage';

const ACCOUNTS = 4;

/** Sends one milestone to orders in production: held, released, held … */
export const change: Figure = {
  title: 'one milestone of an open order over the studio API, 1 client',
  unit: 'ms',
  rowsGoal: 1.6,
  async prepare(stage, isSmoke) {
    const count = isSmoke ? 3 : 50;
    const nextQuote = await prepareOpenQuotes(stage, await createBuyers(stage, ACCOUNTS), 2 * count);
    const orders = await createOrdersInProduction(stage, count, nextQuote);
    const floorOrders: string[] = [];
    await closedLoop(count, 4, async () => {
      const orderId = await placeOnFloor(stage, nextQuote());
      await executeBareUpdate(stage.temporal, orderId); // starts its workflow
      floorOrders.push(orderId);
    });
    const [nextType, nextFloorType] = [alternateTypes(), alternateTypes()];
    return {
      ours() {
        const milestone = { milestoneId: randomUUID(), type: nextType() };
        return closedLoop(count, 1, (index) => sendMilestone(stage, orders[index] ?? '', milestone));
      },
      floor: () => closedLoop(count, 1, (index) => executeBareUpdate(stage.temporal, floorOrders[index] ?? '')),
      rows() {
        const body = { type: nextFloorType() };
        return closedLoop(count, 1, (index) =>
          call(stage, { method: 'POST', url: stage.floorUrl, path: `/change/${floorOrders[index] ?? ''}`, body }),
        );
      },
    };
  },
};

function alternateTypes(): () => string {
  let next = 'released';
  return () => (next = next === 'held' ? 'released' : 'held');
}

async function createOrdersInProduction(stage: Stage, count: number, nextQuote: () => OpenQuote): Promise<string[]> {
  const orders: string[] = [];
  await closedLoop(count, 4, async () => {
    const orderId = await placeOrder(stage, nextQuote());
    await sendMilestone(stage, orderId, { milestoneId: 'start', type: 'production_started' });
    orders.push(orderId);
  });
  return orders;
}
