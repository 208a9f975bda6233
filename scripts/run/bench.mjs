// `npm run bench [-- [part …] [--server dev|disk|current] [--quick] [--profile <dir>]]`: compiles sources and benchmarks into the
// cache and runs them there. What they measure is told in bench/README.md.

import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { inProject, projectRoot } from '../set-up/project.mjs';
import { ensurePackages } from '../set-up/packages.mjs';
import { run, SetupFailure, step } from '../set-up/report.mjs';
import { ensureTemporalServer } from '../set-up/temporal-server.mjs';
import { ensureTemporal } from '../set-up/temporal-tools.mjs';

/** From the first process on; what has been measured by then is printed. Building programs, once per machine, does not count. */
const LIMIT_MS = 20 * 60_000;
/** For the table and an orderly stop, within the limit. */
const ENDING_MS = 60_000;
const ON_DEV_SERVER = ['away', 'life', 'reads', 'quotes', 'inspection', 'growth'];

async function bench() {
  await ensurePackages();
  await ensureTemporal();
  const env = needsCurrentServer() ? { BENCH_TEMPORAL_SERVER: dirname(await ensureTemporalServer()) } : {};
  const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
  await step('compiling the benchmarks', () => run(process.execPath, [tsc, '-p', 'bench'], { cwd: projectRoot }));
  const main = inProject('node_modules', '.cache', 'trade-print', 'bench', 'bench', 'index.js');
  const child = spawn(process.execPath, ['--enable-source-maps', main, ...process.argv.slice(2)], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  // A Ctrl-C reaches the child as well; it stops what it started, and we wait for it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const timers = [
    setTimeout(() => {
      console.error(`\n[bench] ${LIMIT_MS / 60_000} minutes are nearly over, stopping with what there is`);
      child.kill('SIGTERM');
    }, LIMIT_MS - ENDING_MS),
    // What it started is stopped even then; see dev/reaper.cjs.
    setTimeout(() => child.kill('SIGKILL'), LIMIT_MS),
  ];
  process.exitCode = await new Promise((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
  });
  for (const timer of timers) clearTimeout(timer);
}

function needsCurrentServer() {
  const { values, positionals } = parseArgs({
    strict: false,
    options: { server: { type: 'string' }, profile: { type: 'string' } },
    allowPositionals: true,
  });
  if (values.server !== undefined) return values.server === 'current';
  return positionals.length === 0 || positionals.some((part) => !ON_DEV_SERVER.includes(part));
}

bench().catch((error) => {
  console.error(`\n[bench] FAILED: ${error instanceof SetupFailure ? error.message : error.stack}`);
  process.exitCode = 1;
});
