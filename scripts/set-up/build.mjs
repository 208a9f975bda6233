// dist/ as the sources are now, with the workflow code in one file for the workers.

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { withProjectLock } from './cache.mjs';
import { hashOf, inProject, projectRoot, readIfExists } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

const FOLDERS = ['src', 'workflows', 'activities', 'migrations', 'scripts'];
// What the demo is compiled against is the client's.
const SOURCES = [...FOLDERS, 'packages/client/src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
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
  try {
    const tsc = inProject('node_modules', 'typescript', 'bin', 'tsc');
    await step('compiling', () => run(process.execPath, [tsc, '-p', inProject('scripts', 'start')], { cwd: projectRoot }));
    await step('bundling the workflows', () =>
      run(process.execPath, [inProject('dist', 'src', 'workflow-bundle.js')], { cwd: projectRoot }),
    );
  } catch (error) {
    throw new SetupFailure(`the sources do not compile. ${error.message}\nRepair what is named above; npm run typecheck shows all of it.`);
  }
  pruneDist('.');
  writeFileSync(STAMP, builtFrom);
}

/**
 * A migration or module that is gone must not live on in dist/. Done after compiling, which writes nothing when it fails:
 * a mistake in the sources leaves the last build whole.
 */
function pruneDist(folder) {
  for (const entry of readdirSync(inProject('dist', folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) pruneDist(path);
    else if (!hasSource(path)) rmSync(inProject('dist', path), { force: true });
  }
}

function hasSource(path) {
  if (path === './workflow-bundle.js') return true; // made of several
  const source = path.replace(/\.js(\.map)?$/, '.ts');
  return existsSync(inProject(source)) || (path.endsWith('.json') && existsSync(inProject(path)));
}
