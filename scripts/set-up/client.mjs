// The client package, packages/client/dist, as its sources are now: the demo, the tests and the type check use it as anybody would.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withProjectLock } from './cache.mjs';
import { hashOf, inProject, notesDir, projectRoot, readIfExists } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

const FOLDER = 'packages/client';
const SOURCES = [...['src', 'scripts/build.mjs', 'package.json', 'tsconfig.json'].map((path) => `${FOLDER}/${path}`), 'package-lock.json'];
const STAMP = join(notesDir, 'client-built-from');

/** Builds the client where its sources differ from those of the last build; a second or two. */
export async function ensureClient() {
  if (isBuilt()) return;
  await withProjectLock(async () => {
    if (!isBuilt()) await build();
  });
}

function isBuilt() {
  return existsSync(inProject(FOLDER, 'dist', 'cjs', 'package.json')) && readIfExists(STAMP) === hashOf(SOURCES);
}

async function build() {
  const builtFrom = hashOf(SOURCES);
  try {
    await step('building the client package', () =>
      run(process.execPath, [inProject(FOLDER, 'scripts', 'build.mjs')], { cwd: projectRoot }),
    );
  } catch (error) {
    throw new SetupFailure(`the client package does not compile. ${error.message}`);
  }
  mkdirSync(notesDir, { recursive: true });
  writeFileSync(STAMP, builtFrom);
}
