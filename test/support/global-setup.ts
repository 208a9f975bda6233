import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { excludeLoopbackFromProxy } from '../../scripts/start/loopback';
import { findFreePort } from '../../scripts/start/ports';
import { startPostgres } from '../../scripts/start/postgres';
import { createTemporaryFolder } from '../../scripts/start/postgres-account';
import { ProcessManager } from '../../scripts/start/processes';
import { startTemporalDevServer } from '../../scripts/start/temporal-dev-server';
import { SETTING_NAMES } from '../../src/config/settings';
import { recordIndexReadsOfServer } from './index-reads';
import { createTemplateDatabase } from './template-database';

/** Everything that must be removed after the run. */
export interface TestRun {
  folder: string;
  processManager: ProcessManager;
  /** Requested servers by path, started or starting. */
  serverStarts: Map<string, Promise<string>>;
  server: Server;
}

declare global {
  var testRun: TestRun | undefined;
}

/** Opens the run: a folder, and a small server that starts PostgreSQL and Temporal at the first request of a test process. */
export default async function globalSetup(): Promise<void> {
  clearEnvironment();
  const run = await openTestRun();
  globalThis.testRun = run;
  // Environment of the test processes. Their temporary files are deleted with the folder, also after a crash.
  process.env['TEST_RUN_URL'] = `http://127.0.0.1:${(run.server.address() as AddressInfo).port}`;
  process.env['TEST_RUN_FOLDER'] = run.folder;
}

/** Variables of other programs that change what `pg`, the AWS SDK and OpenTelemetry do. */
const OF_LIBRARIES = /^(?:PG|AWS_|OTEL_)/;

/** Removes settings of the person's shell, which the tested processes would inherit. A proxy is not asked about this machine. */
function clearEnvironment(): void {
  const settings = new Set<string>(SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`]));
  for (const name of Object.keys(process.env)) if (settings.has(name) || OF_LIBRARIES.test(name)) delete process.env[name];
  process.env['NODE_ENV'] = 'test';
  excludeLoopbackFromProxy();
}

/** Stops the servers of the run and removes its folder. */
export async function closeTestRun(run: TestRun): Promise<void> {
  run.server.closeAllConnections();
  run.server.close();
  await Promise.allSettled(run.serverStarts.values());
  const postgres = await run.serverStarts.get('/postgres')?.catch(() => undefined);
  if (postgres !== undefined) await recordIndexReadsOfServer(postgres);
  await run.processManager.stopAll();
  rmSync(run.folder, { recursive: true, force: true });
}

async function openTestRun(): Promise<TestRun> {
  const folder = createTemporaryFolder('trade-print-test-', memoryFolder());
  const processManager = new ProcessManager(folder, 'temporary');
  const run: TestRun = { folder, processManager, serverStarts: new Map(), server: createServer() };
  handleStartRequests(run);
  await new Promise<void>((resolve) => {
    run.server.listen(0, '127.0.0.1', resolve);
  });
  return run;
}

const MEMORY_BYTES = 4 * 1024 ** 3;

/**
 * /dev/shm, if it and the free memory are large and programs may run there. On a disk, each test database costs three times as much CPU.
 */
function memoryFolder(): string | undefined {
  try {
    const [, , , options = 'noexec'] = /^\S+ (\/dev\/shm) (\S+) (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    const { bavail, bsize } = statfsSync('/dev/shm');
    return !options.split(',').includes('noexec') && Math.min(bavail * bsize, process.availableMemory()) >= MEMORY_BYTES
      ? '/dev/shm'
      : undefined;
  } catch {
    return undefined; // not Linux
  }
}

const SERVER_STARTERS: Readonly<Record<string, (run: TestRun) => Promise<string>>> = {
  '/postgres': startSharedPostgres,
  '/temporal': startSharedTemporal,
};

function handleStartRequests(run: TestRun): void {
  run.server.on('request', (request, response) => {
    const path = request.url ?? '';
    const start = run.serverStarts.get(path) ?? SERVER_STARTERS[path]?.(run) ?? Promise.reject(new Error('unknown'));
    run.serverStarts.set(path, start);
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
    port: await findFreePort(),
    logFile: join(run.folder, 'postgres.log'),
    // The data need not survive a power cut.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '256MB',
      autovacuum: 'off',
      max_connections: '300',
    },
    processManager: run.processManager,
  });
  const adminUrl = postgres.urlOf('postgres');
  await createTemplateDatabase(adminUrl);
  return adminUrl;
}

async function startSharedTemporal(run: TestRun): Promise<string> {
  const temporal = await startTemporalDevServer({
    port: await findFreePort(),
    logFile: join(run.folder, 'temporal.log'),
    processManager: run.processManager,
  });
  return temporal.address;
}
