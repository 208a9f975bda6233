import { join } from 'node:path';
import { INSPECTOR_SETTINGS } from '../../src/settings';
import type { DataFolder } from './data-folder';
import { waitUntil } from './ports';
import type { ManagedProcess, ProcessManager } from './processes';
import { projectRoot } from './project';

const READY_TIMEOUT_MS = 90_000;

/** pino's levels that the terminal shows. */
const LEVEL_NAMES: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** Environment variables that programs need besides the settings. */
const SYSTEM_VARIABLES = /^(PATH|HOME|USER|LANG|LC_ALL|TZ|TMPDIR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

/** The environment of one of our processes. The inspector gets its settings only: it starts programs that open other people's bytes. */
export function environmentOf(service: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (service !== 'inspector') return env;
  const settings: readonly string[] = INSPECTOR_SETTINGS;
  return Object.fromEntries(Object.entries(env).filter(([name]) => settings.includes(name) || SYSTEM_VARIABLES.test(name)));
}

/**
 * Starts one of our own processes; its log goes to a file, its warnings to the terminal as well.
 * @param service names its file in src/processes, its log file and its warnings
 */
export function startService(
  service: string,
  env: NodeJS.ProcessEnv,
  data: DataFolder,
  processManager: ProcessManager,
): Promise<ManagedProcess> {
  return processManager.start({
    name: service === 'api' ? 'the API' : `the ${service}`,
    command: process.execPath,
    args: ['--enable-source-maps', join(projectRoot, 'dist', 'src', 'processes', `${service}.js`)],
    env: environmentOf(service, env),
    logFile: join(data.logsDir, `${service}.log`),
    onLine: (line) => {
      const text = formatTerminalLine(service, line);
      if (text !== undefined) console.log(text);
    },
    stage: 2,
  });
}

/**
 * Waits until the studio API is ready, and prints if the disk has no room for artwork: everything else works without it.
 * @param signal aborted when a service has ended: then there is nothing to wait for
 * @throws SetupError with the last answer when it does not become ready in time
 */
export async function waitUntilReady(baseUrl: string, signal: AbortSignal): Promise<void> {
  const readChecks = async () => {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const body = await response.text();
    const { data } = JSON.parse(body) as { data: { status: string; checks: { storage: string } } };
    if (data.status === 'ready') return data.checks;
    throw new Error(`GET /readyz answers ${response.status} ${body.slice(0, 500)}`);
  };
  const options = { timeoutMs: READY_TIMEOUT_MS, everyMs: 100, signal };
  const { storage } = await waitUntil('the API did not become ready', readChecks, options);
  if (storage !== 'ok') console.warn(`[storage] WARN ${storage}`);
}

/** @returns the text for the terminal if the line of a log is a warning or worse: pino's JSON, or text of Node and the Temporal SDK */
function formatTerminalLine(service: string, line: string): string | undefined {
  try {
    const { level, msg = '', err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
    const cause = err?.message === undefined || err.message === msg ? '' : `: ${err.message}`;
    return level in LEVEL_NAMES ? `[${service}] ${LEVEL_NAMES[level]} ${msg}${cause}` : undefined;
  } catch {
    return /\b(WARN|ERROR|FATAL)\b/.test(line) ? `[${service}] ${line}` : undefined;
  }
}
