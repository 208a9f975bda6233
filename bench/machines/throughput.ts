import type { ManagedProcess } from '../../dev/managed-process';
import { ORDERS_PER_KEY, someBuyers, someQuotes } from '../fixtures';
import { placeOrder } from '../http';
import { untilIdle } from '../idle';
import { addSlice, counter, emptySide, perSecond, slice, type Plan } from '../load';
import { comparisonRow, cpuNote, type Report } from '../report';
import type { Stage } from '../stage';

/** Two cores hold two of everything, the load and Temporal, so that more processes cannot be faster here. */
const GOAL = 0.95;
const WARM_UP = 96;

/** `POST /orders` to one API with one worker, and to two of each in turn; A B, B A, A B …, so that a worker starts only half as often. */
export async function throughput(stage: Stage, apis: readonly string[], quick: boolean, report: Report): Promise<void> {
  const plan: Plan = {
    rounds: quick ? 2 : 4,
    perRound: quick ? 96 : 160,
    concurrency: 16,
    sliceMs: 20_000,
    settle: () => untilIdle(stage),
  };
  const calls = 2 * plan.rounds * plan.perRound + WARM_UP * (plan.rounds + 1);
  const buyers = await someBuyers(stage, Math.max(128, Math.ceil(calls / ORDERS_PER_KEY)));
  const quotes = await someQuotes(stage, buyers, calls);
  const next = counter();
  const order = async (urls: readonly string[]): Promise<void> => {
    const index = next();
    await placeOrder(stage, buyers[index % buyers.length]?.key ?? '', quotes[index] ?? '', urls[index % urls.length]);
  };
  const one = (): Promise<void> => order(apis.slice(0, 1));
  const two = (): Promise<void> => order(apis);
  const [single, double] = [emptySide(), emptySide()];
  await slice(emptySide(), { ...plan, perRound: WARM_UP }, two);
  let second: ManagedProcess | undefined;
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const doubled of round % 2 === 0 ? [false, true] : [true, false]) {
      if (doubled && second === undefined) {
        second = await stage.processes.startWorker('worker-b');
        await slice(emptySide(), { ...plan, perRound: WARM_UP }, two); // a new process is slow at first
      } else if (!doubled && second !== undefined) {
        await second.stop();
        second = undefined;
      }
      await addSlice(doubled ? double : single, plan, stage.cpu, doubled ? two : one);
    }
  }
  await second?.stop();
  for (const side of [single, double]) side.latenciesMs.sort((a, b) => a - b);
  const measured = { ours: double, floor: single };
  report.rows.push(
    comparisonRow('POST /orders, two APIs and two workers (floor: one of each)', plan.concurrency, measured, { throughput: GOAL }),
  );
  report.notes.push(
    `two of each ${perSecond(double).toFixed(1)} orders/s, one of each ${perSecond(single).toFixed(1)}, with all processes on the same cores`,
    cpuNote('POST /orders with two of each', double),
    cpuNote('POST /orders with one of each', single),
  );
}
