import { moreKeys, ORDERS_PER_KEY, someQuotes, type Buyer } from '../fixtures';
import { placeOrder } from '../http';
import { untilIdle } from '../idle';
import { callsOf, type Plan, type Work } from '../load';
import { comparisonRow, cpuNote, type Report } from '../report';
import { inTurn } from './in-turn';
import type { Year } from './year';

const GOAL = { throughput: 0.9 };

/** POST /orders where a year of orders is stored against few: from many accounts, then all from the largest. Each burst begins at rest. */
export async function placing(few: Year, many: Year, quick: boolean, report: Report): Promise<void> {
  const plan: Plan = {
    rounds: quick ? 2 : 4,
    perRound: 80,
    warmUp: 64,
    concurrency: 16,
    sliceMs: 5_000,
    settle: () => Promise.all([few, many].map(({ stage }) => untilIdle(stage))),
  };
  const stored = (year: Year, share = 1): string => (year.orders * share).toLocaleString('en');
  const place = async (what: string, onePlan: Plan, buyersOf: (year: Year) => Promise<Buyer[]>): Promise<void> => {
    const works: Record<'many' | 'few', Work> = {
      many: await orderOf(many, onePlan, buyersOf),
      few: await orderOf(few, onePlan, buyersOf),
    };
    const sides = await inTurn(onePlan, many.stage.cpu, works);
    const measured = { ours: sides.many, floor: sides.few };
    report.rows.push(comparisonRow(what, onePlan.concurrency, measured, GOAL));
    report.notes.push(cpuNote(what, measured.ours), cpuNote('its floor', measured.floor));
  };
  await place(`POST /orders, ${stored(many)} stored (floor: ${stored(few)})`, plan, ({ others }) => Promise.resolve(others));
  await place(
    `POST /orders, all of one account with ${stored(many, 0.3)} (floor: with ${stored(few, 0.3)})`,
    { ...plan, rounds: quick ? 2 : 3 },
    ({ stage, largest: { accountId } }) => moreKeys(stage.database, accountId, Math.ceil(callsOf(plan) / ORDERS_PER_KEY)),
  );
}

async function orderOf(year: Year, plan: Plan, buyersOf: (year: Year) => Promise<Buyer[]>): Promise<Work> {
  const buyers = await buyersOf(year);
  const quotes = await someQuotes(year.stage, buyers, callsOf(plan));
  return async (index) => void (await placeOrder(year.stage, buyers[index % buyers.length]?.key ?? '', quotes[index] ?? ''));
}
