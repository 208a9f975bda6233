// Makes this checkout ready: `node scripts/set-up/prepare.mjs <purpose>`, one of PURPOSES. package.json calls it before each command.
// It prints nothing and takes a moment when nothing is missing. It uses only Node until the npm packages are installed.

import { ensureBuild, ensureClient } from './build.mjs';
import { ensurePackages } from './packages.mjs';
import { SetupFailure } from './report.mjs';
import { ensurePythonClient, ensureSchemathesis, ensureTemporal, ensureTestServer, ensureVersitygw } from './tools.mjs';

const OLDEST_NODE = [20, 19];

const TEST = [ensureBuild, ensureTemporal, ensureTestServer, ensureVersitygw];
/** What each purpose needs besides npm packages; made in parallel. */
const PURPOSES = {
  client: [ensureClient],
  build: [ensureBuild],
  start: process.env.TEMPORAL_ADDRESS ? [ensureBuild] : [ensureBuild, ensureTemporal],
  bench: [ensureTemporal],
  contract: [ensureBuild, ensureTemporal, ensureSchemathesis],
  test: TEST,
  proofs: [...TEST, ensureSchemathesis, ensurePythonClient],
};

async function prepare(purpose) {
  const needed = PURPOSES[purpose];
  if (needed === undefined) throw new SetupFailure(`unknown purpose "${purpose}"; one of: ${Object.keys(PURPOSES).join(', ')}`);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    throw new SetupFailure(`this is Node ${process.versions.node}, and ${OLDEST_NODE.join('.')} or later is needed: https://nodejs.org`);
  await ensurePackages();
  await Promise.all(needed.map((ensure) => ensure()));
}

// An interrupted step takes its child processes and its lock with it: both hang on 'exit'.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

prepare(process.argv[2] ?? 'start').catch((error) => {
  console.error(`\n[set-up] FAILED: ${error instanceof SetupFailure ? error.message : error.stack}`);
  process.exit(1);
});
