// `npm run test:faults [-- <seed> [<kills>]]`: places orders while API, worker, Temporal and PostgreSQL are killed again and again,
// then compares everybody's books. Ends with a line such as "22 kills, 310 orders, 940 events, 0 did not balance".

import { spawn, spawnSync } from 'node:child_process';
import { inProject, projectRoot } from '../set-up/project.mjs';

const prepared = spawnSync(process.execPath, [inProject('scripts', 'set-up', 'prepare.mjs'), 'start'], {
  cwd: projectRoot,
  stdio: 'inherit',
});
if (prepared.status !== 0) process.exit(prepared.status ?? 1);

const register = inProject('test', 'support', 'runner', 'register-swc.cjs');
const proof = spawn(process.execPath, ['--require', register, inProject('test', 'proofs', 'faults', 'main.ts'), ...process.argv.slice(2)], {
  cwd: projectRoot,
  stdio: 'inherit',
});
// A Ctrl-C reaches the proof as well; we wait for it, so that its line stays the last one.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => proof.kill(signal));
proof.once('close', (code) => (process.exitCode = code ?? 1));
