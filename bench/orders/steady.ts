import { setTimeout as delay } from 'node:timers/promises';
import { someBuyers, someQuotes } from '../fixtures';
import { placeOrder } from '../http';
import { untilIdle } from '../idle';
import { percentile } from '../load';
import { cpuNote, number, type Report } from '../report';
import type { Stage } from '../stage';
import { startsOf } from './burst';

export const ORDERS_PER_SECOND = 4;
const GOALS = { p50Ms: 10, startedP99Ms: 1000 };
const BUYERS = 20;

/** Orders that come at a steady pace, whether or not the one before has been answered. */
export async function steady(stage: Stage, orders: number, report: Report): Promise<void> {
  const buyers = await someBuyers(stage, BUYERS);
  const quotes = await someQuotes(stage, buyers, orders);
  const before = stage.cpu.read();
  const latencies = (
    await atPace(quotes.length, (index) => placeOrder(stage, buyers[index % buyers.length]?.key ?? '', quotes[index] ?? ''))
  ).sort((a, b) => a - b);
  await untilIdle(stage);
  const cpuMs = stage.cpu.since(before);
  const delays = (await startsOf(stage, quotes)).map(({ ms }) => ms).sort((a, b) => a - b);
  const [p50, p99, started] = [percentile(latencies, 0.5), percentile(latencies, 0.99), percentile(delays, 0.99)];
  report.rows.push(
    {
      what: `POST /orders, ${ORDERS_PER_SECOND} a second`,
      p50: `${number(p50)} ms`,
      p99: `${number(p99)} ms`,
      goal: `p50 ≤ ${GOALS.p50Ms} ms`,
      met: p50 <= GOALS.p50Ms,
    },
    {
      what: `commit → its workflow started, ${ORDERS_PER_SECOND} orders a second`,
      p50: `${number(percentile(delays, 0.5))} ms`,
      p99: `${number(started)} ms`,
      goal: `p99 ≤ ${GOALS.startedP99Ms} ms`,
      met: started <= GOALS.startedP99Ms,
    },
  );
  report.notes.push(
    cpuNote(`POST /orders, ${ORDERS_PER_SECOND} a second, with what the processes do at rest`, {
      done: orders,
      elapsedMs: 0,
      latenciesMs: [],
      cpuMs,
    }),
  );
}

/** @returns how long each took, ms, in the order in which they ended */
export async function atPace(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  const begun: Promise<unknown>[] = [];
  const start = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, start + (index * 1000) / ORDERS_PER_SECOND - performance.now()));
    const at = performance.now();
    begun.push(work(index).then(() => latencies.push(performance.now() - at)));
  }
  await Promise.all(begun);
  return latencies;
}
