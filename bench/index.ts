import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { excludeLoopbackFromProxy } from '../scripts/start/loopback';
import { projectRoot } from '../scripts/start/project';
import { SetupError } from '../scripts/start/setup-error';
import { measure } from './figure';
import { FIGURES } from './parts';
import { formatTable, type Report } from './report';
import { openStage, type Stage } from './stage';

/** The planned time of a run. On a slow machine figures have fewer rounds, and the run takes longer. */
const PLANNED_MS = 10 * 60_000;
/** A run that takes longer hangs. It prints its finished figures. */
const TIME_LIMIT_MS = 60 * 60_000;

const startedAt = Date.now();
const loadBefore = loadAverage();

/** Runs the selected figures, or all, and prints one table. An interrupted run prints its finished figures. */
async function main(): Promise<number> {
  excludeLoopbackFromProxy();
  const { values, positionals } = parseArgs({ options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
  const unfinished = new Set(selectFigures(positionals));
  const stopController = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopController.abort());
  setTimeout(() => {
    console.log('[bench] the run takes more than an hour: stopping');
    stopController.abort();
  }, TIME_LIMIT_MS).unref();
  console.log('[bench] starting PostgreSQL, Temporal, the service and the floors …');
  const stageOpening = openStage(values.smoke, () => stopController.abort());
  const report: Report = { versions: '', rows: [] };
  await Promise.race([
    runFigures(stageOpening, values.smoke, unfinished, report, stopController.signal),
    once(stopController.signal, 'abort'),
  ]);
  console.log(`\n${formatHeading(report)}\n\n${formatTable(report, values.smoke)}`);
  await (await stageOpening.catch(() => undefined))?.close();
  if (unfinished.size === 0) return 0;
  console.error(`\n[bench] FAILED: ${[...unfinished].join(', ')}`);
  return 1;
}

/** Returns the selected figures in the order of FIGURES. @throws SetupError for an unknown name */
function selectFigures(names: readonly string[]): string[] {
  const all = Object.keys(FIGURES);
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new SetupError(`unknown figure ${unknown.join(', ')}; choose from ${all.join(', ')}`);
  return names.length > 0 ? all.filter((name) => names.includes(name)) : all;
}

/**
 * Runs the figures and removes finished ones from `unfinished`. A failed figure does not stop the others. The figures share the planned time
 * that is left.
 */
async function runFigures(stageOpening: Promise<Stage>, isSmoke: boolean, unfinished: Set<string>, report: Report, signal: AbortSignal) {
  const stage = await stageOpening;
  report.versions = stage.versions;
  for (const name of unfinished) {
    if (signal.aborted) return;
    console.log(`[bench] ${name} …`);
    const figureStartedAt = Date.now();
    const shareMs = Math.max(0, startedAt + PLANNED_MS - figureStartedAt) / unfinished.size;
    try {
      const figure = FIGURES[name];
      if (figure !== undefined)
        report.rows.push({ name, figure, measured: await measure(figure, stage, isSmoke, performance.now() + shareMs) });
      unfinished.delete(name);
      console.log(`[bench] ${name} took ${Math.round((Date.now() - figureStartedAt) / 1000)} s`);
    } catch (error) {
      if (!signal.aborted) console.error(`[bench] ${name} failed:`, error);
    }
  }
}

function formatHeading({ versions }: Report): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const git = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: projectRoot, encoding: 'utf8' });
  return `${new Date().toISOString().slice(0, 16)} UTC, commit ${git.status === 0 ? git.stdout.trim() : 'unknown'}, ${machine}, ${versions}, load before ${loadBefore}, after ${loadAverage()}, ${seconds} s`;
}

function loadAverage(): string {
  return (loadavg()[0] ?? 0).toFixed(2);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
