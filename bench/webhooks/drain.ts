import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../dev/ports';
import { DELIVERIES_CHANNEL } from '../../src/db/repositories/relay';
import { untilIdle } from '../idle';
import { emptySide, perSecond, type Side } from '../load';
import { cpuNote, number, percent, type Report } from '../report';
import type { Stage } from '../stage';
import { countSunk } from './arrivals';
import { anOutbox, copyEvents, storeDeliveries, type Outbox } from './outbox';

const ENDPOINTS = 10;
const GOALS = { perSecond: 2_500, ofFloor: 0.7 };
const PATIENCE_MS = 60_000;

/** Stored deliveries to ten endpoints, sent by the relay's process, against a bare loop of posts with as many rows read and written. */
export async function drain(stage: Stage, rounds: number, rows: number, report: Report): Promise<void> {
  const outbox = await anOutbox(stage, ENDPOINTS);
  const floorRelay = await stage.processes.startFloorRelay();
  await makeFloorTables(stage, outbox);
  await ours(stage, outbox, 'warm', rows / 10, emptySide()); // each process is slow at first
  await floor(stage, outbox, 'warm', rows / 10, floorRelay.url, emptySide());
  const [side, floorSide] = [emptySide(), emptySide()];
  const resident: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    resident.push(await ours(stage, outbox, `round ${round} `, rows, side));
    await floor(stage, outbox, `round ${round} `, rows, floorRelay.url, floorSide);
  }
  await floorRelay.process.stop();
  const [rate, floorRate] = [perSecond(side), perSecond(floorSide)];
  report.rows.push({
    what: `deliveries, ${rows.toLocaleString('en')} stored rows to ten endpoints (floor: a bare loop of posts, as many rows read and written)`,
    ours: number(rate),
    floor: number(floorRate),
    ratio: percent(rate / floorRate),
    goal: `≥ ${GOALS.perSecond.toLocaleString('en')}/s, ≥ ${percent(GOALS.ofFloor)}`,
    met: rate >= GOALS.perSecond && rate >= GOALS.ofFloor * floorRate,
  });
  report.notes.push(
    cpuNote('these deliveries', side),
    cpuNote('its floor', floorSide),
    `resident memory of the relay while it sent them, at most, MiB: ${resident.join(', ')}`,
  );
}

/** @returns the relay's resident memory at its highest, MiB */
async function ours(stage: Stage, outbox: Outbox, series: string, rows: number, side: Side): Promise<number> {
  const count = rows / ENDPOINTS;
  await copyEvents(stage, outbox, series, count);
  await settle(stage);
  const [storedBefore, sunk] = [await stored(stage, 'webhook'), await countSunk(stage)];
  const before = stage.cpu.read();
  const visible = await storeDeliveries(stage, outbox, series, count);
  await stage.database.run(`SELECT pg_notify('${DELIVERIES_CHANNEL}', '')`);
  let resident = 0;
  await until(
    'the deliveries were not sent',
    async () => {
      resident = Math.max(resident, stage.cpu.residentMib()['relay'] ?? 0);
      const [left] = await stage.database.rows<{
        some: boolean;
      }>(`SELECT EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'pending') AS some`);
      return left?.some === false ? true : undefined;
    },
    { timeoutMs: PATIENCE_MS, everyMs: 100 },
  );
  const [last] = await stage.database.rows<{ at: Date }>('SELECT max(completed_at) AS at FROM webhook_deliveries');
  add(side, rows, (last?.at.getTime() ?? Number.NaN) - visible, stage.cpu.since(before));
  await received(stage, sunk, rows);
  await recorded(stage, 'webhook', storedBefore, rows);
  return resident;
}

async function floor(stage: Stage, outbox: Outbox, series: string, rows: number, url: string, side: Side): Promise<void> {
  const count = rows / ENDPOINTS;
  await stage.database.run(
    `INSERT INTO bench_events SELECT * FROM order_events WHERE id IN (SELECT 'evt_' || md5('${series}' || n) FROM generate_series(1, ${count}) AS n)`,
  );
  await settle(stage);
  const [storedBefore, sunk] = [await stored(stage, 'bench'), await countSunk(stage)];
  const before = stage.cpu.read();
  const visible = await storeDeliveries(stage, outbox, series, count, 'bench_deliveries');
  const reply = await fetch(`${url}/drain`);
  if (!reply.ok) throw new Error(await reply.text());
  add(side, rows, Date.now() - visible, stage.cpu.since(before));
  await received(stage, sunk, rows);
  await recorded(stage, 'bench', storedBefore, rows);
}

/** A rate counts for nothing unless every row was posted and its result stored. @throws Error when the receiver had fewer or more */
async function received(stage: Stage, before: number, rows: number): Promise<void> {
  const more = (await countSunk(stage)) - before;
  if (more !== rows) throw new Error(`the receiver had ${more} posts of ${rows} rows`);
}

interface Stored {
  delivered: number;
  logged: number;
}

/** Deliveries that are delivered, and successful attempts in the log. */
async function stored({ database }: Stage, tables: 'webhook' | 'bench'): Promise<Stored> {
  const [found] = await database.rows<Stored>(`
    SELECT (SELECT count(*) FROM ${tables}_deliveries WHERE state = 'delivered') AS delivered, (SELECT count(*) FROM ${tables}_attempts WHERE ok AND status = 204) AS logged`);
  return found ?? { delivered: 0, logged: 0 };
}

/** @throws Error unless so many more are delivered, with one successful attempt each */
async function recorded(stage: Stage, tables: 'webhook' | 'bench', before: Stored, rows: number): Promise<void> {
  const now = await stored(stage, tables);
  if (now.delivered - before.delivered !== rows || now.logged - before.logged !== rows) {
    throw new Error(
      `of ${rows} ${tables} rows ${now.delivered - before.delivered} were delivered and ${now.logged - before.logged} logged`,
    );
  }
}

/** What the rows before have left behind is not to fall on one side. */
async function settle(stage: Stage): Promise<void> {
  await stage.database.run('CHECKPOINT');
  await untilIdle(stage);
  await delay(200);
}

function add(side: Side, done: number, elapsedMs: number, cpuMs: Record<string, number>): void {
  side.done += done;
  side.elapsedMs += elapsedMs;
  for (const [name, ms] of Object.entries(cpuMs)) side.cpuMs[name] = (side.cpuMs[name] ?? 0) + ms;
}

/** Copies of ours with all their indexes. */
async function makeFloorTables({ database }: Stage, { endpoints }: Outbox): Promise<void> {
  await database.run('CREATE TABLE bench_events (LIKE order_events INCLUDING ALL)');
  await database.run('CREATE TABLE bench_deliveries (LIKE webhook_deliveries INCLUDING ALL)');
  await database.run('CREATE TABLE bench_attempts (LIKE webhook_attempts INCLUDING ALL)');
  await database.run('CREATE TABLE bench_paths (endpoint_id text PRIMARY KEY, path text NOT NULL)');
  await database.run(`INSERT INTO bench_paths SELECT id, '/sink/' || n FROM unnest($1::text[]) WITH ORDINALITY AS e (id, n)`, [endpoints]);
}
