import { randomUUID } from 'node:crypto';
import { oneBuyer, someBuyers, someQuotes, type Buyer } from '../fixtures';
import { bareUpdate } from '../floor/update';
import { placeOrder } from '../http';
import { callsOf, compare, type Plan } from '../load';
import { comparisonRow, cpuNote, stallNote, type Goal, type Report } from '../report';
import type { Stage } from '../stage';
import type { ServerKind } from '../temporal';

/** Latency is judged on the server that deployments have. (Dev servers before 1.32 stall one update in some 150 for two seconds.) */
const GOALS: Record<ServerKind, Goal> = { dev: { throughput: 0.8 }, current: { throughput: 0.8, p50: 1.5, p99: 2 } };
/** `POST /orders` allows thirty a minute and key. */
const ORDERS_PER_KEY = 25;
const SLICE_MS = 12_000;

/** POST /orders against a bare update-with-start with an empty handler. */
export async function orders(stage: Stage, quick: boolean, report: Report): Promise<void> {
  const plans: Plan[] = quick
    ? [{ rounds: 2, perRound: 30, concurrency: 1 }, { rounds: 2, perRound: 96, concurrency: 16 }, { rounds: 2, perRound: 128, concurrency: 64 }]
    : [{ rounds: 4, perRound: 60, concurrency: 1 }, { rounds: 4, perRound: 160, concurrency: 16 }, { rounds: 4, perRound: 192, concurrency: 64 }];
  // The limit of a slice is reached only on a machine that is busy otherwise; it bounds the run.
  for (const plan of plans.map((one) => ({ ...one, sliceMs: SLICE_MS }))) {
    const buyers = await someBuyers(stage, Math.max(128, Math.ceil(callsOf(plan) / ORDERS_PER_KEY)));
    await place(stage, plan, 'POST /orders', buyers, report, GOALS[stage.server]);
  }
  if (stage.server === 'current') return;
  const single: Plan = { sliceMs: SLICE_MS, rounds: quick ? 1 : 2, perRound: quick ? 96 : 128, concurrency: 16 };
  await place(stage, single, 'POST /orders, all on one account', await oneBuyer(stage, Math.ceil(callsOf(single) / ORDERS_PER_KEY)), report);
}

async function place(stage: Stage, plan: Plan, what: string, buyers: Buyer[], report: Report, goal?: Goal): Promise<void> {
  const quotes = await someQuotes(stage, buyers, callsOf(plan));
  const measured = await compare({ warmUp: plan.concurrency, ...plan }, stage.cpu,
    async (index) => void await placeOrder(stage, buyers[index % buyers.length]?.key ?? '', quotes[index] ?? ''),
    () => bareUpdate(stage.temporal, randomUUID()));
  const name = `${what}, ${plan.concurrency} at once`;
  report.rows.push(comparisonRow(what, plan.concurrency, measured, goal));
  report.notes.push(stallNote(name, measured), cpuNote(name, measured.ours), cpuNote(`its floor`, measured.floor));
}
