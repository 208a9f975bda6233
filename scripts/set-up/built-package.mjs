// The packages of packages/: the types that they have of the APIs, then each built into its dist/ as its sources are now.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withProjectLock } from './cache.mjs';
import { hashOf, inProject, notesDir, projectRoot, readIfExists } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

/** What is built, how, and by what one sees that it has been. `sources` and `proofs` are paths below `folder`. */
const TYPES = {
  name: 'types of the APIs',
  folder: '.',
  sources: ['src', 'packages/client/scripts/types.mjs'],
  proofs: ['packages/client/src/generated/trade.ts', 'packages/console/src/generated/studio.ts'],
  stamp: 'types-made-from',
  command: [inProject('packages/client/scripts/types.mjs')],
};
const CLIENT = {
  name: 'client package',
  folder: 'packages/client',
  sources: ['src', 'scripts/build.mjs', 'package.json', 'tsconfig.json'],
  proofs: ['dist/cjs/package.json'],
  stamp: 'client-built-from',
  command: [inProject('packages/client/scripts/build.mjs')],
};
const CONSOLE = {
  name: 'console',
  folder: 'packages/console',
  sources: ['src', 'index.html', 'vite.config.ts', 'package.json', 'tsconfig.json'],
  proofs: ['dist/index.html'],
  stamp: 'console-built-from',
  command: [inProject('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn', inProject('packages/console')],
};

/** Makes the types of the APIs anew where the sources of the service differ from those of the last time; a few seconds. */
export const ensureTypes = () => ensure(TYPES);

/** Builds the client where its sources differ from those of the last build; a second or two. */
export const ensureClient = () => ensure(CLIENT);

/** Builds the console where its sources differ from those of the last build; a few seconds. The studio listener serves it. */
export const ensureConsole = () => ensure(CONSOLE);

async function ensure(built) {
  if (isBuilt(built)) return;
  await withProjectLock(async () => {
    if (!isBuilt(built)) await build(built);
  });
}

const sourcesOf = ({ folder, sources }) => [...sources.map((path) => `${folder}/${path}`), 'package-lock.json'];
const stampOf = ({ stamp }) => join(notesDir, stamp);

function isBuilt(built) {
  return (
    built.proofs.every((proof) => existsSync(inProject(built.folder, proof))) && readIfExists(stampOf(built)) === hashOf(sourcesOf(built))
  );
}

async function build(built) {
  const builtFrom = hashOf(sourcesOf(built));
  try {
    await step(`building the ${built.name}`, () => run(process.execPath, built.command, { cwd: projectRoot }));
  } catch (error) {
    throw new SetupFailure(`building the ${built.name} failed. ${error.message}`);
  }
  mkdirSync(notesDir, { recursive: true });
  writeFileSync(stampOf(built), builtFrom);
}
