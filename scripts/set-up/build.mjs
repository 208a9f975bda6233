// The types of the APIs, the packages of packages/ and dist/, each built again when its sources have changed.

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, inProject, notesDir, projectRoot, readIfExists } from './project.mjs';
import { run, SetupFailure, step } from './report.mjs';

const node = (...args) => run(process.execPath, args, { cwd: projectRoot });

const TYPES = {
  name: 'types of the APIs',
  sources: ['src', 'packages/client/scripts/types.mjs'],
  outputs: ['packages/client/src/generated/trade.ts', 'packages/console/src/generated/studio.ts'],
  build: () => node('packages/client/scripts/types.mjs'),
};
const CLIENT = {
  name: 'client package',
  sources: ['src', 'scripts/build.mjs', 'package.json', 'tsconfig.json'].map((path) => `packages/client/${path}`),
  outputs: ['packages/client/dist/cjs/package.json'],
  build: () => node('packages/client/scripts/build.mjs'),
};
const CONSOLE = {
  name: 'console',
  sources: ['src', 'index.html', 'vite.config.ts', 'package.json', 'tsconfig.json'].map((path) => `packages/console/${path}`),
  outputs: ['packages/console/dist/index.html'],
  build: () => node('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'packages/console'),
};
/** The demo is compiled against the client's types. */
const SERVICE = {
  name: 'service',
  sources: ['src', 'workflows', 'activities', 'migrations', 'scripts', 'packages/client/src', 'tsconfig.json', 'tsconfig.build.json'],
  outputs: ['dist/workflow-bundle.js'],
  build: buildService,
};

/** For the compiler and the linter. */
export const ensureClient = () => ensureBuilt([TYPES, CLIENT]);

export const ensureBuild = () => ensureBuilt([TYPES, CLIENT, CONSOLE, SERVICE]);

async function ensureBuilt(parts) {
  for (const { name, sources, outputs, build } of parts) {
    const stamp = join(notesDir, `built-${name.replaceAll(' ', '-')}`);
    const builtFrom = hashOf([...sources, 'package-lock.json']);
    if (readIfExists(stamp) === builtFrom && outputs.every((output) => existsSync(inProject(output)))) continue;
    try {
      await step(`building the ${name}`, build);
    } catch (error) {
      throw new SetupFailure(`building the ${name} failed. ${error.message}\nnpm run typecheck shows every mistake in the sources.`);
    }
    writeFileSync(stamp, builtFrom);
  }
}

/** Compiles into another folder first: a mistake in the sources leaves the last build whole, and a deleted migration leaves dist/. */
async function buildService() {
  const compiled = join(notesDir, 'dist');
  rmSync(compiled, { recursive: true, force: true });
  // Source maps name the sources from here, because dist/ is compiled elsewhere.
  await node('node_modules/typescript/bin/tsc', '-p', 'scripts/start', '--outDir', compiled, '--sourceRoot', projectRoot);
  rmSync(inProject('dist'), { recursive: true, force: true });
  renameSync(compiled, inProject('dist'));
  await node('dist/src/workflow-bundle.js');
}
