import path from 'node:path';
import { DEMO_RECEIVER_ORIGIN } from '../../../scripts/demo/receiver';
import { GUIDES_RECEIVER_ORIGIN } from '../../../scripts/start/settings';
import { CONFIG_KEYS, loadConfig } from '../../../src/config';
import { TIMEOUTS } from '../../../src/db/data-source';
import { TEST_SECRETS_KEY } from '../../support/secrets';
import { inWords, readPage } from './markdown';

const SETTINGS = readPage('README.md').table('Settings');
const DAY_MS = 86_400_000;
const config = loadConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/d', SECRETS_KEY: TEST_SECRETS_KEY });
const inUnits = (ms: number): string => (ms < 3_600_000 ? `${ms / 60_000}m` : `${ms / 3_600_000}h`);
const portOf = (url: string): string => new URL(url).port;

/** What the README says holds where nothing is set, each made of the settings as they are read then. */
const DEFAULTS: Readonly<Record<string, string>> = {
  API_PORT: `${config.apiPort}, ${config.studioPort}, ${config.storagePort}`,
  BIND_ADDRESS: `${config.bindAddress} and the ports above`,
  DATA_DIR: path.relative(process.cwd(), config.dataDir),
  DATABASE_APP_PASSWORD: config.databaseAppPassword ?? 'unset',
  DATABASE_LISTEN_URL: config.databaseListenUrl === config.databaseUrl ? 'DATABASE_URL' : config.databaseListenUrl,
  TEMPORAL_ADDRESS: `embedded dev server, namespace ${config.temporal.namespace}`,
  TEMPORAL_CODEC_KEY: `${config.codecKeys === null ? 'plain' : 'encrypted'}; the Web UI's`,
  TEMPORAL_PORT: `${portOf(`http://${config.temporal.address}`)}, ${portOf(config.temporal.uiUrl ?? '')}`,
  API_CORS_ORIGINS: config.apiCorsOrigins.join(', ') || 'none',
  RATE_LIMIT_FACTOR: String(config.rateLimitFactor),
  TRUSTED_PROXIES: config.trustedProxies.join(', ') || 'none',
  S3_BUCKET: config.s3?.bucket ?? 'unset',
  SMTP_URL: config.smtpUrl ?? `files in DATA_DIR/${path.relative(config.dataDir, config.mailOutboxDir)}`,
  ORDER_STATUS_ATTRIBUTE: String(config.orderStatusAttribute),
  ORDER_QUIET_PERIOD: `${config.orderQuietPeriodMs / DAY_MS}d`,
  UPLOAD_UNUSED_DAYS: String(config.uploadUnusedDays),
  WORKER_MAX_CACHED_WORKFLOWS: String(config.workerMaxCachedWorkflows),
  QUOTE_RETENTION_DAYS: String(config.quoteRetentionDays),
  LOG_LEVEL: config.logLevel,
  WEBHOOK_ALLOWED_ORIGINS: `the receivers of the demo and of the guides, ${DEMO_RECEIVER_ORIGIN},${GUIDES_RECEIVER_ORIGIN}`,
  WEBHOOK_RETRY_SCHEDULE: config.webhookRetryScheduleMs.map(inUnits).join(','),
  STUDIO_MAIL_TO: config.studioMail,
};
/** Made by the set-up, or read by something else than the service. */
const NOT_THE_SERVICE_S = [
  'NODE_ENV',
  'DATABASE_URL',
  'SECRETS_KEY',
  'STUDIO_ADMIN_TOKEN',
  'STORAGE_SIGNING_SECRET',
  'STUDIO_URL',
  'XDG_CACHE_HOME',
];

describe('the settings of the README', () => {
  const told = Object.fromEntries(SETTINGS.map(([variables = '', , held]) => [variables.split(', ')[0], held]));

  it.each(Object.keys(DEFAULTS))('%s: what holds without it', (variable) => {
    expect(told[variable]).toBe(DEFAULTS[variable]);
  });

  it('are all compared, and none is left out', () => {
    expect(SETTINGS.flatMap(([variables = '']) => variables.split(', '))).toEqual(expect.arrayContaining([...CONFIG_KEYS]));
    expect(Object.keys(told).toSorted()).toEqual([...Object.keys(DEFAULTS), ...NOT_THE_SERVICE_S].toSorted());
  });
});

it("operations' limits in PostgreSQL are the connections' own", () => {
  const { lock_timeout: lock, statement_timeout: statement, idle_in_transaction_session_timeout: idle } = TIMEOUTS;
  const [forLock, forStatement, forIdle] = [lock, statement, idle].map((ms) => inWords(ms / 1000));
  expect(readPage('docs/operations.md').text.replaceAll('\n', ' ')).toContain(
    `${forLock} seconds for a lock, ${forStatement} for a statement, ${forIdle} for a transaction that does nothing`,
  );
});
