// `node scripts/set-up/prepare.mjs <purpose>` prepares this checkout for one of PURPOSES. package.json runs it before each command. If
// nothing is missing, it prints nothing. It needs only Node until the npm packages are installed.

import { ensureBuild, ensureClient } from './build.mjs';
import { ensurePackages } from './packages.mjs';
import { SetupFailure } from './report.mjs';
import {
  ensureGenerators,
  ensurePgBouncer,
  ensurePictures,
  ensurePythonClient,
  ensureSchemathesis,
  ensureTemporal,
  ensureTestServer,
  ensureVersitygw,
} from './tools.mjs';

const OLDEST_NODE = [20, 19];

const TEST = [ensureBuild, ensureTemporal, ensureTestServer, ensureVersitygw];
/** What each purpose needs besides npm packages. These steps run in parallel. */
const PURPOSES = {
  client: [ensureClient],
  build: [ensureBuild],
  start: process.env.TEMPORAL_ADDRESS ? [ensureBuild] : [ensureBuild, ensureTemporal],
  bench: [ensureTemporal],
  contract: [ensureBuild, ensureTemporal, ensureSchemathesis],
  test: TEST,
  proofs: [...TEST, ensurePictures, ensureSchemathesis, ensurePythonClient],
  pgbouncer: [...TEST, ensurePgBouncer],
  generators: [...TEST, ensureGenerators],
};

async function prepare(purpose) {
  const needed = PURPOSES[purpose];
  if (needed === undefined) throw new SetupFailure(`unknown purpose "${purpose}"; one of: ${Object.keys(PURPOSES).join(', ')}`);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    throw new SetupFailure(`Node ${process.versions.node} is too old; install ${OLDEST_NODE.join('.')} or later: https://nodejs.org`);
  await ensurePackages();
  await Promise.all(needed.map((ensure) => ensure()));
}

// 'exit' handlers stop the child processes of an interrupted step and release its lock.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

prepare(process.argv[2] ?? 'start').catch((error) => {
  console.error(`\n[set-up] FAILED: ${error instanceof SetupFailure ? error.message : error.stack}`);
  process.exit(1);
});
