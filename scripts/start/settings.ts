import { loadConfig } from '../../src/config';
import { DEMO_RECEIVER_ORIGIN } from '../demo/receiver';
import { isProduction } from '../../src/production-settings';
import { newSecretsKey } from '../../src/security/secrets-keys';
import { SETTINGS } from '../../src/settings';
import { findFreePort, findListenError } from './ports';
import { SetupError } from './setup-error';

/** Where the guides have their readers run a receiver; like the demo's it is neither public nor HTTPS. */
export const GUIDES_RECEIVER_ORIGIN = 'http://127.0.0.1:9000';

/** `env` is what the processes get, with ports filled in that were 0. */
export type DevSettings = Awaited<ReturnType<typeof readSettings>>;

/**
 * Reads the same settings as the processes we start, so that a mistake is told before anything runs.
 * @throws ConfigError with every problem at once
 */
export async function readSettings(environment: NodeJS.ProcessEnv) {
  const env: NodeJS.ProcessEnv = { ...environment, TEMPORAL_BUILD_ID: '' }; // one build runs, and nothing sets it current
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
    /** False when DATABASE_URL names a database: then we start none. */
    embedsPostgres,
    /** False when TEMPORAL_ADDRESS names a server: then we start none. */
    embedsTemporal: !env['TEMPORAL_ADDRESS'],
    temporalPort: Number(env['TEMPORAL_PORT'] || SETTINGS.TEMPORAL_PORT.default),
    temporalUiPort: Number(env['TEMPORAL_UI_PORT'] || SETTINGS.TEMPORAL_UI_PORT.default),
  };
}

/**
 * Makes sure that every port we need is free.
 * @throws SetupError with one line for each that is not, naming the setting that moves it
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
    if (failure === 'EADDRINUSE') problems.push(`port ${port} is taken; set ${variable} to move ${what}`);
    else if (failure !== undefined)
      problems.push(`${what} cannot listen on ${host} port ${port} (${failure}); see BIND_ADDRESS and ${variable}`);
  }
  if (problems.length > 0) throw new SetupError(problems.join('\n'));
}
