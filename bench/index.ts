import { spawnSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { projectRoot } from '../scripts/start/project';
import { SetupError } from '../scripts/start/setup-error';
import { EXTRAS, FIGURES } from './parts';
import { hottest } from './profile';
import { markdown } from './report';
import { Run } from './run';

/** From the end of the set-up, with time for the table and an orderly stop. */
const LIMIT_MS = 10 * 60_000;
const STOPPING_MS = 20_000;

const startedAt = Date.now();
const loadBefore = load();

/** Runs the named parts, or the ten figures, and prints one table. A run that is stopped early prints its finished parts. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { smoke: { type: 'boolean', default: false }, profile: { type: 'string' } },
    allowPositionals: true,
  });
  const run = new Run(partsOf(positionals, values.smoke), { isSmoke: values.smoke, profileDir: values.profile });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.stop());
  setTimeout(() => {
    console.log('[bench] ten minutes are over: stopping');
    run.stop();
  }, LIMIT_MS - STOPPING_MS).unref();
  setTimeout(() => process.exit(1), LIMIT_MS).unref();
  await run.play();
  console.log(`\n${heading(run)}\n\n${markdown(run.report, values.smoke)}`);
  await run.close(); // profiles are written at the end of a process
  if (values.profile !== undefined) console.log(`\n${hottest(values.profile)}`);
  if (run.missing.length === 0) return 0;
  console.error(`\n[bench] FAILED: ${run.missing.join(', ')}`);
  return 1;
}

/** In the order of the lists. @throws SetupError for an unknown name */
function partsOf(names: readonly string[], isSmoke: boolean): string[] {
  const all = [...Object.keys(FIGURES), ...Object.keys(EXTRAS)];
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new SetupError(`unknown part ${unknown.join(', ')}; the parts are ${all.join(', ')}`);
  if (names.length > 0) return all.filter((name) => names.includes(name));
  return isSmoke ? all : Object.keys(FIGURES);
}

function heading({ versions }: Run): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  return `${new Date().toISOString().slice(0, 16)} UTC, commit ${commit()}, ${machine}, ${versions}, load before ${loadBefore}, after ${load()}, ${seconds} s`;
}

/** "-dirty": with changes that are not committed. */
function commit(): string {
  const git = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: projectRoot, encoding: 'utf8' });
  return git.status === 0 ? git.stdout.trim() : 'unknown';
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
