// `npm run bench [-- [part …] [--smoke] [--profile <dir>]]`: compiles the sources with the benchmarks and runs them; see bench/README.md.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages } from '../set-up/packages.mjs';
import { inProject, projectRoot } from '../set-up/project.mjs';
import { run, SetupFailure, step } from '../set-up/report.mjs';
import { ensureTemporal } from '../set-up/temporal-tools.mjs';

const COMPILED = inProject('node_modules', '.cache', 'trade-print', 'bench');
/** From the end of the set-up. */
const LIMIT_MS = 10 * 60_000;
/** For the table and an orderly stop, within the limit. */
const STOPPING_MS = 20_000;

async function bench() {
  await ensurePackages();
  await ensureTemporal();
  // Migrations are found by reading their folder, so files of an earlier compilation must go.
  rmSync(COMPILED, { recursive: true, force: true });
  const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
  await step('compiling the benchmarks', () => run(process.execPath, [tsc, '-p', 'bench'], { cwd: projectRoot }));
  const args = ['--enable-source-maps', join(COMPILED, 'bench', 'index.js'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: 'inherit' });
  // A Ctrl-C reaches the child as well. It stops its processes, and we wait for it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const timers = [
    setTimeout(() => {
      console.log(`[bench] ten minutes are over: stopping`);
      child.kill('SIGTERM');
    }, LIMIT_MS - STOPPING_MS),
    setTimeout(() => child.kill('SIGKILL'), LIMIT_MS),
  ];
  process.exitCode = await new Promise((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
  });
  for (const timer of timers) clearTimeout(timer);
}

bench().catch((error) => {
  console.error(`\n[bench] FAILED: ${error instanceof SetupFailure ? error.message : error.stack}`);
  process.exitCode = 1;
});
