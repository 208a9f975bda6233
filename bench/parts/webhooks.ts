import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../src/dev/ports';
import { anEndpoint } from '../../test/support/endpoints';
import { someBuyers, someQuotes, type Buyer } from '../fixtures';
import { FLOOR_TASK_QUEUE } from '../floor/messages';
import type { Arrival } from '../floor/receiver';
import type { barePost } from '../floor/workflows';
import { placeOrder } from '../http';
import { percentile } from '../load';
import { number, pair, percent, type Report } from '../report';
import type { Stage } from '../stage';

const ENDPOINTS_PER_ACCOUNT = 10;
const ACCOUNTS = 4;
const PLACED_AT_ONCE = 8;
const ENDPOINTS = 20;
const ORDERS_PER_SECOND = 5;
/** About as long as an event's body. */
const BODY_BYTES = 1200;

/** Deliveries a second, and how long after its commit an event reaches its receiver while one endpoint of twenty hangs. */
export async function webhooks(stage: Stage, quick: boolean): Promise<Report> {
  const report: Report = { rows: [], notes: [] };
  await throughput(stage, quick ? 1 : 3, quick ? 12 : 24, report);
  await latency(stage, quick ? 30 : 120, report);
  return report;
}

/** Each order tells ten endpoints; from the first order to the last arrival. */
async function throughput(stage: Stage, rounds: number, ordersPerRound: number, report: Report): Promise<void> {
  const buyers = await someBuyers(stage, ACCOUNTS);
  for (const { accountId } of buyers) {
    for (let index = 0; index < ENDPOINTS_PER_ACCOUNT; index += 1) await anEndpoint(stage.dataSource, accountId, `${stage.receiverOrigin}/hooks/${index}`);
  }
  const quotes = await someQuotes(stage, buyers, rounds * ordersPerRound);
  const perRound = ordersPerRound * ENDPOINTS_PER_ACCOUNT;
  const ms = { ours: 0, floor: 0 };
  for (let round = 0; round < rounds; round += 1) {
    ms.ours += await timed(stage, perRound, () => inParallel(ordersPerRound, PLACED_AT_ONCE, async (index) => {
      const order = round * ordersPerRound + index;
      await placeOrder(stage, buyers[order % buyers.length]?.key ?? '', quotes[order] ?? '');
    }));
    ms.floor += await timed(stage, perRound, () => inParallel(perRound, PLACED_AT_ONCE * 2, () => startBarePost(stage, randomUUID())));
  }
  const [ours, floor] = [ms.ours, ms.floor].map((sum) => (rounds * perRound * 1000) / sum) as [number, number];
  report.rows.push({
    what: `webhook deliveries, ten for each order, orders included (floor: a bare workflow with one activity that posts)`,
    concurrency: PLACED_AT_ONCE, ours: number(ours), floor: number(floor), ratio: percent(ours / floor),
  });
}

async function timed(stage: Stage, arrivals: number, work: () => Promise<void>): Promise<number> {
  const before = (await arrivalsOf(stage)).length;
  const startedAt = performance.now();
  await work();
  await until('the deliveries did not arrive', async () => ((await arrivalsOf(stage)).length - before >= arrivals ? true : undefined), { timeoutMs: 150_000, everyMs: 20 });
  return performance.now() - startedAt;
}

/** Twenty accounts with one endpoint each, of which the last never answers; a steady five orders a second. */
async function latency(stage: Stage, orders: number, report: Report): Promise<void> {
  const buyers = await someBuyers(stage, ENDPOINTS);
  for (const [index, { accountId }] of buyers.entries()) {
    await anEndpoint(stage.dataSource, accountId, `${stage.receiverOrigin}${index === ENDPOINTS - 1 ? '/hang' : '/hooks'}`);
  }
  const quotes = await someQuotes(stage, buyers, orders);
  const before = (await arrivalsOf(stage)).length;
  const floorStarts = new Map<string, number>();
  const placed: Promise<unknown>[] = [];
  for (let index = 0; index < orders; index += 1) {
    placed.push(placeOrder(stage, (buyers[index % buyers.length] as Buyer).key, quotes[index] ?? ''));
    await delay(500 / ORDERS_PER_SECOND);
    const id = randomUUID();
    floorStarts.set(id, Date.now());
    placed.push(startBarePost(stage, id));
    await delay(500 / ORDERS_PER_SECOND);
  }
  await Promise.all(placed);
  const hanging = Math.floor(orders / ENDPOINTS);
  const all = await until('the deliveries did not arrive', async () => {
    const now = (await arrivalsOf(stage)).slice(before);
    return now.length >= orders * 2 - hanging ? now : undefined;
  }, { timeoutMs: 60_000, everyMs: 200 });
  const floor = all.flatMap(([id, at]) => (floorStarts.has(id) ? [at - (floorStarts.get(id) ?? 0)] : []));
  const ours = await sinceCommit(stage, all.filter(([id]) => !floorStarts.has(id)));
  for (const list of [ours, floor]) list.sort((a, b) => a - b);
  report.rows.push({
    what: `event stored → first byte at its receiver, 1 of ${ENDPOINTS} endpoints hanging, ${ORDERS_PER_SECOND} orders/s (floor: workflow started → first byte)`,
    p50: pair(percentile(ours, 0.5), percentile(floor, 0.5)), p99: pair(percentile(ours, 0.99), percentile(floor, 0.99)),
  });
  report.notes.push(`of ${ours.length} events to the nineteen that answer, the slowest took ${number(ours.at(-1) ?? 0)} ms; ${hanging} went to the one that hangs`);
}

async function sinceCommit(stage: Stage, arrivals: Arrival[]): Promise<number[]> {
  const stored = await stage.dataSource.query('SELECT id, created_at FROM order_events WHERE id = ANY($1)', [arrivals.map(([id]) => id)]) as { id: string; created_at: Date }[];
  const createdAt = new Map(stored.map(({ id, created_at }) => [id, created_at.getTime()]));
  return arrivals.flatMap(([id, at]) => (createdAt.has(id) ? [at - (createdAt.get(id) ?? 0)] : []));
}

async function arrivalsOf(stage: Stage): Promise<Arrival[]> {
  return await (await fetch(`${stage.receiverOrigin}/arrivals`)).json() as Arrival[];
}

async function startBarePost(stage: Stage, id: string): Promise<void> {
  const body = JSON.stringify({ id, filler: 'x'.repeat(BODY_BYTES) });
  await stage.temporal.workflow.start<typeof barePost>('barePost', { workflowId: `floor-post/${id}`, taskQueue: FLOOR_TASK_QUEUE, args: [body] });
}

async function inParallel(count: number, atATime: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: atATime }, async () => {
    while (next < count) await work(next++);
  }));
}
