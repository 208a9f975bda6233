import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { freePort } from '../../dev/ports';
import { startPostgres } from '../../dev/postgres';
import type { Account } from '../../dev/postgres-account';
import { firstEnterable, postgresAccount } from '../../dev/postgres-account';
import { postgresBinaries } from '../../dev/postgres-binaries';
import { ProcessKeeper } from '../../dev/process-keeper';
import { startTemporalDevServer } from '../../dev/temporal-dev-server';
import { findTool, toolPath } from '../../dev/tools';
import { WORKFLOW_BUNDLE } from '../../src/workflow-bundle';
import { createTemplateDatabase } from './template-database';

/** Everything that must be put away again after the run. */
export interface TestRun {
  folder: string;
  keeper: ProcessKeeper;
}

declare global {
  var testRun: TestRun | undefined;
}

/**
 * Once per run: one PostgreSQL, one Temporal server in memory, and one bundle of the workflow code. The tests learn of
 * them through `infrastructure.ts`.
 */
export default async function globalSetup(): Promise<void> {
  const account = postgresAccount();
  const run = openRun(account);
  globalThis.testRun = run;
  try {
    await Promise.all([providePostgres(run, account), provideTemporal(run), bundleWorkflows(run)]);
    provideTools();
  } catch (error) {
    await closeRun(run);
    throw error;
  }
}

/** Stops what the run started and removes its folder. */
export async function closeRun(run: TestRun): Promise<void> {
  await run.keeper.stopAll();
  rmSync(run.folder, { recursive: true, force: true });
}

/** The folder must be one that PostgreSQL's account can enter, and a TMPDIR may be somebody's own. */
function openRun(account: Account | undefined): TestRun {
  const parent = firstEnterable([tmpdir(), '/tmp', '/var/tmp'], account) ?? tmpdir();
  const folder = mkdtempSync(join(parent, 'trade-print-test-'));
  chmodSync(folder, 0o711);
  const keeper = new ProcessKeeper();
  keeper.removeIfWeDie(folder);
  return { folder, keeper };
}

async function providePostgres(run: TestRun, account: Account | undefined): Promise<void> {
  if (process.env['TEST_PG_ADMIN_URL'] === undefined) {
    const postgres = await startPostgres({
      binaries: postgresBinaries(account, () => run.folder),
      account,
      clusterDir: join(run.folder, 'postgres'),
      password: randomBytes(16).toString('hex'),
      port: await freePort(),
      logFile: join(run.folder, 'postgres.log'),
      // Nothing here needs to outlive a power cut.
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      keeper: run.keeper,
    });
    process.env['TEST_PG_ADMIN_URL'] = postgres.urlOf('postgres');
  }
  await createTemplateDatabase(process.env['TEST_PG_ADMIN_URL'] ?? '');
}

async function provideTemporal(run: TestRun): Promise<void> {
  if (process.env['TEST_TEMPORAL_ADDRESS'] !== undefined) return;
  const temporal = await startTemporalDevServer({
    executable: toolPath('temporal'),
    port: await freePort(),
    logFile: join(run.folder, 'temporal.log'),
    keeper: run.keeper,
  });
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
}

/** Bundling takes seconds, and all test files can use the same bundle. */
async function bundleWorkflows(run: TestRun): Promise<void> {
  const { code } = await bundleWorkflowCode({ ...WORKFLOW_BUNDLE, logger: new DefaultLogger('WARN') });
  const bundle = join(run.folder, 'workflow-bundle.js');
  writeFileSync(bundle, code);
  process.env['TEST_WORKFLOW_BUNDLE'] = bundle;
}

function provideTools(): void {
  const variables = { TEST_TIME_SKIPPING_SERVER: 'testServer', TEST_VERSITYGW: 'versitygw' } as const;
  for (const [variable, name] of Object.entries(variables)) {
    const tool = findTool(name);
    if (tool.path === undefined) process.env[`${variable}_PROBLEM`] = tool.problem;
    else process.env[variable] ??= tool.path;
  }
}
