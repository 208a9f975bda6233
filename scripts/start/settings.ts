import { ConfigError, loadConfig } from '../../src/config/config';
import { DEMO_RECEIVER_ORIGIN } from '../demo/receiver';
import { isProduction } from '../../src/config/production-settings';
import { readSecretFiles } from '../../src/config/secret-files';
import { newSecretsKey } from '../../src/security/secrets-keys';
import { SETTINGS } from '../../src/config/settings';
import { findFreePort, findListenError } from './ports';
import { SetupError } from './setup-error';

/** The webhook receiver in the guides. Its address is local and not HTTPS, so WEBHOOK_ALLOWED_ORIGINS must contain it. */
export const GUIDES_RECEIVER_ORIGIN = 'http://127.0.0.1:9000';

/** The settings of the processes. In `env`, a free port replaces each port that is set to 0. */
export type DevSettings = Awaited<ReturnType<typeof readSettings>>;

/**
 * Reads the settings of the processes, so mistakes are reported before anything starts.
 * @throws ConfigError that lists every problem
 */
export async function readSettings(environment: NodeJS.ProcessEnv) {
  const secrets = readSecretFiles(environment);
  if (secrets.problems.length > 0) throw new ConfigError(secrets.problems);
  // Turns off worker versioning. With it, Temporal gives tasks only to the current build, and `npm start` does not set one.
  const env: NodeJS.ProcessEnv = { ...secrets.env, TEMPORAL_BUILD_ID: '' };
  for (const variable of ['API_PORT', 'STUDIO_PORT', 'STORAGE_PORT']) {
    if (env[variable] === '0') env[variable] = String(await findFreePort());
  }
  env['NODE_ENV'] ||= 'development';
  if (!isProduction(env['NODE_ENV'])) env['WEBHOOK_ALLOWED_ORIGINS'] ??= [DEMO_RECEIVER_ORIGIN, GUIDES_RECEIVER_ORIGIN].join(',');
  const embedsPostgres = !env['DATABASE_URL'];
  const placeholders = {
    ...(embedsPostgres ? { DATABASE_URL: 'postgres://made-at-start' } : {}),
    ...(env['SECRETS_KEY'] ? {} : { SECRETS_KEY: newSecretsKey('made-at-start') }),
  };
  return {
    config: loadConfig({ ...env, ...placeholders }),
    env,
    managementPorts: choosePorts(env),
    /** False if DATABASE_URL names an external database. */
    embedsPostgres,
    /** False if TEMPORAL_ADDRESS names an external server. */
    embedsTemporal: !env['TEMPORAL_ADDRESS'],
    temporalPort: Number(env['TEMPORAL_PORT'] || SETTINGS.TEMPORAL_PORT.default),
    temporalUiPort: Number(env['TEMPORAL_UI_PORT'] || SETTINGS.TEMPORAL_UI_PORT.default),
  };
}

/** The processes of the service. */
export const SERVICES = ['api', 'worker', 'relay', 'inspector'] as const;

type ManagementPorts = Readonly<Record<(typeof SERVICES)[number], number>>;

/** MANAGEMENT_PORT and the following ports, one for each process. With port 0, each process takes a free port. */
function choosePorts({ MANAGEMENT_PORT: text }: NodeJS.ProcessEnv): ManagementPorts {
  const first = Number(text || SETTINGS.MANAGEMENT_PORT.default);
  if (first + SERVICES.length > 65_536)
    throw new SetupError('MANAGEMENT_PORT is too high; npm start also uses the next three ports, so set at most 65532');
  return Object.fromEntries(SERVICES.map((service, index) => [service, first === 0 ? 0 : first + index])) as ManagementPorts;
}

/**
 * Checks that every port is free.
 * @throws SetupError with one line for each used port and the setting that changes it
 */
export async function assertPortsFree({
  config,
  embedsTemporal,
  temporalPort,
  temporalUiPort,
  managementPorts,
}: DevSettings): Promise<void> {
  const { bindAddress, apiPort, studioPort, storagePort } = config;
  const listeners = [
    { variable: 'API_PORT', port: apiPort, host: bindAddress, what: 'the trade API' },
    { variable: 'STUDIO_PORT', port: studioPort, host: bindAddress, what: 'the studio API' },
  ];
  if (config.s3 === null) listeners.push({ variable: 'STORAGE_PORT', port: storagePort, host: bindAddress, what: 'the artwork storage' });
  if (embedsTemporal)
    listeners.push(
      { variable: 'TEMPORAL_PORT', port: temporalPort, host: '127.0.0.1', what: 'Temporal' },
      { variable: 'TEMPORAL_UI_PORT', port: temporalUiPort, host: '127.0.0.1', what: 'the Temporal Web UI' },
    );
  for (const [service, port] of Object.entries(managementPorts))
    listeners.push({ variable: 'MANAGEMENT_PORT', port, host: bindAddress, what: `metrics and health of the ${service}` });
  const problems: string[] = [];
  for (const { variable, port, host, what } of listeners) {
    const failure = await findListenError(port, host);
    if (failure === 'EADDRINUSE') problems.push(`port ${port} is in use; set ${variable} to another port for ${what}`);
    else if (failure !== undefined)
      problems.push(`${what} cannot listen on ${host} port ${port} (${failure}); see BIND_ADDRESS and ${variable}`);
  }
  if (problems.length > 0) throw new SetupError(problems.join('\n'));
}
