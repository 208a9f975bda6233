import { join } from 'node:path';
import { INSPECTOR_SETTINGS } from '../../src/settings';
import type { DataFolder } from './data-folder';
import { ManagedProcess } from './managed-process';
import { until } from './ports';
import type { ProcessKeeper } from './process-keeper';
import { projectRoot } from './project';
import { terminalLine } from './service-log';
import { requireBuilt } from './settings';
import { SetupError } from './setup-error';

const READY_TIMEOUT_MS = 90_000;

export interface Service {
  /** "api": its file in src/processes, its log file and the label of its warnings. */
  key: string;
  /** "the API", in sentences. */
  name: string;
}

export const API: Service = { key: 'api', name: 'the API' };
export const WORKER: Service = { key: 'worker', name: 'the worker' };
export const RELAY: Service = { key: 'relay', name: 'the relay' };
export const INSPECTOR: Service = { key: 'inspector', name: 'the inspector' };

/** What programs need of the environment besides settings: where things are, and how to reach others. */
const SYSTEM_VARIABLES = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** The environment of one of our processes. The inspector gets its settings only: it starts programs that open other people's bytes. */
export function environmentOf(service: Service, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (service !== INSPECTOR) return env;
  const names = new Set<string>([...INSPECTOR_SETTINGS, ...SYSTEM_VARIABLES]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.has(name)));
}

/** Starts one of our own processes; its log goes to a file, its warnings to the terminal as well. */
export function startService(service: Service, env: NodeJS.ProcessEnv, data: DataFolder, keeper: ProcessKeeper): Promise<ManagedProcess> {
  return ManagedProcess.start({
    name: service.name,
    command: process.execPath,
    args: ['--enable-source-maps', requireBuilt(join(projectRoot, 'dist', 'src', 'processes', `${service.key}.js`))],
    env: environmentOf(service, env),
    logFile: join(data.logsDir, `${service.key}.log`),
    onLine: (line) => {
      const shown = terminalLine(service.key, line);
      if (shown !== undefined) console.log(shown);
    },
    stage: 2,
    keeper,
  });
}

/**
 * Waits until GET <baseUrl>/readyz answers 200 and says that every part is there: the API alone is ready without some.
 * @param signal aborted when a service has ended: then there is nothing to wait for
 * @throws SetupError with the last answer when it does not become ready in time
 */
export async function whenReady(baseUrl: string, signal: AbortSignal): Promise<void> {
  try {
    await until('the API did not become ready', () => askReadiness(baseUrl), { timeoutMs: READY_TIMEOUT_MS, everyMs: 100, signal });
  } catch (error) {
    throw new SetupError((error as Error).message);
  }
}

async function askReadiness(baseUrl: string): Promise<true> {
  const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
  const body = await response.text();
  if (response.status === 200 && everyPartIsThere(body)) return true;
  throw new Error(`GET /readyz answers ${response.status} ${body.slice(0, 500)}`);
}

function everyPartIsThere(body: string): boolean {
  const { data } = JSON.parse(body) as { data: { checks: Record<string, string> } };
  const { storage: _room, ...parts } = data.checks; // a full disk refuses uploads, and the rest works
  return Object.values(parts).every((state) => state === 'ok');
}
