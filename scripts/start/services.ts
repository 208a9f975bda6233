import { join } from 'node:path';
import { INSPECTOR_SETTINGS } from '../../src/settings';
import type { DataFolder } from './data-folder';
import { waitUntil } from './ports';
import type { ManagedProcess, ProcessManager } from './processes';
import { projectRoot } from './project';

const READY_TIMEOUT_MS = 90_000;

/** The levels of pino that the terminal shows. */
const LEVEL_NAMES: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** Environment variables that programs need besides settings: paths, locale and certificates. */
const SYSTEM_VARIABLES = /^(PATH|HOME|USER|LANG|LC_ALL|TZ|TMPDIR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

/** The environment of a process. The inspector gets only its own settings, because it starts programs that decode untrusted files. */
export function environmentOf(service: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (service !== 'inspector') return env;
  const settings: readonly string[] = INSPECTOR_SETTINGS;
  return Object.fromEntries(Object.entries(env).filter(([name]) => settings.includes(name) || SYSTEM_VARIABLES.test(name)));
}

/**
 * Starts a process of the service. Its log goes to a file; warnings go to the terminal as well.
 * @param service name of its file in src/processes and of its log file
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
 * Waits until every check of `GET /readyz` is ok. Its status is 200 earlier, because the API can work without some parts.
 * @param signal aborts the waiting when a service has ended
 * @throws SetupError with the last response if the service does not become ready in time
 */
export async function waitUntilReady(baseUrl: string, signal: AbortSignal): Promise<void> {
  const isReady = async () => {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const body = await response.text();
    const { data } = JSON.parse(body) as { data: { checks: Record<string, string> } };
    if (Object.values(data.checks).every((state) => state === 'ok')) return true;
    throw new Error(`GET /readyz returned ${response.status} ${body.slice(0, 500)}`);
  };
  await waitUntil('the API did not become ready', isReady, { timeoutMs: READY_TIMEOUT_MS, everyMs: 100, signal });
}

/** @returns the terminal text of a log line that is a warning or an error: JSON of pino, or text of Node and the Temporal SDK */
function formatTerminalLine(service: string, line: string): string | undefined {
  try {
    const { level, msg = '', err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
    const cause = err?.message === undefined || err.message === msg ? '' : `: ${err.message}`;
    return level in LEVEL_NAMES ? `[${service}] ${LEVEL_NAMES[level]} ${msg}${cause}` : undefined;
  } catch {
    return /\b(WARN|ERROR|FATAL)\b/.test(line) ? `[${service}] ${line}` : undefined;
  }
}
