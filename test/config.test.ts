import { ConfigError, loadConfig } from '../src/config';
import { TEST_SECRETS_KEY } from './support/secrets';

const GOOD = { NODE_ENV: 'development', DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/d', SECRETS_KEY: TEST_SECRETS_KEY };

function problems(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('The settings', () => {
  it('need nothing but a database and a key for its secrets', () => {
    const config = loadConfig(GOOD);
    expect(config).toMatchObject({ production: false, databaseUrl: GOOD.DATABASE_URL, s3: null, smtpUrl: null, trustedProxies: [], studioAdminToken: null,
      webhookRetryScheduleMs: [60_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000], temporal: { namespace: 'default', tls: null, apiKey: null } });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('an empty text is an unset one', () => {
    expect(loadConfig({ ...GOOD, API_PORT: '', LOG_LEVEL: '', TRUSTED_PROXIES: '', S3_BUCKET: '', STUDIO_ADMIN_TOKEN: '' })).toEqual(loadConfig(GOOD));
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['no database', { DATABASE_URL: undefined }, 'DATABASE_URL'],
    ['a database of another kind', { DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    ['no key for secrets', { SECRETS_KEY: undefined }, 'SECRETS_KEY'],
    ['a key for secrets that is too short', { SECRETS_KEY: 'a:c2hvcnQ' }, 'SECRETS_KEY'],
    ['a log level there is not', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    ['a port that is no number', { API_PORT: 'http' }, 'API_PORT'],
    ['a port with a fraction', { API_PORT: '80.5' }, 'API_PORT'],
    ['a negative port', { STUDIO_PORT: '-1' }, 'STUDIO_PORT'],
    ['a port too high', { STORAGE_PORT: '65536' }, 'STORAGE_PORT'],
    ['a port with blanks', { API_PORT: ' 80' }, 'API_PORT'],
    ['a base URL that is none', { PUBLIC_BASE_URL: 'example.com' }, 'PUBLIC_BASE_URL'],
    ['a certificate without its key', { TEMPORAL_TLS_CERT_FILE: '/x.pem' }, 'TEMPORAL_TLS_KEY_FILE'],
    ['a key without its certificate', { TEMPORAL_TLS_KEY_FILE: '/x.key' }, 'TEMPORAL_TLS_CERT_FILE'],
    ['a short admin token', { STUDIO_ADMIN_TOKEN: 'lps_00' }, 'STUDIO_ADMIN_TOKEN'],
    ['an admin token of a trade key', { STUDIO_ADMIN_TOKEN: `lpk_test_${'0'.repeat(64)}` }, 'STUDIO_ADMIN_TOKEN'],
    ['an origin with a path', { WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000/hook' }, 'WEBHOOK_ALLOWED_ORIGINS'],
    ['allowed origins in production', { NODE_ENV: 'production', WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000' }, 'WEBHOOK_ALLOWED_ORIGINS'],
    ['a retry schedule with a wrong unit', { WEBHOOK_RETRY_SCHEDULE: '1m,5 parsecs' }, 'WEBHOOK_RETRY_SCHEDULE'],
    ['an own retry schedule in production', { NODE_ENV: 'production', WEBHOOK_RETRY_SCHEDULE: '1m' }, 'WEBHOOK_RETRY_SCHEDULE'],
    ['a proxy that is no range', { TRUSTED_PROXIES: '10.0.0.1' }, 'TRUSTED_PROXIES'],
    ['a range that is wrong', { TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
    ['a bucket without credentials', { S3_BUCKET: 'b' }, 'S3_ACCESS_KEY_ID'],
    ['half of the credentials', { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k' }, 'S3_SECRET_ACCESS_KEY'],
    ['a path style that is no flag', { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's', S3_FORCE_PATH_STYLE: 'yes' }, 'S3_FORCE_PATH_STYLE'],
    ['a quiet period that is no duration', { ORDER_QUIET_PERIOD: 'a while' }, 'ORDER_QUIET_PERIOD'],
    ['a cache of nothing', { WORKER_MAX_CACHED_WORKFLOWS: '0' }, 'WORKER_MAX_CACHED_WORKFLOWS'],
  ])('%s is one problem that names its setting', (_name, env, named) => {
    const found = problems({ ...GOOD, ...env });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(named);
  });

  it('reports every problem at once', () => {
    const found = problems({ NODE_ENV: 'test', SECRETS_KEY: 'y', LOG_LEVEL: 'loud', API_PORT: 'x', STUDIO_ADMIN_TOKEN: 'y', TRUSTED_PROXIES: 'z', ORDER_QUIET_PERIOD: '-', S3_BUCKET: 'b' });
    for (const name of ['DATABASE_URL', 'SECRETS_KEY', 'LOG_LEVEL', 'API_PORT', 'STUDIO_ADMIN_TOKEN', 'TRUSTED_PROXIES', 'ORDER_QUIET_PERIOD', 'S3_ACCESS_KEY_ID']) {
      expect(found.filter((problem) => problem.includes(name))).toHaveLength(1);
    }
    expect(found).toHaveLength(8);
  });

  it('never repeats a secret in a problem', () => {
    const secret = 'hunter2-and-more';
    const found = problems({ NODE_ENV: 'test', DATABASE_URL: `mysql://u:${secret}@h/d`, SECRETS_KEY: `a:${secret}`, STUDIO_ADMIN_TOKEN: secret, LOG_LEVEL: 'loud' }).join('\n');
    expect(found).not.toContain(secret);
  });
});
