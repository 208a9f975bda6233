import { spawnSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { projectRoot } from '../dev/project';
import { SetupError } from '../dev/setup-error';
import { PARTS, stepsOf } from './parts';
import { hottest } from './profile';
import { markdown } from './report';
import { Run } from './run';
import { SERVER_KINDS, type ServerKind } from './temporal';

const startedAt = Date.now();
const loadBefore = load();

/** Runs the named parts, or all, and prints one table, also when it is stopped early. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' }, server: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => PARTS[name] === undefined);
  if (unknown.length > 0)
    throw new SetupError(`there is no part "${unknown.join('", "')}"; the parts are ${Object.keys(PARTS).join(', ')}`);
  const steps = stepsOf(positionals.length > 0 ? positionals : Object.keys(PARTS), serverKind(values.server));
  const run = new Run(steps, { quick: values.quick, profileDir: values.profile });
  // A Ctrl-C comes twice, from the terminal and from scripts/run/bench.mjs, which ends a run that takes too long in this way too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void endEarly(run));
  // Of work that is begun and awaited later: its part fails when it is awaited, and the run goes on.
  process.on('unhandledRejection', (error) => console.error(error));
  try {
    await run.play();
  } catch (error) {
    // What is still under way fails when its servers are stopped.
    if (ending === undefined) console.error(error instanceof SetupError ? error.message : error);
  }
  if (run.missing().length > 0) return endEarly(run);
  print(run);
  if (values.profile !== undefined) console.log(`\n${hottest(values.profile)}`);
}

let ending: Promise<never> | undefined;

function endEarly(run: Run): Promise<never> {
  ending ??= end(run);
  return ending;
}

async function end(run: Run): Promise<never> {
  print(run);
  console.log(`\nNot measured, or not wholly: ${run.missing().join(', ')}.`);
  await run.end().catch((error: unknown) => console.error(error));
  return process.exit(1);
}

function print(run: Run): void {
  console.log(
    `\n${new Date().toISOString().slice(0, 16)} UTC, commit ${commit()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ` +
      `Temporal server ${[...run.versions.temporal].join(' and ')}, PostgreSQL ${[...run.versions.postgres].join(', ')}, ` +
      `load before ${loadBefore}, after ${load()}, ${Math.round((Date.now() - startedAt) / 1000)} s\n\n${markdown(run.report())}`,
  );
}

/** "-dirty": with changes that are not committed. */
function commit(): string {
  const git = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: projectRoot, encoding: 'utf8' });
  return git.status === 0 ? git.stdout.trim() : 'unknown';
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(2);
}

function serverKind(name: string | undefined): ServerKind | undefined {
  if (name === undefined) return undefined;
  const kind = SERVER_KINDS.find((one) => one === name);
  if (kind === undefined) throw new SetupError(`there is no server "${name}"; the servers are ${SERVER_KINDS.join(', ')}`);
  return kind;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
