import { waitUntil } from '../../scripts/start/ports';
import { DELIVERIES_CHANNEL } from '../../src/db/repositories/relay';
import { anEndpoint } from '../../test/support/endpoints';
import { derivedIdSql, insertCopies } from '../copies';
import type { Burst, Figure } from '../figure';
import { prepareOpenQuotes, createBuyers } from '../fixtures';
import { placeOrder } from '../http';
import type { Stage } from '../stage';

const ENDPOINTS = 10;
const TIMEOUT_MS = 60_000;

/** The order whose event is copied, and the endpoints that receive the copies. */
interface Outbox {
  orderId: string;
  endpoints: string[];
}

/** All rows become visible at once. The measurement ends with the last stored result. */
export const drain: Figure = {
  title: `stored deliveries to ${ENDPOINTS} endpoints`,
  unit: '/s',
  goal: 0.65,
  async prepare(stage, isSmoke) {
    const events = isSmoke ? 20 : 1_000;
    const outbox = await createOutbox(stage);
    await createFloorTables(stage, outbox);
    let bursts = 0;
    return {
      ours: () => drainService(stage, outbox, `ours ${(bursts += 1)} `, events),
      floor: () => drainFloor(stage, outbox, `floor ${(bursts += 1)} `, events),
    };
  },
};

async function drainService(stage: Stage, outbox: Outbox, series: string, events: number): Promise<Burst> {
  await copyEvents(stage, outbox, series, events, 'order_events');
  return runAndVerify(stage, 'webhook', events * ENDPOINTS, async () => {
    const visibleAt = await storeDeliveries(stage, outbox, series, events, 'webhook_deliveries');
    await stage.database.run(`SELECT pg_notify('${DELIVERIES_CHANNEL}', '')`);
    await waitUntil('the deliveries were not sent', () => isDrained(stage), { timeoutMs: TIMEOUT_MS, everyMs: 50 });
    const last = await stage.database.row<{ at: Date }>('SELECT max(completed_at) AS at FROM webhook_deliveries');
    return (last?.at.getTime() ?? Number.NaN) - visibleAt;
  });
}

async function drainFloor(stage: Stage, outbox: Outbox, series: string, events: number): Promise<Burst> {
  await copyEvents(stage, outbox, series, events, 'bench_events');
  return runAndVerify(stage, 'bench', events * ENDPOINTS, async () => {
    const visibleAt = await storeDeliveries(stage, outbox, series, events, 'bench_deliveries');
    const reply = await fetch(`${stage.floorRelayUrl}/drain`);
    if (!reply.ok) throw new Error(await reply.text());
    return Date.now() - visibleAt;
  });
}

/** @throws Error unless every row was posted once and is stored as delivered with one attempt */
async function runAndVerify(stage: Stage, tables: 'webhook' | 'bench', rows: number, work: () => Promise<number>): Promise<Burst> {
  await stage.database.run('CHECKPOINT');
  const before = await readCounts(stage, tables);
  const elapsedMs = await work();
  const increases = Object.entries(await readCounts(stage, tables)).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  const wrong = increases.filter(([, count]) => count !== rows);
  if (wrong.length > 0) throw new Error(`of ${rows} deliveries: ${wrong.map(([name, count]) => `${count} ${name}`).join(', ')}`);
  return { done: rows, elapsedMs, latenciesMs: [] };
}

async function readCounts({ database, receiverUrl }: Stage, tables: 'webhook' | 'bench'): Promise<Record<string, number>> {
  const counts = await database.row<{ delivered: number; attempted: number }>(`
    SELECT (SELECT count(*)::int FROM ${tables}_deliveries WHERE state = 'delivered') AS delivered,
           (SELECT count(*)::int FROM ${tables}_attempts WHERE ok AND status = 204) AS attempted`);
  return { ...counts, posted: (await (await fetch(`${receiverUrl}/sunk`)).json()) as number };
}

async function isDrained({ database }: Stage): Promise<true | undefined> {
  const pending = await database.row<{ some: boolean }>(`SELECT EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'pending') AS some`);
  return pending?.some === false ? true : undefined;
}

/** Places an order before creating the endpoints, so it has no deliveries yet. */
async function createOutbox(stage: Stage): Promise<Outbox> {
  const quote = (await prepareOpenQuotes(stage, await createBuyers(stage, 1), 1))();
  const orderId = await placeOrder(stage, quote);
  const endpoints: string[] = [];
  for (let index = 0; index < ENDPOINTS; index += 1)
    endpoints.push((await anEndpoint(stage.database, quote.accountId, `${stage.receiverUrl}/sink/${index}`)).id);
  return { orderId, endpoints };
}

async function copyEvents(stage: Stage, { orderId }: Outbox, series: string, count: number, table: string): Promise<void> {
  const last = await stage.database.row<{ sequence: number }>(`SELECT max(sequence) AS sequence FROM ${table} WHERE order_id = $1`, [
    orderId,
  ]);
  await insertCopies(stage, count, {
    table,
    from: 'order_events',
    where: `order_id = '${orderId}' AND sequence = 1 AND part = 0`,
    changes: {
      id: derivedIdSql('evt', series),
      sequence: `${last?.sequence ?? 0} + n`,
      feed_position: 'NULL::bigint',
      created_at: 'now()',
    },
  });
}

/** Inserts one delivery of each event to each endpoint in one statement. @returns the time after the commit, in ms since epoch */
async function storeDeliveries(
  stage: Stage,
  { orderId, endpoints }: Outbox,
  series: string,
  count: number,
  table: string,
): Promise<number> {
  await stage.database.run(
    `INSERT INTO ${table} (id, event_id, order_id, endpoint_id, environment, state, trigger, created_at, next_attempt_at)
     SELECT 'dlv_' || md5('${series}' || n || '/' || e.id), ${derivedIdSql('evt', series)}, $1, e.id, 'test', 'pending', 'automatic', now(), now()
       FROM generate_series(1, ${count}) AS n, unnest($2::text[]) AS e (id)`,
    [orderId, endpoints],
  );
  return Date.now();
}

/** Creates copies of the service's tables with all indexes. */
async function createFloorTables({ database }: Stage, { endpoints }: Outbox): Promise<void> {
  await database.run('CREATE TABLE bench_events (LIKE order_events INCLUDING ALL)');
  await database.run('CREATE TABLE bench_deliveries (LIKE webhook_deliveries INCLUDING ALL)');
  await database.run('CREATE TABLE bench_attempts (LIKE webhook_attempts INCLUDING ALL)');
  await database.run('CREATE TABLE bench_paths (endpoint_id text PRIMARY KEY, path text NOT NULL)');
  await database.run(`INSERT INTO bench_paths SELECT id, '/sink/' || n FROM unnest($1::text[]) WITH ORDINALITY AS e (id, n)`, [endpoints]);
}
