import { randomUUID } from 'node:crypto';
import { orderIdOfQuote } from '../../src/domain/quote-state';
import { someBuyers, someQuotes, ORDERS_PER_KEY, type Buyer } from '../fixtures';
import { bareUpdate } from '../floor/update';
import { placeOrder } from '../http';
import { untilIdle, untilStarted } from '../idle';
import { addSlice, callsOf, emptySide, numbered, percentile, slice, type Comparison, type Plan, type Side } from '../load';
import { comparisonRow, cpuNote, number, percent, type Report } from '../report';
import type { Stage } from '../stage';

const GOALS = { throughput: 2.5, p50: 0.4 };
const UNTIL_STARTED_GOAL = 0.9;
const STARTS_GOAL = 0.5;
/** With fewer left than this when the last answer has come, the starts have kept up and have no rate of their own. */
const BACKLOG = 30;
const LATE_MS = 3_000;
/** The floor's rate needs no more of a round. */
const FLOOR_MOST = 250;

/** What came of the orders behind their answers, over all rounds. */
interface Behind {
  /** ms until the last workflow had been started, from the first request on. */
  untilStartedMs: number;
  /** Workflows started before the last answer. */
  meanwhile: number;
  /** Those started after it, and for how long that went on, ms. */
  left: number;
  drainMs: number;
  /** Commit → started, ms. */
  delaysMs: number[];
}

/** Bursts of `POST /orders` and of the floor's bare updates, apart in time: each begins when all is at rest. */
export async function bursts(stage: Stage, plan: Plan, what: string, report: Report, some?: { buyers: Buyer[] }): Promise<void> {
  const buyers = some?.buyers ?? (await someBuyers(stage, Math.max(128, Math.ceil(callsOf(plan) / ORDERS_PER_KEY))));
  const quotes = await someQuotes(stage, buyers, callsOf(plan));
  const [ours, floor] = [emptySide(), emptySide()];
  const behind: Behind = { untilStartedMs: 0, meanwhile: 0, left: 0, drainMs: 0, delaysMs: [] };
  let placed = 0;
  const order = async (): Promise<void> => {
    const index = placed++;
    await placeOrder(stage, buyers[index % buyers.length]?.key ?? '', quotes[index] ?? '');
  };
  const update = numbered(() => bareUpdate(stage.temporal, randomUUID()));
  const resting = { ...plan, settle: () => untilIdle(stage) };
  const warmUp = { ...plan, perRound: callsOf({ ...plan, rounds: 0 }) };
  await slice(emptySide(), warmUp, update);
  await slice(emptySide(), warmUp, order);
  for (let round = 0; round < plan.rounds; round += 1) {
    await addSlice(floor, { ...resting, perRound: Math.min(plan.perRound, FLOOR_MOST) }, stage.cpu, update);
    await untilIdle(stage);
    const from = placed;
    await oneBurst(stage, plan, ours, behind, order, () => quotes.slice(from, placed));
  }
  for (const side of [ours, floor]) side.latenciesMs.sort((a, b) => a - b);
  tell(what, plan, { ours, floor }, behind, report);
}

async function oneBurst(
  stage: Stage,
  plan: Plan,
  ours: Side,
  behind: Behind,
  order: () => Promise<void>,
  ordered: () => string[],
): Promise<void> {
  const [begun, before] = [Date.now(), stage.cpu.read()];
  await slice(ours, plan, order);
  const answered = Date.now();
  await untilStarted(stage);
  await untilIdle(stage);
  for (const [name, ms] of Object.entries(stage.cpu.since(before))) ours.cpuMs[name] = (ours.cpuMs[name] ?? 0) + ms;
  const delays = await startsOf(stage, ordered());
  const last = Math.max(...delays.map(({ at }) => at));
  const meanwhile = delays.filter(({ at }) => at <= answered).length;
  behind.untilStartedMs += Math.max(last, answered) - begun;
  behind.meanwhile += meanwhile;
  behind.left += delays.length - meanwhile;
  behind.drainMs += Math.max(0, last - answered);
  behind.delaysMs.push(...delays.map(({ ms }) => ms));
}

/** When the workflow of each order was known to be started, and how long after its commit. */
export async function startsOf({ database }: Stage, quotes: readonly string[]): Promise<{ at: number; ms: number }[]> {
  const found = await database.rows<{ seen: Date; committed: Date }>(
    'SELECT workflow_seen_at AS seen, pg_xact_commit_timestamp(e.xmin) AS committed FROM orders o JOIN order_events e ON e.order_id = o.id AND e.sequence = 1 WHERE o.id = ANY ($1)',
    [quotes.map(orderIdOfQuote)],
  );
  return found.map(({ seen, committed }) => ({ at: seen.getTime(), ms: Math.max(0, seen.getTime() - committed.getTime()) }));
}

function tell(what: string, { concurrency }: Plan, measured: Comparison, behind: Behind, report: Report): void {
  const { ours, floor } = measured;
  const {
    p50: _p50,
    p99: _p99,
    ...whole
  } = comparisonRow(
    `${what}, until all their workflows are started`,
    concurrency,
    { ours: { ...ours, elapsedMs: behind.untilStartedMs }, floor },
    { throughput: UNTIL_STARTED_GOAL },
  );
  report.rows.push(comparisonRow(what, concurrency, measured, GOALS), whole, startsRow(what, concurrency, ours, behind));
  const delays = behind.delaysMs.sort((a, b) => a - b);
  report.notes.push(
    `${what}, ${concurrency} at once: commit → started p50 ${number(percentile(delays, 0.5))}, p99 ${number(percentile(delays, 0.99))} ms of ${delays.length}, ${delays.filter((ms) => ms > LATE_MS).length} after more than ${LATE_MS / 1000} s`,
    cpuNote(`${what}, ${concurrency} at once, until everything is at rest`, ours),
    cpuNote('its floor', floor),
  );
}

/** How fast workflows are started while orders are placed, against how fast they are when nothing else is asked. */
function startsRow(what: string, concurrency: number, { elapsedMs, done }: Side, { meanwhile, left, drainMs }: Behind) {
  const title = `workflows started behind ${what} (floor: once the last is answered)`;
  const rate = (meanwhile * 1000) / elapsedMs;
  if (left < BACKLOG)
    return {
      what: title,
      concurrency,
      ours: number(rate),
      floor: `none left (${left} of ${done})`,
      goal: `≥ ${percent(STARTS_GOAL)}`,
      met: true,
    };
  const drain = (left * 1000) / drainMs;
  return {
    what: title,
    concurrency,
    ours: number(rate),
    floor: number(drain),
    ratio: percent(rate / drain),
    goal: `≥ ${percent(STARTS_GOAL)}`,
    met: rate >= STARTS_GOAL * drain,
  };
}
