// `npm run test:node -- 22 [test files]`: the tests on another Node line, which npm brings. The set-up has run on this Node.

import { spawn } from 'node:child_process';
import { projectRoot } from '../set-up/project.mjs';

const [line, ...files] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(line ?? '')) {
  console.error('which Node? For example: npm run test:node -- 22');
  process.exit(1);
}
// npx puts that node first on the PATH; scripts/run/test.mjs runs everything with the node it was itself started by.
const child = spawn('npx', ['--yes', '--package', `node@${line}`, '--', 'node', 'scripts/run/test.mjs', ...files], {
  cwd: projectRoot,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
