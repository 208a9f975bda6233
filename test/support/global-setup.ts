import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../scripts/start/ports';
import { startPostgres } from '../../scripts/start/postgres';
import { temporaryFolder } from '../../scripts/start/postgres-account';
import { ProcessKeeper } from '../../scripts/start/processes';
import { startTemporalDevServer } from '../../scripts/start/temporal-dev-server';
import { createTemplateDatabase } from './template-database';

/** Everything that must be put away again after the run. */
export interface TestRun {
  folder: string;
  keeper: ProcessKeeper;
  /** Servers asked for, by path, started or starting. */
  started: Map<string, Promise<string>>;
  server: Server;
}

declare global {
  var testRun: TestRun | undefined;
}

/** Opens the run: a folder, and a small server that starts PostgreSQL and Temporal when a test process first asks for them. */
export default async function globalSetup(): Promise<void> {
  const run = await openRun();
  globalThis.testRun = run;
  // Test processes start with these. Their temporary files go with the folder, however they end.
  process.env['TEST_RUN_URL'] = `http://127.0.0.1:${(run.server.address() as AddressInfo).port}`;
  process.env['TEST_RUN_FOLDER'] = run.folder;
}

/** Stops what the run started and removes its folder. */
export async function closeRun(run: TestRun): Promise<void> {
  run.server.closeAllConnections();
  run.server.close();
  await Promise.allSettled(run.started.values());
  await run.keeper.stopAll();
  rmSync(run.folder, { recursive: true, force: true });
}

async function openRun(): Promise<TestRun> {
  const folder = temporaryFolder('trade-print-test-');
  const keeper = new ProcessKeeper(folder, 'temporary');
  const run: TestRun = { folder, keeper, started: new Map(), server: createServer() };
  serveStarts(run);
  await new Promise<void>((resolve) => {
    run.server.listen(0, '127.0.0.1', resolve);
  });
  return run;
}

const STARTS: Readonly<Record<string, (run: TestRun) => Promise<string>>> = {
  '/postgres': startSharedPostgres,
  '/temporal': startSharedTemporal,
};

function serveStarts(run: TestRun): void {
  run.server.on('request', (request, response) => {
    const path = request.url ?? '';
    const start = run.started.get(path) ?? STARTS[path]?.(run) ?? Promise.reject(new Error('unknown'));
    run.started.set(path, start);
    start.then(
      (text) => response.end(text),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
}

async function startSharedPostgres(run: TestRun): Promise<string> {
  const postgres = await startPostgres({
    clusterDir: join(run.folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await freePort(),
    logFile: join(run.folder, 'postgres.log'),
    // Nothing here needs to outlive a power cut.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    keeper: run.keeper,
  });
  const adminUrl = postgres.urlOf('postgres');
  await createTemplateDatabase(adminUrl);
  return adminUrl;
}

async function startSharedTemporal(run: TestRun): Promise<string> {
  const temporal = await startTemporalDevServer({
    port: await freePort(),
    logFile: join(run.folder, 'temporal.log'),
    keeper: run.keeper,
  });
  return temporal.address;
}
