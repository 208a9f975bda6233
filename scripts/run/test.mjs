// `npm test` runs the unit tests, the service tests and the checks (types, lint, imports, format). `npm test -- <files and options of
// Jest>` runs only these tests. `npm run test:proofs [-- <names>]` runs the slow tests in `test/proofs` and all cases of
// property tests. `npm run test:all` runs everything. `npm run test:related [-- <options of Jest>]` runs the unit and service tests that
// import changed files. The last line of every run is "N passed, N failed", where each check counts as one.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject, projectRoot, readJson } from '../set-up/project.mjs';

const QUICK = ['test/unit/', 'test/service/'];
const running = new Set();
let isStopped = false;

// Ctrl-C also reaches the child processes. The runner waits for their end, so that the counts are on the last line.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true;
    running.forEach((child) => child.kill(signal));
  });

const MODES = {
  quick: () => [runChecks(), runJest(QUICK)],
  proofs: (args) => [runJest(args.length > 0 ? chosenPaths(args) : proofPaths(), { PROPERTY_CASES: 'all' })],
  all: () => [runChecks(), runJest([...QUICK, 'test/proofs/'], { PROPERTY_CASES: 'all' })],
  // Jest ignores --onlyChanged together with path patterns.
  related: (options) => [runJest(['--onlyChanged', '--passWithNoTests', '--testPathIgnorePatterns=test/(proofs|release)/', ...options])],
  // `npm test -- -t 'a name'` searches the unit and service tests.
  chosen: (args) => [
    runJest(args.some((arg) => arg.includes('test/')) ? args : [...args, '--testPathIgnorePatterns=test/(proofs|release)/']),
  ],
};

const given = process.argv.slice(2);
const mode = given.length === 0 ? 'quick' : (/^--mode=(\w+)$/.exec(given[0])?.[1] ?? 'chosen');
if (mode === 'all' && given.length > 1) throw new Error('npm run test:all accepts no arguments. To run some tests: npm test -- <files>');
const counts = (await Promise.all(MODES[mode](mode === 'chosen' ? given : given.slice(1)))).flat();
const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') > 0 ? 1 : 0;

/** Reads names of proofs such as `faults`, then options of Jest. */
function chosenPaths(args) {
  const index = args.findIndex((arg) => arg.startsWith('-'));
  const [names, options] = index < 0 ? [args, []] : [args.slice(0, index), args.slice(index)];
  const paths = names.map((name) => (name.startsWith('test/') ? name : `test/proofs/.*${name}`));
  return [...(names.length > 0 ? paths : ['test/proofs/']), ...options];
}

/** The paths of the proofs and of the unit tests with property tests, because `npm test` runs only a tenth of their cases. */
function proofPaths() {
  const properties = readdirSync(inProject('test', 'unit'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/unit/${file}`)
    .filter((file) => readFileSync(inProject(file), 'utf8').includes('support/property-runs'));
  return ['test/proofs/', ...properties];
}

/** Runs one check at a time, because the tests also need the CPU. Prints the output of a check when it has ended. */
async function runChecks() {
  const cache = inProject('node_modules', '.cache', 'trade-print');
  mkdirSync(cache, { recursive: true });
  const program = (...path) => inProject('node_modules', ...path);
  const types = (name, ...args) => ['--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, `${name}.tsbuildinfo`), ...args];
  const checks = [
    ['types', program('typescript', 'bin', 'tsc'), types('types')],
    ['types of the console', program('typescript', 'bin', 'tsc'), types('console', '-p', inProject('packages', 'console'))],
    ['lint', program('oxlint', 'bin', 'oxlint'), []],
    ['imports', program('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), ['.']],
    [
      'format (npm run format repairs it)',
      program('prettier', 'bin', 'prettier.cjs'),
      ['--check', '--log-level', 'warn', '--cache', '--cache-location', join(cache, 'prettier'), '.'],
    ],
  ];
  const results = [];
  for (const check of checks) if (!isStopped) results.push(await runCheck(...check));
  return results;
}

async function runCheck(name, script, args) {
  const { code, output } = await runNode(script, args, {}, 'pipe');
  console.log(code === 0 ? `PASS check: ${name}` : `${output}\nFAIL check: ${name}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

async function runJest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const { code } = await runNode(inProject('node_modules', 'jest', 'bin', 'jest.js'), args, { ...env, COUNTS_FILE: file }, 'inherit');
    const { passed, failed } = existsSync(file) ? readJson(file) : { passed: 0, failed: 0 };
    // Jest also fails without a failed test: if its set-up fails, or no test file matches.
    return { passed, failed: code !== 0 ? Math.max(failed, 1) : failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runNode(script, args, extraEnv, stdio) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: projectRoot, env: { ...process.env, ...extraEnv }, stdio });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}
