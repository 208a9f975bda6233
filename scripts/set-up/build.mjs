// Builds the types of the APIs, the packages in packages/, and dist/. It rebuilds a part if the part's sources have changed.

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { hashOf, inProject, stampsDir, projectRoot, readIfExists } from './project.mjs';
import { run, step } from './report.mjs';

/** Without the NODE_ENV of the shell, which Vite would build for. */
const node = (...args) => run(process.execPath, args, { cwd: projectRoot, env: { ...process.env, NODE_ENV: 'production' } });

const TYPES = {
  name: 'types of the APIs',
  sources: ['src', 'packages/client/scripts/types.mjs'],
  outputs: ['packages/client/src/generated/trade.ts', 'packages/console/src/generated/studio.ts'],
  build: () => node('packages/client/scripts/types.mjs'),
};
const CLIENT = {
  name: 'client package',
  sources: ['src', 'scripts/build.mjs', 'package.json', 'tsconfig.json'].map((path) => `packages/client/${path}`),
  outputs: ['packages/client/dist'],
  build: () => node('packages/client/scripts/build.mjs'),
};
const CONSOLE = {
  name: 'console',
  sources: [
    'src/domain',
    ...['src', 'index.html', 'vite.config.ts', 'mantine-styles.ts', 'package.json', 'tsconfig.json'].map(
      (path) => `packages/console/${path}`,
    ),
  ],
  outputs: ['packages/console/dist'],
  build: () => node('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', 'packages/console'),
};
/** The demo is compiled against the client's types. */
const SERVICE = {
  name: 'service',
  sources: ['src', 'workflows', 'activities', 'migrations', 'scripts', 'packages/client/src', 'tsconfig.json', 'tsconfig.build.json'],
  outputs: ['dist'],
  build: buildService,
};

/** Builds the parts that the compiler and the linter need. */
export const ensureClient = () => ensureBuilt(TYPES, CLIENT);

export const ensureBuild = () => ensureBuilt(TYPES, CLIENT, CONSOLE, SERVICE);

async function ensureBuilt(...parts) {
  if (parts.every(isBuilt)) return;
  await withLock(async () => {
    for (const part of parts) if (!isBuilt(part)) await buildPart(part);
  });
}

const stampOf = ({ name }) => join(stampsDir, `built-${name.replaceAll(' ', '-')}`);
const sourcesHash = ({ sources }) => hashOf([...sources, 'package-lock.json']);

/** Also compares the outputs, because a checkout of another commit may have rebuilt them. */
function isBuilt(part) {
  return readIfExists(stampOf(part)) === `${sourcesHash(part)} ${hashOf(part.outputs)}`;
}

async function buildPart(part) {
  // The hash is computed before the build: if a source changes during the build, the next set-up builds again.
  const builtFrom = sourcesHash(part);
  await step(`building the ${part.name}`, part.build);
  writeFileSync(stampOf(part), `${builtFrom} ${hashOf(part.outputs)}`);
}

/** Compiles to a temporary folder, so a compile error leaves dist/ unchanged. Replacing dist/ removes deleted migrations. */
async function buildService() {
  const compiled = join(stampsDir, 'dist');
  rmSync(compiled, { recursive: true, force: true });
  // Source maps need the root of the sources, because the compiler writes to another folder than dist/.
  await node('node_modules/typescript/bin/tsc', '-p', 'scripts/start', '--outDir', compiled, '--sourceRoot', projectRoot);
  rmSync(inProject('dist'), { recursive: true, force: true });
  cpSync(compiled, inProject('dist'), { recursive: true }); // node_modules can be another volume
  await node('dist/src/temporal/workflow-bundle.js');
  await node('dist/src/cli/contract.js');
}
