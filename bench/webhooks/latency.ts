import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { anEndpoint } from '../../test/support/endpoints';
import { someBuyers, someQuotes, type Buyer } from '../fixtures';
import type { Arrival } from '../floor/receiver';
import { placeOrderPatiently } from '../http';
import { percentile } from '../load';
import { number, pair, type Report } from '../report';
import type { Stage } from '../stage';
import { arrivalsSince, countArrivals, startBarePost, whenArrived } from './arrivals';

const ENDPOINTS = 20;
/** Slow enough to leave two cores some time: on a full machine queues would be measured, not deliveries. */
const ORDERS_PER_SECOND = 4;
/** A little more than the time limit of the floor's activity. */
const PATIENCE_MS = 70_000;
/** Of the floor, or of ours: they come in turn. */
const PAUSE_MS = 500 / ORDERS_PER_SECOND;

/** Twenty accounts with one endpoint each, of which the last `hanging` never answer; orders at a steady pace. */
export async function latency(stage: Stage, orders: number, hanging: number, report: Report): Promise<void> {
  const buyers = await someBuyers(stage, ENDPOINTS);
  for (const [index, { accountId }] of buyers.entries()) {
    await anEndpoint(stage.dataSource, accountId, `${stage.receiverOrigin}${index >= ENDPOINTS - hanging ? '/hang' : '/hooks'}`);
  }
  const quotes = await someQuotes(stage, buyers, orders);
  const before = await countArrivals(stage);
  const { floorStarts, repeats } = await inTurn(stage, buyers, quotes);
  const unanswered = quotes.filter((_, index) => index % ENDPOINTS >= ENDPOINTS - hanging).length;
  // What has not come by then is told below; the run goes on.
  await whenArrived(stage, before, orders * 2 - unanswered, PATIENCE_MS).catch(() => undefined);

  const all = await arrivalsSince(stage, before);
  const floor = all.flatMap(([id, at]) => (floorStarts.has(id) ? [at - (floorStarts.get(id) ?? 0)] : []));
  const ours = await sinceStored(stage, all);
  for (const list of [ours, floor]) list.sort((a, b) => a - b);
  const which = hanging === 0 ? `${ENDPOINTS} endpoints that answer` : `${hanging} of ${ENDPOINTS} endpoints hanging, the others'`;
  report.rows.push({
    what: `event stored → first byte at its receiver, ${which}, ${ORDERS_PER_SECOND} orders/s (floor: workflow started → first byte)`,
    p50: pair(percentile(ours, 0.5), percentile(floor, 0.5)), p99: pair(percentile(ours, 0.99), percentile(floor, 0.99)),
  });
  const missing = orders * 2 - unanswered - ours.length - floor.length;
  report.notes.push(`${which}: ${ours.length} events, the slowest ${number(ours.at(-1) ?? 0)} ms; floor ${floor.length}, the slowest ${number(floor.at(-1) ?? 0)} ms; ${unanswered} events to those that hang; ${missing} missing, ${repeats} orders sent again`);
}

/** An order, half a period later a post of the floor, and so on. @returns when each of the floor's was started, and how many orders were sent again */
async function inTurn(stage: Stage, buyers: readonly Buyer[], quotes: readonly string[]): Promise<{ floorStarts: Map<string, number>; repeats: number }> {
  const floorStarts = new Map<string, number>();
  const begun: Promise<number>[] = [];
  for (const [index, quoteId] of quotes.entries()) {
    begun.push(placeOrderPatiently(stage, (buyers[index % buyers.length] as Buyer).key, quoteId));
    await delay(PAUSE_MS);
    const id = randomUUID();
    floorStarts.set(id, Date.now());
    begun.push(startBarePost(stage, id).then(() => 0));
    await delay(PAUSE_MS);
  }
  const repeats = (await Promise.all(begun)).reduce((sum, count) => sum + count, 0);
  return { floorStarts, repeats };
}

async function sinceStored(stage: Stage, arrivals: Arrival[]): Promise<number[]> {
  const stored = await stage.dataSource.query('SELECT id, created_at FROM order_events WHERE id = ANY($1)', [arrivals.map(([id]) => id)]) as { id: string; created_at: Date }[];
  const createdAt = new Map(stored.map(({ id, created_at }) => [id, created_at.getTime()]));
  return arrivals.flatMap(([id, at]) => (createdAt.has(id) ? [at - (createdAt.get(id) ?? 0)] : []));
}
