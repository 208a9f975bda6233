import { randomUUID } from 'node:crypto';
import { anEndpoint } from '../../test/support/endpoints';
import { someBuyers, someQuotes } from '../fixtures';
import { placeOrder } from '../http';
import { addSlice, emptySide, perSecond, type Plan } from '../load';
import { atOnce } from '../machines/send';
import { cpuNote, number, percent, type Report } from '../report';
import type { Stage } from '../stage';
import { countArrivals, startBarePost, whenArrived } from './arrivals';

const ENDPOINTS_PER_ACCOUNT = 10;
const ACCOUNTS = 4;
const PLACED_AT_ONCE = 8;

/** Each order tells ten endpoints; from the first order to the last arrival. */
export async function throughput(stage: Stage, rounds: number, ordersPerRound: number, report: Report): Promise<void> {
  const buyers = await someBuyers(stage, ACCOUNTS);
  for (const { accountId } of buyers) {
    for (let index = 0; index < ENDPOINTS_PER_ACCOUNT; index += 1) await anEndpoint(stage.dataSource, accountId, `${stage.receiverOrigin}/hooks/${index}`);
  }
  const quotes = await someQuotes(stage, buyers, rounds * ordersPerRound);
  const perRound = ordersPerRound * ENDPOINTS_PER_ACCOUNT;
  const arrive = async (work: () => Promise<void>): Promise<void> => {
    const before = await countArrivals(stage);
    await work();
    await whenArrived(stage, before, perRound);
  };
  const [ours, floor] = [emptySide(), emptySide()];
  const plan: Plan = { rounds, perRound: 1, concurrency: 1, settleMs: 1000 };
  for (let round = 0; round < rounds; round += 1) {
    await addSlice(ours, plan, stage.cpu, () => arrive(() => atOnce(PLACED_AT_ONCE, ordersPerRound, async (index) => {
      const order = round * ordersPerRound + index;
      await placeOrder(stage, buyers[order % buyers.length]?.key ?? '', quotes[order] ?? '');
    })));
    await addSlice(floor, plan, stage.cpu, () => arrive(() => atOnce(PLACED_AT_ONCE * 2, perRound, () => startBarePost(stage, randomUUID()))));
  }
  for (const side of [ours, floor]) side.done *= perRound;
  report.rows.push({
    what: 'webhook deliveries, ten for each order, orders included (floor: a bare workflow with one activity that posts)',
    concurrency: PLACED_AT_ONCE, ours: number(perSecond(ours)), floor: number(perSecond(floor)), ratio: percent(perSecond(ours) / perSecond(floor)),
  });
  report.notes.push(cpuNote('those deliveries, with a tenth of an order', ours), cpuNote('its floor', floor));
}
