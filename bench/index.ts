import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { projectRoot } from '../scripts/start/project';
import { SetupError } from '../scripts/start/setup-error';
import { measure } from './figure';
import { FIGURES } from './parts';
import { markdown, type Report } from './report';
import { openStage, type Stage } from './stage';

/** From the end of the set-up, with time for the table and an orderly stop. */
const LIMIT_MS = 10 * 60_000;
const STOPPING_MS = 20_000;

const startedAt = Date.now();
const loadBefore = load();

/** Runs the named parts, or all figures, and prints one table. A run that is stopped early prints its finished parts. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
  const missing = new Set(partsOf(positionals));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  setTimeout(() => {
    console.log('[bench] ten minutes are over: stopping');
    stopping.abort();
  }, LIMIT_MS - STOPPING_MS).unref();
  setTimeout(() => process.exit(1), LIMIT_MS).unref();
  console.log('[bench] starting PostgreSQL, Temporal, the service and the floors …');
  const opening = openStage(values.smoke, () => stopping.abort());
  const report: Report = { versions: '', rows: [] };
  await Promise.race([runParts(opening, values.smoke, missing, report, stopping.signal), once(stopping.signal, 'abort')]);
  console.log(`\n${heading(report)}\n\n${markdown(report, values.smoke)}`);
  await (await opening.catch(() => undefined))?.close();
  if (missing.size === 0) return 0;
  console.error(`\n[bench] FAILED: ${[...missing].join(', ')}`);
  return 1;
}

/** In the order of the list. @throws SetupError for an unknown name */
function partsOf(names: readonly string[]): string[] {
  const all = Object.keys(FIGURES);
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new SetupError(`unknown part ${unknown.join(', ')}; the parts are ${all.join(', ')}`);
  return names.length > 0 ? all.filter((name) => names.includes(name)) : all;
}

/** A part that fails leaves the other parts to run. Finished parts are no longer missing. */
async function runParts(opening: Promise<Stage>, isSmoke: boolean, missing: Set<string>, report: Report, signal: AbortSignal) {
  const stage = await opening;
  report.versions = stage.versions;
  for (const name of missing) {
    if (signal.aborted) return;
    console.log(`[bench] ${name} …`);
    const partStartedAt = Date.now();
    try {
      const figure = FIGURES[name];
      if (figure !== undefined) report.rows.push({ name, figure, measured: await measure(figure, stage, isSmoke) });
      missing.delete(name);
      console.log(`[bench] ${name} took ${Math.round((Date.now() - partStartedAt) / 1000)} s`);
    } catch (error) {
      if (!signal.aborted) console.error(`[bench] ${name} failed:`, error);
    }
  }
}

function heading({ versions }: Report): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const git = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: projectRoot, encoding: 'utf8' });
  return `${new Date().toISOString().slice(0, 16)} UTC, commit ${git.stdout.trim()}, ${machine}, ${versions}, load before ${loadBefore}, after ${load()}, ${seconds} s`;
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(2);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
