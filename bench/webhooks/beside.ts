import { anEndpoint } from '../../test/support/endpoints';
import { ORDERS_PER_KEY, someBuyers, someQuotes, type Buyer } from '../fixtures';
import { placeOrder } from '../http';
import { untilIdle } from '../idle';
import { callsOf, compare, type Plan } from '../load';
import { comparisonRow, cpuNote, type Report } from '../report';
import type { Stage } from '../stage';

/** Orders with one endpoint may lose so much of the rate of orders without. */
const GOAL = { throughput: 0.9 };

/** `POST /orders` of accounts with one endpoint, which are delivered meanwhile, and of accounts without; each burst begins at rest. */
export async function besideDeliveries(stage: Stage, rounds: number, perRound: number, report: Report): Promise<void> {
  const plan: Plan = { rounds, perRound, concurrency: 16, warmUp: 64, sliceMs: 15_000, settle: () => untilIdle(stage) };
  const [told, untold] = [await side(stage, plan), await side(stage, plan)];
  for (const { accountId } of told.buyers) await anEndpoint(stage.database, accountId, `${stage.receiverOrigin}/sink`);
  const measured = await compare(plan, stage.cpu, told.order, untold.order);
  report.rows.push(comparisonRow('POST /orders of accounts with one endpoint (floor: without)', plan.concurrency, measured, GOAL));
  report.notes.push(cpuNote('POST /orders with one endpoint, while they are placed', measured.ours), cpuNote('its floor', measured.floor));
}

async function side(stage: Stage, plan: Plan) {
  const buyers = await someBuyers(stage, Math.max(64, Math.ceil(callsOf(plan) / ORDERS_PER_KEY)));
  const quotes = await someQuotes(stage, buyers, callsOf(plan));
  return {
    buyers,
    order: async (index: number) => void (await placeOrder(stage, (buyers[index % buyers.length] as Buyer).key, quotes[index] ?? '')),
  };
}
