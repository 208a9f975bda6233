import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { ManagedProcess } from '../dev/managed-process';
import { listenFailure, until } from '../dev/ports';
import { ensureDatabase } from '../dev/postgres';
import { SetupError } from '../dev/setup-error';
import { registerSearchAttributes } from '../src/temporal/search-attributes';
import { currentServerConfig, DYNAMIC_CONFIG, type ServerPorts } from './current-server-config';
import type { Database, Site } from './site';
import type { RunningServer } from './temporal';

const NAMESPACE = 'default';
const RETENTION = msToTs('24h');
const SCHEMAS = { temporal: 'postgresql/v12/temporal', temporal_visibility: 'postgresql/v12/visibility' };
const START_TIMEOUT_MS = 60_000;

/** A current Temporal server, all its services in one process, with its two databases beside the service's own. */
export async function startCurrentServer(site: Site, database: Database): Promise<RunningServer> {
  const programs = process.env['BENCH_TEMPORAL_SERVER'];
  if (programs === undefined) throw new SetupError('the current Temporal server has not been set up; run: npm run bench');
  await Promise.all(Object.entries(SCHEMAS).map(([name, schema]) => makeSchema(join(programs, 'sql'), database, name, schema)));
  const ports = await somePorts();
  const address = `127.0.0.1:${ports.frontend}`;
  const server = await ManagedProcess.start({
    name: 'the Temporal server',
    command: join(programs, 'server'),
    args: ['--config-file', writeConfig(site, database, ports), '--allow-no-auth', 'start'],
    cwd: site.folder,
    logFile: join(site.folder, 'temporal.log'),
    stage: 1,
    graceMs: 20_000,
    keeper: site.keeper,
  });
  try {
    await prepareNamespace(address, NAMESPACE, server.endSignal);
  } catch (error) {
    if (server.hasEnded()) throw new SetupError(await server.describeEnd());
    throw new Error(`${(error as Error).message}\n${server.lastLines()}`, { cause: error });
  }
  return { process: server, address, metricsPort: ports.metrics };
}

async function makeSchema(tool: string, database: Database, name: string, schema: string): Promise<void> {
  await ensureDatabase(database.urlOf('postgres'), name);
  const env = {
    ...process.env,
    SQL_HOST: '127.0.0.1',
    SQL_PORT: String(database.port),
    SQL_USER: 'postgres',
    SQL_PASSWORD: database.password,
    SQL_PLUGIN: 'postgres12',
    SQL_DATABASE: name,
  };
  await promisify(execFile)(tool, ['setup-schema', '--version', '0.0'], { env });
  await promisify(execFile)(tool, ['update-schema', '--schema-name', schema], { env });
}

/** Ten neighbours that are free. The server keeps its ports in PostgreSQL's smallint, so none may be above 32767. */
async function somePorts(): Promise<ServerPorts> {
  const first = randomInt(16_000, 32_000);
  const ports = Array.from({ length: 10 }, (_, index) => first + index);
  const failures = await Promise.all(ports.map((port) => listenFailure(port, '127.0.0.1')));
  if (failures.some((failure) => failure !== undefined)) return somePorts();
  const [frontend, metrics, ...rest] = ports as [number, number, ...number[]];
  return { frontend, metrics, rest };
}

/** JSON is YAML too. */
function writeConfig({ folder }: Site, database: Database, ports: ServerPorts): string {
  const home = join(folder, 'temporal');
  mkdirSync(home);
  const dynamicConfig = join(home, 'dynamic-config.yaml');
  writeFileSync(dynamicConfig, JSON.stringify(DYNAMIC_CONFIG));
  const file = join(home, 'config.yaml');
  writeFileSync(file, JSON.stringify(currentServerConfig(database, ports, dynamicConfig)), { mode: 0o600 });
  return file;
}

/** A namespace with our search attributes; the server takes some seconds until all its services know of both. */
export async function prepareNamespace(address: string, namespace: string, signal?: AbortSignal): Promise<void> {
  const wait = { timeoutMs: START_TIMEOUT_MS, everyMs: 200, ...(signal === undefined ? {} : { signal }) };
  const connection = await until('Temporal did not answer', () => Connection.connect({ address, connectTimeout: '2s' }), wait);
  try {
    await until(
      'the namespace was not registered',
      async () => {
        await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: RETENTION });
        return true;
      },
      wait,
    );
    await until(
      'the search attributes were not registered',
      () => registerSearchAttributes({ address, namespace, apiKey: null, tls: null, uiUrl: null }),
      wait,
    );
    await until(
      'the search attributes did not become known',
      async () => {
        await connection.workflowService.countWorkflowExecutions({ namespace, query: "OrderNumber = 'none' AND OrderStatus = 'none'" });
        return true;
      },
      wait,
    );
  } finally {
    await connection.close();
  }
}
