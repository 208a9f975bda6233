import { randomUUID } from 'node:crypto';
import { waitUntil } from '../../scripts/start/ports';
import { anEndpoint } from '../../test/support/endpoints';
import { BURSTS_PER_SIDE, type Burst, type Figure } from '../figure';
import { prepareOpenQuotes, createBuyers } from '../fixtures';
import type { Arrival } from '../floor/receiver';
import { placeOrder } from '../http';
import { openLoop } from '../load';
import type { Stage } from '../stage';

const ACCOUNTS = 20;
const PER_SECOND = 10;
/** Has about the length of an event's body. */
const BODY = JSON.stringify({ filler: 'x'.repeat(1200) });

/** Measured from PostgreSQL's commit timestamps, which come from this machine's clock. */
export const firstByte: Figure = {
  title: `commit of an event to the first byte at its receiver, ${PER_SECOND} orders a second`,
  unit: 'ms',
  goal: 2.5,
  async prepare(stage, isSmoke) {
    const perBurst = isSmoke ? 4 : 30;
    const buyers = await createBuyers(stage, isSmoke ? 2 : ACCOUNTS);
    for (const { accountId } of buyers) await anEndpoint(stage.database, accountId, `${stage.receiverUrl}/hooks`);
    const nextQuote = await prepareOpenQuotes(stage, buyers, perBurst * BURSTS_PER_SIDE);
    return {
      ours: () => measureLatencies(stage, perBurst, 'order_events', () => placeOrder(stage, nextQuote())),
      floor: () => measureLatencies(stage, perBurst, 'bench_notices', () => insertNotice(stage)),
    };
  },
};

async function insertNotice({ database }: Stage): Promise<void> {
  await database.run(
    `WITH stored AS (INSERT INTO bench_notices (id, body) VALUES ($1, $2) RETURNING id) SELECT pg_notify('bench_notices', id) FROM stored`,
    [randomUUID(), BODY],
  );
}

/** @param table in which `work` stores its events */
async function measureLatencies(stage: Stage, count: number, table: string, work: () => Promise<unknown>): Promise<Burst> {
  const before = (await fetchArrivalsAfter(stage, 0)).length;
  await openLoop(count, PER_SECOND, work);
  const findArrivals = async (): Promise<Arrival[] | undefined> => {
    const arrivals = await fetchArrivalsAfter(stage, before);
    return arrivals.length >= count ? arrivals : undefined;
  };
  const arrivals = await waitUntil('the events did not arrive', findArrivals, { timeoutMs: 20_000, everyMs: 50 });
  const stored = await stage.database.rows<{ id: string; at: number }>(
    `SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at FROM ${table} WHERE id = ANY ($1)`,
    [arrivals.map(([id]) => id)],
  );
  const committedAt = new Map(stored.map(({ id, at }) => [id, at]));
  const latenciesMs = arrivals.map(([id, at]) => at - (committedAt.get(id) ?? Number.NaN));
  if (latenciesMs.some(Number.isNaN)) throw new Error(`an event arrived that is not in ${table}`);
  return { done: count, elapsedMs: 0, latenciesMs };
}

async function fetchArrivalsAfter({ receiverUrl }: Stage, count: number): Promise<Arrival[]> {
  return (await (await fetch(`${receiverUrl}/arrivals/${count}`)).json()) as Arrival[];
}
