// dist/ as the sources are now.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hashOf, inProject, projectRoot, readIfExists } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

const SOURCES = ['src', 'workflows', 'activities', 'migrations', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Runs the TypeScript compiler when the sources differ from those of the last build. */
export async function ensureBuild() {
  const wanted = hashOf(SOURCES);
  const stamp = inProject('dist', '.built-from');
  if (readIfExists(stamp) === wanted) return;
  // A migration or module that is gone must not live on in dist/.
  rmSync(inProject('dist'), { recursive: true, force: true });
  try {
    const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
    await step('compiling', () => run(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: projectRoot }));
  } catch (error) {
    throw new SetupFailure(`the sources do not compile. ${error.message}\nRepair what is named above; npm run typecheck shows all of it.`);
  }
  mkdirSync(inProject('dist'), { recursive: true });
  writeFileSync(stamp, wanted);
}
