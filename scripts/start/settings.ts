import { loadConfig, type Config } from '../../src/config';
import { DEMO_RECEIVER_ORIGIN } from '../demo/receiver';
import { isProduction } from '../../src/production-settings';
import { newSecretsKey } from '../../src/security/secrets-keys';
import { SETTINGS } from '../../src/settings';
import { freePort, listenFailure } from './ports';
import { SetupError } from './setup-error';

/** Where the guides have their readers run a receiver; like the demo's it is neither public nor HTTPS. */
export const GUIDES_RECEIVER_ORIGIN = 'http://127.0.0.1:9000';

/** A port that `npm start` or one of its parts will listen on. */
interface PortUse {
  variable: string;
  port: number;
  host: string;
  what: string;
}

export interface DevSettings {
  config: Config;
  /** What was set, as the children get it, ports that were 0 filled in. */
  env: NodeJS.ProcessEnv;
  /** False when DATABASE_URL names a database: then we start none. */
  embedsPostgres: boolean;
  /** False when TEMPORAL_ADDRESS names a server: then we start none. */
  embedsTemporal: boolean;
  temporalPort: number;
  temporalUiPort: number;
}

/**
 * Reads the same settings as the processes we start, so that a mistake is told before anything runs.
 * @throws ConfigError with every problem at once
 */
export async function readSettings(given: NodeJS.ProcessEnv): Promise<DevSettings> {
  const env: NodeJS.ProcessEnv = { ...given, TEMPORAL_BUILD_ID: '' }; // one build runs, and nothing sets it current
  for (const variable of ['API_PORT', 'STUDIO_PORT', 'STORAGE_PORT']) {
    if (env[variable] === '0') env[variable] = String(await freePort());
  }
  env['NODE_ENV'] ||= 'development';
  if (!isProduction(env['NODE_ENV'])) env['WEBHOOK_ALLOWED_ORIGINS'] ??= [DEMO_RECEIVER_ORIGIN, GUIDES_RECEIVER_ORIGIN].join(',');
  const embedsPostgres = !env['DATABASE_URL'];
  const madeAtStart = {
    ...(embedsPostgres ? { DATABASE_URL: 'postgres://made-at-start' } : {}),
    ...(env['SECRETS_KEY'] ? {} : { SECRETS_KEY: newSecretsKey('made-at-start') }),
  };
  return {
    config: loadConfig({ ...env, ...madeAtStart }),
    env,
    embedsPostgres,
    embedsTemporal: !env['TEMPORAL_ADDRESS'],
    temporalPort: Number(env['TEMPORAL_PORT'] || SETTINGS.TEMPORAL_PORT.default),
    temporalUiPort: Number(env['TEMPORAL_UI_PORT'] || SETTINGS.TEMPORAL_UI_PORT.default),
  };
}

/**
 * Makes sure that every port we need is free.
 * @throws SetupError with one line for each that is not, naming the setting that moves it
 */
export async function checkPorts(settings: DevSettings): Promise<void> {
  const uses = portUses(settings);
  const problems: string[] = [];
  for (const [index, use] of uses.entries()) {
    const twin = uses.slice(0, index).find((earlier) => earlier.port === use.port);
    if (twin !== undefined) problems.push(`${twin.variable} and ${use.variable} are both ${use.port}; set one of them to another port`);
    else problems.push(...explain(use, await listenFailure(use.port, use.host)));
  }
  if (problems.length > 0) throw new SetupError(problems.join('\n'));
}

function portUses({ config, embedsTemporal, temporalPort, temporalUiPort }: DevSettings): PortUse[] {
  const host = config.bindAddress;
  const local = '127.0.0.1';
  return [
    { variable: 'API_PORT', port: config.apiPort, host, what: 'the trade API' },
    { variable: 'STUDIO_PORT', port: config.studioPort, host, what: 'the studio API' },
    ...(config.s3 === null ? [{ variable: 'STORAGE_PORT', port: config.storagePort, host, what: 'the artwork storage' }] : []),
    ...(embedsTemporal
      ? [
          { variable: 'TEMPORAL_PORT', port: temporalPort, host: local, what: 'Temporal' },
          { variable: 'TEMPORAL_UI_PORT', port: temporalUiPort, host: local, what: 'the Temporal Web UI' },
        ]
      : []),
  ];
}

function explain({ variable, port, host, what }: PortUse, failure: string | undefined): string[] {
  if (failure === undefined) return [];
  const known: Record<string, string> = {
    EADDRINUSE: `port ${port} is taken; set ${variable} to move ${what}`,
    EACCES: `port ${port} needs privileges this user does not have; set ${variable} to move ${what}`,
    EADDRNOTAVAIL: `BIND_ADDRESS ${host} is not an address of this machine, so ${what} cannot listen there`,
  };
  return [known[failure] ?? `${what} cannot listen on ${host} port ${port} (${failure}); see BIND_ADDRESS and ${variable}`];
}
