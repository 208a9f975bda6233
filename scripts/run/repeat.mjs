// `npm run test:repeat -- <files> [--times 20] [--busy 2]` finds races. It runs test files many times on one core, beside busy loops on the
// same core. Each round has its own SEED. At the end it lists the failed tests of each round, and how to repeat it.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inProject, projectRoot } from '../set-up/project.mjs';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' }, busy: { type: 'string', default: '2' }, core: { type: 'string' } },
});
const times = wholeNumber('times');
const busy = wholeNumber('busy');
const core = values.core ?? String(cpus().length - 1);
if (files.length === 0) throw new Error('name test files, for example: npm run test:repeat -- test/service/db --times 20 --busy 2');

// Without taskset (util-linux) the rounds use all cores.
const onOneCore = spawnSync('taskset', ['-c', core, 'true']).status === 0 ? ['taskset', '-c', core] : [];
if (onOneCore.length === 0) console.log('taskset is missing, so the rounds are not bound to one core');

const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

function start(program, args, options) {
  const [command, ...rest] = [...onOneCore, program, ...args];
  const child = spawn(command, rest, options);
  children.add(child);
  return child;
}

for (let loop = 0; loop < busy; loop += 1) start(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });

const folder = mkdtempSync(join(tmpdir(), 'trade-print-repeat-'));
const failedRounds = [];
for (let round = 1; round <= times; round += 1) {
  const seed = String(Math.floor(Math.random() * 2 ** 31));
  const failures = await runRound(seed);
  console.log(`round ${round} of ${times} (SEED=${seed}): ${failures.length === 0 ? 'passed' : `${failures.length} failed`}`);
  if (failures.length > 0) failedRounds.push({ seed, failures });
}
rmSync(folder, { recursive: true, force: true });

for (const { seed, failures } of failedRounds)
  console.log(`\nSEED=${seed} npm test -- ${files.join(' ')}\n${failures.map((name) => `  ${name}`).join('\n')}`);
console.log(`\n${times - failedRounds.length} passed, ${failedRounds.length} failed`);
process.exit(failedRounds.length > 0 ? 1 : 0);

/** @returns the failed tests, each with its file */
async function runRound(seed) {
  const results = join(folder, 'results.json');
  rmSync(results, { force: true });
  const jest = inProject('node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--maxWorkers=1', '--json', `--outputFile=${results}`, ...files];
  const child = start(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, SEED: seed },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  children.delete(child);
  if (code === 0) return [];
  console.log(output);
  return failedTests(results);
}

function failedTests(results) {
  try {
    const failedFiles = JSON.parse(readFileSync(results, 'utf8')).testResults.filter(({ status }) => status === 'failed');
    return failedFiles.flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const titles = failed.length > 0 ? failed.map(({ fullName }) => fullName) : ['(the file)'];
      return titles.map((title) => `${name.slice(projectRoot.length + 1)}: ${title}`);
    });
  } catch {
    return ['(the run)'];
  }
}

function wholeNumber(name) {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number`);
  return number;
}
