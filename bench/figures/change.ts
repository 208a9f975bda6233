import { randomUUID } from 'node:crypto';
import type { Figure } from '../figure';
import { prepareOpenQuotes, createBuyers } from '../fixtures';
import { executeBareUpdate } from '../floor/update';
import { placeOrder, sendMilestone } from '../http';
import { closedLoop } from '../load';
import type { Stage } from '../stage';

const ACCOUNTS = 4;

/** Sends one milestone to orders in production: held, released, held … */
export const change: Figure = {
  title: 'one milestone of an open order over the studio API, 1 client',
  unit: 'ms',
  async prepare(stage, isSmoke) {
    const orders = await createOrdersInProduction(stage, isSmoke ? 3 : 50);
    const workflows = orders.map(() => randomUUID());
    await closedLoop(workflows.length, 4, (index) => executeBareUpdate(stage.temporal, workflows[index] ?? ''));
    let bursts = 0;
    return {
      ours() {
        const milestone = { milestoneId: `bench-${bursts}`, type: bursts % 2 === 0 ? 'held' : 'released' };
        bursts += 1;
        return closedLoop(orders.length, 1, (index) => sendMilestone(stage, orders[index] ?? '', milestone));
      },
      floor: () => closedLoop(workflows.length, 1, (index) => executeBareUpdate(stage.temporal, workflows[index] ?? '')),
    };
  },
};

async function createOrdersInProduction(stage: Stage, count: number): Promise<string[]> {
  const nextQuote = await prepareOpenQuotes(stage, await createBuyers(stage, ACCOUNTS), count);
  const orders: string[] = [];
  await closedLoop(count, 4, async () => {
    const { key, quoteId } = nextQuote();
    const orderId = await placeOrder(stage, key, quoteId);
    await sendMilestone(stage, orderId, { milestoneId: 'start', type: 'production_started' });
    orders.push(orderId);
  });
  return orders;
}
