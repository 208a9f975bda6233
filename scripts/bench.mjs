// `npm run bench [-- [orders] [life] [reads] [quotes] [webhooks] [--quick] [--profile]]`: compiles sources and benchmarks
// into the cache and runs them there. What they measure is told in bench/README.md.

import { spawn } from 'node:child_process';
import { inProject, projectRoot } from './lib/project.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { run, SetupFailure, step } from './lib/report.mjs';
import { ensureTemporal } from './lib/tools.mjs';

async function bench() {
  await ensurePackages();
  await ensureTemporal();
  const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
  await step('compiling the benchmarks', () => run(process.execPath, [tsc, '-p', 'bench'], { cwd: projectRoot }));
  const main = inProject('node_modules', '.cache', 'trade-print', 'bench', 'bench', 'index.js');
  const child = spawn(process.execPath, ['--enable-source-maps', main, ...process.argv.slice(2)], { cwd: projectRoot, stdio: 'inherit' });
  // A Ctrl-C reaches the child as well; it stops what it started, and we wait for it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
  });
}

bench().catch((error) => {
  console.error(`\n[bench] FAILED: ${error instanceof SetupFailure ? error.message : error.stack}`);
  process.exitCode = 1;
});
