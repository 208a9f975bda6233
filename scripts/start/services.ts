import { join } from 'node:path';
import { INSPECTOR_SETTINGS } from '../../src/config/settings';
import type { DataFolder } from './data-folder';
import { waitUntil } from './ports';
import type { ManagedProcess, ProcessManager } from './processes';
import { projectRoot } from './project';

const READY_TIMEOUT_MS = 90_000;

/** The log levels of pino that the terminal shows. */
const LEVEL_NAMES: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** Environment variables that programs need besides the settings. */
const SYSTEM_VARIABLES = /^(PATH|HOME|USER|LANG|LC_ALL|TZ|TMPDIR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;

/** The environment of a service. The inspector gets only its own settings, because it starts programs that open files of clients. */
export function environmentOf(service: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (service !== 'inspector') return env;
  const settings: readonly string[] = INSPECTOR_SETTINGS;
  return Object.fromEntries(Object.entries(env).filter(([name]) => settings.includes(name) || SYSTEM_VARIABLES.test(name)));
}

/**
 * Starts a service. Its log goes to a file, and its warnings also go to the terminal.
 * @param service the name of its file in src/processes, of its log file, and in its warnings
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
 * Waits until the studio API and the workers are ready.
 * @param signal aborted if a service has ended, because the API cannot become ready then
 * @throws SetupError with the last response if the API does not become ready in time
 */
export async function waitUntilReady(baseUrl: string, signal: AbortSignal): Promise<void> {
  const readStatus = async () => {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const body = await response.text();
    const { data } = JSON.parse(body) as { data: { status: string; checks: Record<string, string> } };
    if (data.status === 'ready' && data.checks['temporal'] === 'ok' && data.checks['workers'] === 'ok') return true;
    throw new Error(`GET /readyz returned ${response.status} ${body.slice(0, 500)}`);
  };
  const options = { timeoutMs: READY_TIMEOUT_MS, everyMs: 100, signal };
  await waitUntil('the API did not become ready', readStatus, options);
}

/**
 * Formats a log line for the terminal; undefined below the level of a warning. The line is pino's JSON, or text of Node or the Temporal
 * SDK.
 */
function formatTerminalLine(service: string, line: string): string | undefined {
  try {
    const { level, msg = '', err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } };
    const cause = err?.message === undefined || err.message === msg ? '' : `: ${err.message}`;
    return level in LEVEL_NAMES ? `[${service}] ${LEVEL_NAMES[level]} ${msg}${cause}` : undefined;
  } catch {
    return /\b(WARN|ERROR|FATAL)\b/.test(line) ? `[${service}] ${line}` : undefined;
  }
}
