import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../dev/ports';
import { askForQuotes, ORDERS_PER_KEY, someBuyers, type Buyer } from '../fixtures';
import { call, placeOrder } from '../http';
import { emptySide, percentile, perSecond, slice } from '../load';
import { cpuNote, number, percent, type Report } from '../report';
import type { RunningApi } from '../processes';
import type { Stage } from '../stage';

/** Resident memory after the last order over that after the first step; and what may stay of each order, KiB. */
const GOAL = 1.1;
const KEPT_KIB = 1;
const STEPS = 5;
const AT_ONCE = 16;
/** Answers within so long, ms, while Temporal does not answer at all. */
const NOTICING_MS = 10_000;

interface Memory {
  rss: number;
  heapUsed: number;
  external: number;
}

/** An API whose memory can be asked for, and orders placed there while Temporal is frozen: nothing may pile up. */
export async function away(stage: Stage, orders: number, report: Report): Promise<void> {
  const file = join(tmpdir(), `trade-print-bench-memory-${process.pid}.json`);
  const api = await stage.processes.startApi('api-watched', ['--expose-gc', '--require', join(__dirname, '..', 'heap-watch.js')], {
    BENCH_MEMORY_FILE: file,
  });
  const step = Math.ceil(orders / STEPS);
  const buyers = await someBuyers(stage, Math.ceil(step / ORDERS_PER_KEY));
  stage.freezeTemporal();
  try {
    await placeSome(stage, api, buyers, Math.min(step, 400)); // it has to notice, and to warm up
    await untilNoticed(stage, api);
    const memories: Memory[] = [];
    const [side, cpu] = [emptySide(), stage.cpu.read()];
    for (let count = 0; count < orders; count += step) {
      await stage.database.run('TRUNCATE rate_windows');
      const latencies = await placeSome(stage, api, buyers, step);
      side.done += latencies.done;
      side.elapsedMs += latencies.elapsedMs;
      side.latenciesMs.push(...latencies.latenciesMs);
      memories.push(await memoryOf(api, file));
    }
    side.latenciesMs.sort((a, b) => a - b);
    side.cpuMs = stage.cpu.since(cpu);
    tell(side, memories, step, report);
    // Nobody is to start twenty thousand workflows now.
    await stage.database.run('UPDATE orders SET workflow_seen_at = now() WHERE workflow_seen_at IS NULL');
    await stage.database.run('UPDATE quotes SET hold_started_at = now() WHERE hold_started_at IS NULL');
  } finally {
    stage.thawTemporal();
    await api.process.stop();
    rmSync(file, { force: true });
  }
}

async function placeSome(stage: Stage, { tradeUrl }: RunningApi, buyers: readonly Buyer[], count: number) {
  const quotes = await askForQuotes(stage, buyers, count, tradeUrl);
  let next = 0;
  const side = emptySide();
  await slice(side, { rounds: 1, perRound: count, concurrency: AT_ONCE }, async () => {
    const index = next++;
    await placeOrder(stage, buyers[index % buyers.length]?.key ?? '', quotes[index] ?? '', tradeUrl);
  });
  return side;
}

/** Its readiness says that Temporal is away. */
async function untilNoticed(stage: Stage, { tradeUrl }: RunningApi): Promise<void> {
  await until(
    'the API did not notice that Temporal is frozen',
    async () => {
      const text = await call(stage, { method: 'GET', url: tradeUrl, path: '/readyz' });
      return (JSON.parse(text) as { data: { checks: { temporal: string } } }).data.checks.temporal === 'ok' ? undefined : true;
    },
    { timeoutMs: NOTICING_MS, everyMs: 200 },
  );
}

async function memoryOf({ process: { pid } }: RunningApi, file: string): Promise<Memory> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  return until('the API did not tell its memory', async () => JSON.parse(readFileSync(file, 'utf8')) as Memory, {
    timeoutMs: 10_000,
    everyMs: 50,
  });
}

function tell(side: ReturnType<typeof emptySide>, memories: readonly Memory[], step: number, report: Report): void {
  const mib = (bytes: number): string => number(bytes / 2 ** 20);
  const [first, last] = [memories[0] as Memory, memories.at(-1) as Memory];
  const kept = (last.heapUsed + last.external - first.heapUsed - first.external) / 1024 / Math.max(1, step * (memories.length - 1));
  report.rows.push(
    {
      what: `memory of the API after ${side.done.toLocaleString('en')} quotes and orders while Temporal is frozen, garbage collected (floor: after ${step.toLocaleString('en')})`,
      concurrency: AT_ONCE,
      ours: `${mib(last.rss)} MiB`,
      floor: `${mib(first.rss)} MiB`,
      ratio: percent(last.rss / first.rss),
      goal: `≤ ${percent(GOAL)}, ≤ ${KEPT_KIB} KiB of heap an order`,
      met: last.rss <= GOAL * first.rss && kept <= KEPT_KIB,
    },
    {
      what: 'POST /orders while Temporal is frozen',
      concurrency: AT_ONCE,
      ours: number(perSecond(side)),
      p50: `${number(percentile(side.latenciesMs, 0.5))} ms`,
      p99: `${number(percentile(side.latenciesMs, 0.99))} ms`,
    },
  );
  report.notes.push(
    `memory of the API while Temporal is frozen, after each ${step.toLocaleString('en')} orders and collected garbage, MiB: resident ${memories.map(({ rss }) => mib(rss)).join(', ')}; ` +
      `heap ${memories.map(({ heapUsed }) => mib(heapUsed)).join(', ')}; external ${memories.map(({ external }) => mib(external)).join(', ')}`,
    cpuNote('POST /orders while Temporal is frozen, with its POST /quotes', side),
  );
}
