// dist/ as the sources are now.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { withProjectLock } from './cache.mjs';
import { hashOf, inProject, projectRoot, readIfExists } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

const SOURCES = ['src', 'workflows', 'activities', 'migrations', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const STAMP = inProject('dist', '.built-from');

/** Runs the TypeScript compiler when the sources differ from those of the last build. */
export async function ensureBuild() {
  if (isBuilt()) return;
  await withProjectLock(async () => {
    if (!isBuilt()) await build();
  });
}

function isBuilt() {
  return readIfExists(STAMP) === hashOf(SOURCES);
}

async function build() {
  // Taken before compiling: a file that changes meanwhile is compiled again next time.
  const builtFrom = hashOf(SOURCES);
  // A migration or module that is gone must not live on in dist/.
  rmSync(inProject('dist'), { recursive: true, force: true });
  try {
    const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
    await step('compiling', () => run(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: projectRoot }));
  } catch (error) {
    throw new SetupFailure(`the sources do not compile. ${error.message}\nRepair what is named above; npm run typecheck shows all of it.`);
  }
  mkdirSync(inProject('dist'), { recursive: true });
  writeFileSync(STAMP, builtFrom);
}
