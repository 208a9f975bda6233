// `npm test`: the type check, the linter, the formatter and all tests; `npm test -- <files>`: only those test files. Always ends with the
// line "N passed, N failed", where each type check, the linter and the formatter count as one.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject, projectRoot, readJson } from '../set-up/project.mjs';

const jestArguments = process.argv.slice(2);
const running = new Set();

// A Ctrl-C reaches jest as well; we wait for it, so that our line stays the last one.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => running.forEach((child) => child.kill(signal)));

const counts = [];
if (jestArguments.length === 0) {
  counts.push(await check('type check', inProject('node_modules', 'typescript', 'bin', 'tsc'), ['--noEmit']));
  const console = ['--noEmit', '-p', inProject('packages', 'console')];
  counts.push(await check('type check of the console', inProject('node_modules', 'typescript', 'bin', 'tsc'), console));
  counts.push(await check('lint', inProject('node_modules', 'oxlint', 'bin', 'oxlint'), []));
  const prettier = inProject('node_modules', 'prettier', 'bin', 'prettier.cjs');
  counts.push(await check('formatting (npm run format mends it)', prettier, ['--check', '--log-level', 'warn', '.']));
}
counts.push(await runJest());

const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') > 0 ? 1 : 0;

async function check(title, script, args) {
  console.log(`${title} …`);
  const ok = (await runNode(script, args)) === 0;
  if (!ok) console.log(`${title} FAILED`);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

async function runJest() {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-counts-'));
  const file = join(folder, 'counts.json');
  try {
    const jest = inProject('node_modules', 'jest', 'bin', 'jest.js');
    const code = await runNode(jest, jestArguments, { COUNTS_FILE: file });
    const { passed, failed } = existsSync(file) ? readJson(file) : { passed: 0, failed: 0 };
    // Jest also fails without a failed test: when its set-up fails, or no test file matches.
    return { passed, failed: code !== 0 ? Math.max(failed, 1) : failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runNode(script, args, extraEnv = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: projectRoot, env: { ...process.env, ...extraEnv }, stdio: 'inherit' });
    running.add(child);
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}
