// Schemathesis, for `npm run test:contract`: a Python program in an environment of its own, every package by its hash.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, fillCacheFolder } from './cache.mjs';
import { inProject } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';
import { cached, ensureTool, onPath } from './tools.mjs';

const PACKAGES = inProject('scripts', 'set-up', 'schemathesis.txt');
const OLDEST_PYTHON = [3, 11];

/** Notes the Python of that environment: `<it> -m schemathesis.cli` works wherever the environment was moved to. */
export async function ensureSchemathesis() {
  const python = await findPython();
  const folder = `${python.version}-${createHash('sha256').update(readFileSync(PACKAGES)).digest('hex').slice(0, 12)}`;
  const program = join('bin', 'python');
  return ensureTool('schemathesis', [cached('schemathesis', folder, program)], () => install(python.path, folder, program));
}

async function findPython() {
  const path = ['python3', 'python'].map((name) => onPath(name)()).find(Boolean);
  const version = path && (await run(path, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])).trim();
  const [major, minor] = (version ?? '0.0').split('.').map(Number);
  if (major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1])) return { path, version };
  throw new SetupFailure(
    `Schemathesis needs Python ${OLDEST_PYTHON.join('.')} or later with its venv module, and ${path ? `${path} is ${version}` : 'there is no python3 on the PATH'}.\n` +
      'Everything else works without it; on Debian: apt-get install python3-venv',
  );
}

async function install(python, folder, program) {
  const home = join(cacheDir(), 'schemathesis', folder);
  try {
    await step('installing Schemathesis, once per machine', () =>
      fillCacheFolder(home, async (partial) => {
        await run(python, ['-m', 'venv', partial]);
        const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes', '--only-binary', ':all:'];
        await run(join(partial, program), [...pip, '-r', PACKAGES]);
      }),
    );
  } catch (error) {
    throw new SetupFailure(
      `Schemathesis could not be installed. ${error.message}\nIt needs Python's venv and pip, and a Python package index.`,
    );
  }
  return join(home, program);
}
