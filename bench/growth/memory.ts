import type { ManagedProcess } from '../../dev/managed-process';
import type { OrderRef } from '../../src/temporal';
import { CpuMeter } from '../cpu';
import { cpuNote, percent, type Report } from '../report';
import type { Stage } from '../stage';
import { openAll } from './open';

const GOAL = 1.1;
/** The setting's default, and a larger one: the difference tells what a cached workflow takes. */
const CACHED = 500;
const MANY_CACHED = 2000;
const STEP = 1000;
/** No more are opened after this long. */
const OPENING_MS = 100_000;

export interface Opened {
  count: number;
  /** Which runs, with the default setting. */
  worker: ManagedProcess;
  /** The last opened, which it has in its cache. */
  cached: OrderRef[];
}

/** A worker that keeps so many workflows. */
export const startWorker = ({ processes }: Stage, name: string, cached = CACHED): Promise<ManagedProcess> =>
  processes.with({ WORKER_MAX_CACHED_WORKFLOWS: String(cached) }).startWorker(name);

/** Opens orders: some with a worker that keeps them all, the others with one of the default setting, whose memory is read on the way. */
export async function memory(stage: Stage, orders: readonly OrderRef[], quick: boolean, report: Report): Promise<Opened> {
  const [step, kept] = quick ? [CACHED, MANY_CACHED / 2] : [STEP, MANY_CACHED];
  const startedAt = performance.now();
  const large = await startWorker(stage, 'worker-large-cache', MANY_CACHED);
  const largeFresh = residentMib(large);
  await openAll(stage, orders.slice(0, kept), kept);
  const largeFull = residentMib(large);
  await large.stop();

  const worker = await startWorker(stage, 'worker-default-cache');
  const fresh = residentMib(worker);
  const [samples, before, begun] = [[] as number[], stage.cpu.read(), performance.now()];
  let open = kept;
  while (open < orders.length && (performance.now() - startedAt < OPENING_MS || samples.length < 2)) {
    const next = Math.min(orders.length, open + step);
    await openAll(stage, orders.slice(open, next), next);
    open = next;
    samples.push(residentMib(worker));
  }
  const [done, openingMs, cpuMs] = [open - kept, performance.now() - begun, stage.cpu.since(before)];
  const [full, most] = [samples[0] ?? Number.NaN, samples.at(-1) ?? Number.NaN];
  const perWorkflow = (largeFull - samples.reduce((sum, mib) => sum + mib, 0) / samples.length) / (kept - CACHED);
  const count = (workflows: number): string => workflows.toLocaleString('en');
  report.rows.push({
    what: `worker's resident memory with ${count(open)} orders open, of which it has opened ${count(done)} and keeps ${CACHED} (floor: when it had opened ${count(step)})`,
    ours: `${most} MiB`,
    floor: `${full} MiB`,
    ratio: percent(most / full),
    goal: `≤ ${percent(GOAL)}`,
    met: most <= GOAL * full,
  });
  report.notes.push(
    `resident memory of a worker, MiB: cache ${CACHED}: fresh ${fresh}, then ${samples.join(', ')}, each after ${count(step)} more workflows; cache ${MANY_CACHED}: fresh ${largeFresh}, with ${count(kept)} kept ${largeFull}; ` +
      `so about ${perWorkflow.toFixed(2)} MiB a cached workflow`,
    `${count(done)} workflows opened in ${Math.round(openingMs / 1000)} s, waits included; ${cpuNote('them', { done, elapsedMs: openingMs, latenciesMs: [], cpuMs })}`,
  );
  return { count: open, worker, cached: orders.slice(open - CACHED, open) };
}

function residentMib({ pid }: ManagedProcess): number {
  return new CpuMeter({ worker: pid }, 0).residentMib()['worker'] ?? Number.NaN;
}
