import { anEndpoint } from '../../test/support/endpoints';
import { someBuyers, someQuotes, type Buyer } from '../fixtures';
import { placeOrder } from '../http';
import { untilIdle } from '../idle';
import { percentile } from '../load';
import { atPace, ORDERS_PER_SECOND } from '../orders/steady';
import { number, pair, type Report } from '../report';
import type { Stage } from '../stage';
import { arrivalsSince, countArrivals, whenArrived } from './arrivals';

const ENDPOINTS = 20;
const PATIENCE_MS = 20_000;
const GOALS = { p50Ms: 8, p99Ms: 40, hangingP50: 1.2, hangingP99: 2 };

/** Commit → first byte at the receiver, of orders at a steady pace: while all of twenty endpoints answer, and while one never does. */
export async function latency(stage: Stage, orders: number, report: Report): Promise<void> {
  const answering = await rows(stage, orders, 0, report);
  const hanging = await rows(stage, Math.ceil((orders * ENDPOINTS) / (ENDPOINTS - 1)), 1, report);
  const [p50, p99] = [0.5, 0.99].map((share) => ({ ours: percentile(hanging, share), floor: percentile(answering, share) })) as [
    Pair,
    Pair,
  ];
  const own = { p50: percentile(answering, 0.5), p99: percentile(answering, 0.99) };
  report.rows.push(
    {
      what: `event committed → first byte at its receiver, ${ENDPOINTS} endpoints that answer, ${ORDERS_PER_SECOND} orders a second`,
      p50: `${number(own.p50)} ms`,
      p99: `${number(own.p99)} ms`,
      goal: `p50 ≤ ${GOALS.p50Ms} ms, p99 ≤ ${GOALS.p99Ms} ms`,
      met: own.p50 <= GOALS.p50Ms && own.p99 <= GOALS.p99Ms,
    },
    {
      what: `the same with 1 of ${ENDPOINTS} endpoints hanging, of the others (floor: none hanging)`,
      p50: pair(p50.ours, p50.floor),
      p99: pair(p99.ours, p99.floor),
      goal: `p50 ≤ ${GOALS.hangingP50}×, p99 ≤ ${GOALS.hangingP99}×`,
      met: p50.ours <= GOALS.hangingP50 * p50.floor && p99.ours <= GOALS.hangingP99 * p99.floor,
    },
  );
}

interface Pair {
  ours: number;
  floor: number;
}

/** Twenty accounts with one endpoint each, of which the last `hanging` never answer. @returns ms, ascending, of those that do */
async function rows(stage: Stage, orders: number, hanging: number, report: Report): Promise<number[]> {
  const buyers = await someBuyers(stage, ENDPOINTS);
  for (const [index, { accountId }] of buyers.entries())
    await anEndpoint(stage.database, accountId, `${stage.receiverOrigin}${index >= ENDPOINTS - hanging ? '/hang' : '/hooks'}`);
  const quotes = await someQuotes(stage, buyers, orders);
  const before = await countArrivals(stage);
  await atPace(orders, (index) => placeOrder(stage, (buyers[index % buyers.length] as Buyer).key, quotes[index] ?? ''));
  const unanswered = quotes.filter((_, index) => index % ENDPOINTS >= ENDPOINTS - hanging).length;
  // What has not come by then is told below; the run goes on.
  await whenArrived(stage, before, orders - unanswered, PATIENCE_MS).catch(() => undefined);
  const taken = (await sinceCommit(stage, before)).sort((a, b) => a - b);
  report.notes.push(
    `${hanging === 0 ? 'all endpoints answer' : `${hanging} of ${ENDPOINTS} hangs`}: ${taken.length} events, the slowest ${number(taken.at(-1) ?? 0)} ms; ${unanswered} events to those that hang; ${orders - unanswered - taken.length} missing`,
  );
  await quiet(stage, buyers);
  return taken;
}

/** By the clock of PostgreSQL's commits, which is this machine's. */
async function sinceCommit(stage: Stage, before: number): Promise<number[]> {
  const arrivals = await arrivalsSince(stage, before);
  const stored = await stage.database.rows<{ id: string; at: number }>(
    'SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at FROM order_events WHERE id = ANY ($1)',
    [arrivals.map(([id]) => id)],
  );
  const committed = new Map(stored.map(({ id, at }) => [id, at]));
  return arrivals.flatMap(([id, at]) => (committed.has(id) ? [at - (committed.get(id) ?? 0)] : []));
}

/** Those that hang go on for hours: they are switched off. */
async function quiet(stage: Stage, buyers: readonly Buyer[]): Promise<void> {
  const accounts = buyers.map(({ accountId }) => accountId);
  await stage.database.run(`UPDATE webhook_endpoints SET state = 'disabled', updated_at = now() WHERE account_id = ANY ($1)`, [accounts]);
  await stage.database.run(
    `UPDATE webhook_deliveries SET state = 'held', next_attempt_at = NULL WHERE state = 'pending' AND attempts = 0 AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE account_id = ANY ($1))`,
    [accounts],
  );
  await untilIdle(stage);
}
