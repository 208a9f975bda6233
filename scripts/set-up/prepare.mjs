// Makes this checkout ready: `node scripts/set-up/prepare.mjs <purpose>`, one of PURPOSES. package.json calls it before each command.
// It prints nothing and takes a moment when nothing is missing. It uses only Node, because it runs before anything is installed.

import { ensureBuild } from './build.mjs';
import { ensureClient, ensureConsole, ensureTypes } from './built-package.mjs';
import { ensurePackages } from './packages.mjs';
import { SetupFailure } from './report.mjs';
import { ensureSchemathesis } from './schemathesis.mjs';
import { ensureTemporal, ensureTestServer } from './temporal-tools.mjs';
import { ensureVersitygw } from './tools.mjs';

const OLDEST_NODE = [20, 19];

const PURPOSES = {
  async start() {
    await ensurePackages();
    await Promise.all([ensurePackagesOfOurs().then(ensureBuild), ensureTemporalToRun()]);
  },
  async contract() {
    await ensurePackages();
    await Promise.all([ensurePackagesOfOurs().then(ensureBuild), ensureTemporal(), ensureSchemathesis()]);
  },
  async proofs() {
    await PURPOSES.test();
    await ensureSchemathesis();
  },
  /** What the compiler and the linter need. */
  async client() {
    await ensurePackages();
    await ensureTypes();
    await ensureClient();
  },
  async build() {
    await ensurePackages();
    await ensurePackagesOfOurs();
    await ensureBuild();
  },
  /** versitygw takes longest and needs nothing of the others. */
  async test() {
    const packages = ensurePackages();
    await Promise.all([
      ensureVersitygw(packages),
      packages.then(ensurePackagesOfOurs).then(ensureBuild),
      packages.then(ensureTemporal).then(ensureTestServer),
    ]);
  },
};

async function ensurePackagesOfOurs() {
  await ensureTypes();
  await ensureClient();
  await ensureConsole();
}

async function ensureTemporalToRun() {
  if (!process.env.TEMPORAL_ADDRESS) await ensureTemporal();
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new SetupFailure(`this is Node ${process.versions.node}, and ${OLDEST_NODE.join('.')} or later is needed: https://nodejs.org`);
}

async function prepare(purpose) {
  if (!Object.hasOwn(PURPOSES, purpose))
    throw new SetupFailure(`unknown purpose "${purpose}"; one of: ${Object.keys(PURPOSES).join(', ')}`);
  checkNode();
  await PURPOSES[purpose]();
}

// An interrupted step takes its child processes and its lock with it: both hang on 'exit'.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

prepare(process.argv[2] ?? 'start').catch((error) => {
  console.error(`\n[set-up] FAILED: ${error instanceof SetupFailure ? error.message : error.stack}`);
  process.exit(1);
});
