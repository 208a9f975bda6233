import { loadConfig } from '../../src/config';
import { DEMO_RECEIVER_ORIGIN } from '../demo/receiver';
import { isProduction } from '../../src/production-settings';
import { newSecretsKey } from '../../src/security/secrets-keys';
import { SETTINGS } from '../../src/settings';
import { findFreePort, findListenError } from './ports';
import { SetupError } from './setup-error';

/** The receiver in the guides. Like the demo's, it is neither public nor HTTPS, so it must be allowed explicitly. */
export const GUIDES_RECEIVER_ORIGIN = 'http://127.0.0.1:9000';

/** The settings of the processes. In `env`, a free port replaces each port that is set to 0. */
export type DevSettings = Awaited<ReturnType<typeof readSettings>>;

/**
 * Reads the settings of the processes, so mistakes are reported before anything starts.
 * @throws ConfigError that lists every problem
 */
export async function readSettings(environment: NodeJS.ProcessEnv) {
  // Worker versioning is off: Temporal gives tasks only to the current build, and no command here sets one.
  const env: NodeJS.ProcessEnv = { ...environment, TEMPORAL_BUILD_ID: '' };
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
    /** False if DATABASE_URL names an external database. */
    embedsPostgres,
    /** False if TEMPORAL_ADDRESS names an external server. */
    embedsTemporal: !env['TEMPORAL_ADDRESS'],
    temporalPort: Number(env['TEMPORAL_PORT'] || SETTINGS.TEMPORAL_PORT.default),
    temporalUiPort: Number(env['TEMPORAL_UI_PORT'] || SETTINGS.TEMPORAL_UI_PORT.default),
  };
}

/**
 * Checks that every port is free.
 * @throws SetupError with one line for each used port and the setting that changes it
 */
export async function assertPortsFree({ config, embedsTemporal, temporalPort, temporalUiPort }: DevSettings): Promise<void> {
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
  const problems: string[] = [];
  for (const { variable, port, host, what } of listeners) {
    const failure = await findListenError(port, host);
    if (failure === 'EADDRINUSE') problems.push(`port ${port} is in use; set ${variable} to another port for ${what}`);
    else if (failure !== undefined)
      problems.push(`${what} cannot listen on ${host} port ${port} (${failure}); see BIND_ADDRESS and ${variable}`);
  }
  if (problems.length > 0) throw new SetupError(problems.join('\n'));
}
