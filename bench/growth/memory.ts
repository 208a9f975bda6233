import type { ManagedProcess } from '../../src/dev/managed-process';
import type { OrderRef } from '../../src/temporal';
import { CpuMeter } from '../cpu';
import { number, percent, type Report } from '../report';
import type { Stage } from '../stage';
import { openAll } from './open';

const GOAL = 1.1;
/** The setting's default, and a smaller one: the difference tells what a cached workflow takes. */
const CACHED = 500;
const FEW_CACHED = 50;
const STEP = 1000;
/** No more are opened after this long. */
const OPENING_MS = 140_000;

export interface Opened {
  count: number;
  /** Which runs, with the default setting. */
  worker: ManagedProcess;
  /** The last opened, which it has in its cache. */
  cached: OrderRef[];
}

/** A worker with the default setting of the cache. */
export const startWorker = ({ processes }: Stage, name: string): Promise<ManagedProcess> => processes.with({ WORKER_MAX_CACHED_WORKFLOWS: String(CACHED) }).startWorker(name);

/** Opens orders: some with a worker that keeps few workflows, the others with one of the default setting, whose memory is read on the way. */
export async function memory(stage: Stage, orders: readonly OrderRef[], quick: boolean, report: Report): Promise<Opened> {
  const step = quick ? CACHED : STEP;
  const startedAt = performance.now();
  const small = await stage.processes.with({ WORKER_MAX_CACHED_WORKFLOWS: String(FEW_CACHED) }).startWorker('worker-small-cache');
  const smallFresh = residentMib(small);
  await openAll(stage, orders.slice(0, step), step);
  const smallAfter = residentMib(small);
  await small.stop();

  const worker = await startWorker(stage, 'worker-default-cache');
  const fresh = residentMib(worker);
  const samples: number[] = [];
  let open = step;
  while (open < orders.length && (performance.now() - startedAt < OPENING_MS || samples.length < 2)) {
    await openAll(stage, orders.slice(open, open + step), Math.min(orders.length, open + step));
    open = Math.min(orders.length, open + step);
    samples.push(residentMib(worker));
  }
  const [full, most] = [samples[0] ?? Number.NaN, samples.at(-1) ?? Number.NaN];
  const perWorkflow = (samples.reduce((sum, mib) => sum + mib, 0) / samples.length - smallAfter) / (CACHED - FEW_CACHED);
  const count = (workflows: number): string => workflows.toLocaleString('en');
  report.rows.push({
    what: `worker's resident memory with ${count(open)} orders open, ${count(open - step)} opened by it, cache ${CACHED} (floor: after ${count(step)})`,
    ours: `${most} MiB`, floor: `${full} MiB`, ratio: percent(most / full), goal: `≤ ${percent(GOAL)}`, met: most <= GOAL * full,
  });
  report.notes.push(
    `resident memory of a worker, MiB: cache ${CACHED}: fresh ${fresh}, then ${samples.join(', ')}, each after ${count(step)} more workflows; cache ${FEW_CACHED}: fresh ${smallFresh}, after ${count(step)} ${smallAfter}; ` +
    `so about ${perWorkflow.toFixed(2)} MiB a cached workflow. Opened at ${number(open * 1000 / (performance.now() - startedAt))}/s, pauses included`);
  return { count: open, worker, cached: orders.slice(open - CACHED, open) };
}

function residentMib({ pid }: ManagedProcess): number {
  return new CpuMeter({ worker: pid }, 0).residentMib()['worker'] ?? Number.NaN;
}
