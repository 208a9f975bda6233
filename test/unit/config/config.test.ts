import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { ConfigError, loadConfig } from '../../../src/config/config';
import { DEMO_RECEIVER_ORIGIN } from '../../../scripts/demo/receiver';
import { GUIDES_RECEIVER_ORIGIN, readSettings } from '../../../scripts/start/settings';
import { unsafeSettings, type CheckedSettings } from '../../../src/config/production-settings';
import { newStudioToken } from '../../../src/security/api-keys';
import { newSecret } from '../../../src/security/ids';
import { readCodecKey } from '../../../src/security/payload-codec';
import { newSecretsKey, readSecretsKeys } from '../../../src/security/secrets-keys';
import { TEST_SECRETS_KEY } from '../../support/secrets';
import { builtFile } from '../../support/infrastructure';

const VALID_SETTINGS = { NODE_ENV: 'development', DATABASE_URL: 'postgres://u:p@127.0.0.1:5432/d', SECRETS_KEY: TEST_SECRETS_KEY };

function problems(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
import { propertyRuns } from '../../support/property-runs';

describe('The settings', () => {
  it('require only a database and a secrets key', () => {
    const config = loadConfig(VALID_SETTINGS);
    expect(config).toMatchObject({
      production: false,
      databaseUrl: VALID_SETTINGS.DATABASE_URL,
      s3: null,
      smtpUrl: null,
      trustedProxies: [],
      studioAdminToken: null,
      webhookRetryScheduleMs: [60_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000],
      temporal: { namespace: 'default', tls: null, apiKey: null },
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('an empty value counts as unset', () => {
    expect(
      loadConfig({ ...VALID_SETTINGS, API_PORT: '', LOG_LEVEL: '', TRUSTED_PROXIES: '', S3_BUCKET: '', STUDIO_ADMIN_TOKEN: '' }),
    ).toEqual(loadConfig(VALID_SETTINGS));
  });

  it('a bucket without keys is used with the identity of the workload', () => {
    expect(loadConfig({ ...VALID_SETTINGS, S3_BUCKET: 'b' }).s3).toMatchObject({ bucket: 'b', credentials: null });
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['no database', { DATABASE_URL: undefined }, 'DATABASE_URL'],
    ['a database other than PostgreSQL', { DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    ['a missing key for secrets', { SECRETS_KEY: undefined }, 'SECRETS_KEY'],
    ['a key for secrets that is too short', { SECRETS_KEY: 'a:c2hvcnQ' }, 'SECRETS_KEY'],
    ['an unknown log level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    ['a port that is not a number', { API_PORT: 'http' }, 'API_PORT'],
    ['a port with a fraction', { API_PORT: '80.5' }, 'API_PORT'],
    ['a negative port', { STUDIO_PORT: '-1' }, 'STUDIO_PORT'],
    ['a shutdown delay beyond an hour', { SHUTDOWN_DELAY: '30d' }, 'SHUTDOWN_DELAY'],
    ['a retention of half a day', { QUOTE_RETENTION_DAYS: '0.5' }, 'QUOTE_RETENTION_DAYS'],
    ['a port too high', { STORAGE_PORT: '65536' }, 'STORAGE_PORT'],
    ['a port with blanks', { API_PORT: ' 80' }, 'API_PORT'],
    ['a management port of another listener', { MANAGEMENT_PORT: '8081' }, 'STUDIO_PORT and MANAGEMENT_PORT are both 8081'],
    ['the port of another listener', { STUDIO_PORT: '8080' }, 'API_PORT and STUDIO_PORT are both 8080'],
    ['the port of the embedded store', { MANAGEMENT_PORT: '8082' }, 'STORAGE_PORT and MANAGEMENT_PORT are both 8082'],
    ['an invalid base URL', { PUBLIC_BASE_URL: 'example.com' }, 'PUBLIC_BASE_URL'],
    ['a base URL without its scheme', { PUBLIC_BASE_URL: 'localhost:8080/v1' }, 'PUBLIC_BASE_URL is "localhost:8080/v1"'],
    ['a console without its scheme', { STUDIO_PUBLIC_URL: 'studio.example:8081' }, 'STUDIO_PUBLIC_URL'],
    ['a store without its scheme', { S3_BUCKET: 'b', S3_ENDPOINT: 'minio:9000' }, 'S3_ENDPOINT is "minio:9000"'],
    ['a collector without its scheme', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['a Web UI without its scheme', { TEMPORAL_UI_URL: 'localhost:8233' }, 'TEMPORAL_UI_URL'],
    ['a database password with a plain %', { DATABASE_URL: 'postgres://u:p%ss@h/d' }, 'DATABASE_URL has a %'],
    ['a database password in Latin-1', { DATABASE_URL: 'postgres://u:p%ff@h/d' }, 'DATABASE_URL has a %'],
    ['a collector with a user', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://u:p@otel.example' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    ['a certificate without its key', { TEMPORAL_TLS_CERT_FILE: '/x.pem' }, 'TEMPORAL_TLS_KEY_FILE'],
    ['a key without its certificate', { TEMPORAL_TLS_KEY_FILE: '/x.key' }, 'TEMPORAL_TLS_CERT_FILE'],
    ['a build id with a colon', { TEMPORAL_BUILD_ID: 'trade-print:1' }, 'TEMPORAL_BUILD_ID'],
    ['a short admin token', { STUDIO_ADMIN_TOKEN: 'lps_00' }, 'STUDIO_ADMIN_TOKEN'],
    ['an admin token of a trade key', { STUDIO_ADMIN_TOKEN: `lpk_test_${'0'.repeat(64)}` }, 'STUDIO_ADMIN_TOKEN'],
    ['an origin with a path', { WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000/hook' }, 'WEBHOOK_ALLOWED_ORIGINS'],
    ['a page with a path', { API_CORS_ORIGINS: 'https://shop.example,https://shop.example/orders' }, 'API_CORS_ORIGINS'],
    ['a page with a slash', { API_CORS_ORIGINS: 'https://shop.example/' }, 'API_CORS_ORIGINS'],
    ['every page', { API_CORS_ORIGINS: '*' }, 'API_CORS_ORIGINS'],
    ['a rate limit factor below 1', { RATE_LIMIT_FACTOR: '0.5' }, 'RATE_LIMIT_FACTOR'],
    ['a rate limit factor in another notation', { RATE_LIMIT_FACTOR: '1e3' }, 'RATE_LIMIT_FACTOR'],
    ['a retry schedule with a wrong unit', { WEBHOOK_RETRY_SCHEDULE: '1m,5 parsecs' }, 'WEBHOOK_RETRY_SCHEDULE'],
    ['an invalid proxy range', { TRUSTED_PROXIES: '10.0.0.1' }, 'TRUSTED_PROXIES'],
    ['a range that is wrong', { TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
    ['mail by another protocol', { SMTP_URL: 'mail.example.com:25' }, 'SMTP_URL'],
    ['a mail password with a slash', { SMTP_URL: 'smtp://AKIA:ab/c@mail.example.com:587' }, 'and password, / is %2F'],
    ['a database password with a slash', { DATABASE_URL: 'postgres://u:ab/c@db.example.com/prints' }, 'and password, / is %2F'],
    ['an access key without its secret', { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k' }, 'S3_SECRET_ACCESS_KEY'],
    ['a secret without its access key', { S3_BUCKET: 'b', S3_SECRET_ACCESS_KEY: 's' }, 'S3_ACCESS_KEY_ID'],
    [
      'an invalid path style',
      { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's', S3_FORCE_PATH_STYLE: 'yes' },
      'S3_FORCE_PATH_STYLE',
    ],
    ['an invalid quiet period', { ORDER_QUIET_PERIOD: 'a while' }, 'ORDER_QUIET_PERIOD'],
    ['root as the user of programs', { CHILD_USER: '0:0' }, 'CHILD_USER'],
    ['a user by name', { CHILD_USER: 'nobody' }, 'CHILD_USER'],
    ['a quota without a unit', { STORAGE_QUOTA: '50' }, 'STORAGE_QUOTA'],
    ['artwork kept for no time', { UPLOAD_UNUSED_DAYS: '0' }, 'UPLOAD_UNUSED_DAYS'],
    ['a cache of one workflow, which the SDK raises to two', { WORKER_MAX_CACHED_WORKFLOWS: '1' }, 'WORKER_MAX_CACHED_WORKFLOWS'],
    ['one poller for two queues', { WORKER_WORKFLOW_TASK_POLLERS: '1' }, 'WORKER_WORKFLOW_TASK_POLLERS'],
    ['no slots', { WORKER_LOCAL_ACTIVITY_SLOTS: '0' }, 'WORKER_LOCAL_ACTIVITY_SLOTS'],
  ])('%s gives one problem that names the setting', (_name, env, named) => {
    const found = problems({ ...VALID_SETTINGS, ...env });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(named);
  });

  it('listeners may all take free ports, and a process without the embedded store may use its port', () => {
    expect(problems({ ...VALID_SETTINGS, API_PORT: '0', STUDIO_PORT: '0', STORAGE_PORT: '0', MANAGEMENT_PORT: '0' })).toEqual([]);
    expect(problems({ ...VALID_SETTINGS, S3_BUCKET: 'b', MANAGEMENT_PORT: '8082' })).toEqual([]);
  });

  it('reports every problem at once', () => {
    const found = problems({
      NODE_ENV: 'test',
      SECRETS_KEY: 'y',
      LOG_LEVEL: 'loud',
      API_PORT: 'x',
      STUDIO_ADMIN_TOKEN: 'y',
      TRUSTED_PROXIES: 'z',
      ORDER_QUIET_PERIOD: '-',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'k',
    });
    for (const name of [
      'DATABASE_URL',
      'SECRETS_KEY',
      'LOG_LEVEL',
      'API_PORT',
      'STUDIO_ADMIN_TOKEN',
      'TRUSTED_PROXIES',
      'ORDER_QUIET_PERIOD',
      'S3_SECRET_ACCESS_KEY',
    ]) {
      expect(found.filter((problem) => problem.includes(name))).toHaveLength(1);
    }
    expect(found).toHaveLength(8);
  });

  it('no problem contains a secret', () => {
    const secret = 'hunter2-and-more';
    const found = problems({
      NODE_ENV: 'test',
      DATABASE_URL: `mysql://u:${secret}@h/d`,
      SECRETS_KEY: `a:${secret}`,
      STUDIO_ADMIN_TOKEN: secret,
      OTEL_EXPORTER_OTLP_ENDPOINT: `https://u:${secret}@otel.example`,
      LOG_LEVEL: 'loud',
    }).join('\n');
    expect(found).not.toContain(secret);
  });
});

/** A key in the format of both settings. */
const keyText = (bytes: Buffer): string => `k:${bytes.toString('base64url')}`;

describe('In production', () => {
  const SAFE = {
    NODE_ENV: 'production',
    DATABASE_URL: VALID_SETTINGS.DATABASE_URL,
    SECRETS_KEY: newSecretsKey('2026a'),
    SMTP_URL: 'smtps://u:p@mail.prints.com.au',
    S3_BUCKET: 'prints-artwork',
    MAIL_FROM: 'Print studio <orders@prints.com.au>',
    STUDIO_MAIL_TO: 'floor@prints.com.au, office@prints.com.au',
  };
  const ADDRESSES = 'an address of your own domain';

  const createSettings = (name: string, secret: string): CheckedSettings => ({
    smtpUrl: SAFE.SMTP_URL,
    s3: {},
    mailFrom: SAFE.MAIL_FROM,
    studioMail: SAFE.STUDIO_MAIL_TO,
    trustedProxies: [],
    studioAdminToken: name === 'STUDIO_ADMIN_TOKEN' ? secret : null,
    storageSigningSecret: name === 'STORAGE_SIGNING_SECRET' ? secret : null,
    secretsKeys: name === 'SECRETS_KEY' ? readSecretsKeys(secret).keys : [],
    codecKeys:
      name === 'TEMPORAL_CODEC_KEY' ? { encryptionKey: null, decryptionKeys: [readCodecKey(secret)].filter((key) => key !== null) } : null,
  });

  it('safe settings are accepted', () => {
    expect(
      loadConfig({
        ...SAFE,
        STUDIO_ADMIN_TOKEN: newStudioToken(),
        STORAGE_SIGNING_SECRET: newSecret(),
        TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fd00::/16',
      }),
    ).toMatchObject({ production: true });
  });

  test.each<[string, Record<string, string | undefined>, string, string]>([
    ['no mailer', { SMTP_URL: undefined }, 'SMTP_URL', 'smtp://user:password@host:587'],
    ['the embedded artwork store', { S3_BUCKET: undefined }, 'S3_BUCKET', 'a bucket of an S3-compatible store'],
    ['no sender', { MAIL_FROM: undefined }, 'MAIL_FROM', ADDRESSES],
    ['an invalid sender', { MAIL_FROM: 'Print studio' }, 'MAIL_FROM', ADDRESSES],
    ['a sender that cannot exist', { MAIL_FROM: 'Print studio <orders@Studio.INVALID>' }, 'MAIL_FROM', ADDRESSES],
    ['the sender of the examples', { MAIL_FROM: 'orders@studio.example' }, 'MAIL_FROM', ADDRESSES],
    ['a sender of a domain for examples', { MAIL_FROM: 'orders@mail.example.com' }, 'MAIL_FROM', ADDRESSES],
    ['two senders', { MAIL_FROM: 'a@prints.com.au, b@prints.com.au' }, 'MAIL_FROM has several addresses', ADDRESSES],
    ['no reader at the studio', { STUDIO_MAIL_TO: undefined }, 'STUDIO_MAIL_TO', ADDRESSES],
    ['one reader of two that cannot exist', { STUDIO_MAIL_TO: 'office@prints.com.au, floor@studio.invalid' }, 'STUDIO_MAIL_TO', ADDRESSES],
    ['an admin token of zeros', { STUDIO_ADMIN_TOKEN: `lps_${'0'.repeat(64)}` }, 'STUDIO_ADMIN_TOKEN', 'openssl rand -hex 32'],
    [
      'an admin token that repeats itself',
      { STUDIO_ADMIN_TOKEN: `lps_${'0123456789abcdef'.repeat(4)}` },
      'STUDIO_ADMIN_TOKEN',
      'openssl rand -hex 32',
    ],
    ['a short storage secret', { STORAGE_SIGNING_SECRET: newSecret().slice(0, 63) }, 'STORAGE_SIGNING_SECRET', 'openssl rand -hex 32'],
    [
      'a storage secret that is a password',
      { STORAGE_SIGNING_SECRET: 'correct horse battery staple' },
      'STORAGE_SIGNING_SECRET',
      'openssl rand -hex 32',
    ],
    [
      'a key for secrets of zeros',
      { SECRETS_KEY: `${SAFE.SECRETS_KEY},old:${Buffer.alloc(32).toString('base64url')}` },
      'SECRETS_KEY',
      'randomBytes(32)',
    ],
    [
      'a key for secrets that counts',
      { SECRETS_KEY: keyText(Buffer.from(Array.from({ length: 32 }, (_, byte) => byte))) },
      'SECRETS_KEY',
      'randomBytes(32)',
    ],
    [
      'a key for secrets that counts down by sevens',
      { SECRETS_KEY: keyText(Buffer.from(Array.from({ length: 32 }, (_, byte) => (256 - 7 * byte) & 255))) },
      'SECRETS_KEY',
      'randomBytes(32)',
    ],
    [
      'a key for secrets that is a sentence',
      { SECRETS_KEY: keyText(Buffer.from('correct horse battery staple 123')) },
      'SECRETS_KEY',
      'randomBytes(32)',
    ],
    ['a key for payloads of zeros', { TEMPORAL_CODEC_KEY: keyText(Buffer.alloc(32)) }, 'TEMPORAL_CODEC_KEY', 'randomBytes(32)'],
    [
      'a key for payloads that only decrypts, and counts',
      { TEMPORAL_CODEC_KEY: `plain,${keyText(Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)))}` },
      'TEMPORAL_CODEC_KEY',
      'randomBytes(32)',
    ],
    [
      'an admin token mostly of zeros',
      { STUDIO_ADMIN_TOKEN: `lps_${'0'.repeat(50)}0123456789abcd` },
      'STUDIO_ADMIN_TOKEN',
      'openssl rand -hex 32',
    ],
    [
      'an admin token that repeats most of itself',
      { STUDIO_ADMIN_TOKEN: `lps_${'9f86d081884c7d659a2feaa0c55a'.repeat(3).slice(0, 64)}` },
      'STUDIO_ADMIN_TOKEN',
      'openssl rand -hex 32',
    ],
    [
      'a storage secret of words',
      { STORAGE_SIGNING_SECRET: 'changeme-changeme-changeme-please-change-me-now' },
      'STORAGE_SIGNING_SECRET',
      'openssl rand -hex 32',
    ],
    ['a sender that cannot exist, with its final dot', { MAIL_FROM: 'x@studio.invalid.' }, 'MAIL_FROM', ADDRESSES],
    ['a sender at an address in numbers', { MAIL_FROM: 'x@[127.0.0.1]' }, 'MAIL_FROM', ADDRESSES],
    ['a sender whose domain has no dot', { MAIL_FROM: 'Print studio <x@prints>' }, 'MAIL_FROM', ADDRESSES],
    ['a missing key for secrets', { SECRETS_KEY: undefined }, 'SECRETS_KEY', '<id>:<32 random bytes as base64url>'],
    ['every address as a proxy', { TRUSTED_PROXIES: '10.0.0.0/8,0.0.0.0/0' }, 'TRUSTED_PROXIES', '/8'],
    ['every IPv6 address as a proxy', { TRUSTED_PROXIES: '::/0' }, 'TRUSTED_PROXIES', '/16'],
    ['half of the addresses', { TRUSTED_PROXIES: '128.0.0.0/1' }, 'TRUSTED_PROXIES', '/8'],
    ['a range just too wide', { TRUSTED_PROXIES: '10.0.0.0/7' }, 'TRUSTED_PROXIES', '/8'],
    ['all IPv6 addresses there are', { TRUSTED_PROXIES: '2000::/3' }, 'TRUSTED_PROXIES', '/16'],
    [
      'every address in pieces',
      { TRUSTED_PROXIES: Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`).join(',') },
      'TRUSTED_PROXIES',
      'together',
    ],
    [
      'every IPv6 address in pieces',
      { TRUSTED_PROXIES: Array.from({ length: 0x2000 }, (_, index) => `${(0x2000 + index).toString(16)}::/16`).join(',') },
      'TRUSTED_PROXIES',
      'together',
    ],
    ['origins exempt from the rules', { WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000' }, 'WEBHOOK_ALLOWED_ORIGINS', 'unset it'],
    ['another retry schedule', { WEBHOOK_RETRY_SCHEDULE: '1m' }, 'WEBHOOK_RETRY_SCHEDULE', 'unset it'],
    ['another delay of confirmations', { CONFIRMATION_DELAY: '0s' }, 'CONFIRMATION_DELAY', 'unset it'],
    ['wider budgets', { RATE_LIMIT_FACTOR: '10' }, 'RATE_LIMIT_FACTOR', 'unset it'],
  ])('%s gives one problem with a valid alternative', (_name, env, named, wouldWork) => {
    const found = problems({ ...SAFE, ...env });
    expect(found).toEqual([expect.stringContaining(named)]);
    expect(found[0]).toContain(wouldWork);
  });

  it.each([
    'deadbeef0deadbeef1deadbeef2deadbeef3deadbeef4deadbeef5deadbeef6deadbeef7',
    'cafe1cafe2cafe3cafe4cafe5cafe6cafe7cafe8cafe9cafe0cafeacafebcafeccafed',
    'Secret1Secret2Secret3Secret4Secret5Secret6Secret7',
    'Abc123Xyz789Abc124Xyz780Abc125Xyz781Abc126Xyz782',
    'Trade1-Print2-Trade3-Print4-Trade5-Print6-Trade7-',
  ])('the secret %s, which repeats a short pattern, is refused', (secret) => {
    expect(unsafeSettings(createSettings('STORAGE_SIGNING_SECRET', secret), () => false)).toEqual([
      expect.stringContaining('openssl rand'),
    ]);
  });

  it('random secrets of each format are accepted', () => {
    const forms: [string, () => string][] = [
      ['SECRETS_KEY', () => keyText(randomBytes(32))],
      ['TEMPORAL_CODEC_KEY', () => keyText(randomBytes(32))],
      ['STUDIO_ADMIN_TOKEN', newStudioToken],
      ['STORAGE_SIGNING_SECRET', newSecret],
      ['STORAGE_SIGNING_SECRET', () => randomBytes(32).toString('base64url')],
      ['STORAGE_SIGNING_SECRET', () => randomBytes(33).toString('base64')],
      ['STORAGE_SIGNING_SECRET', () => Array.from({ length: 78 }, () => randomInt(10)).join('')],
    ];
    for (const [name, make] of forms) {
      const refused = Array.from({ length: propertyRuns(4_000).numRuns }, make).filter(
        (secret) => unsafeSettings(createSettings(name, secret), () => false).length > 0,
      );
      expect([name, refused]).toEqual([name, []]);
    }
  });

  it('a random number that lacks two digits is accepted', () => {
    const digits = Array.from({ length: 78 }, () => '01345679'.charAt(randomInt(8))).join('');
    expect(unsafeSettings(createSettings('STORAGE_SIGNING_SECRET', digits), () => false)).toEqual([]);
  });

  it('duplicate and nested ranges count once', () => {
    const twice = Array.from({ length: 20 }, (_, index) => `10.${index}.0.0/8,10.0.${index}.0/24`).join(',');
    expect(problems({ ...SAFE, TRUSTED_PROXIES: twice })).toEqual([]);
  });

  it('invalid and unsafe settings are reported together, without secrets', () => {
    const secret = 'hunter2-and-more';
    const error = (() => {
      try {
        return loadConfig({
          NODE_ENV: 'production',
          DATABASE_URL: VALID_SETTINGS.DATABASE_URL,
          SECRETS_KEY: `a:${secret}`,
          STORAGE_SIGNING_SECRET: secret,
          TRUSTED_PROXIES: '::/0,0.0.0.0/0',
          LOG_LEVEL: 'loud',
          WEBHOOK_RETRY_SCHEDULE: '1s',
        });
      } catch (thrown) {
        return thrown;
      }
    })() as ConfigError;
    const names = [
      'LOG_LEVEL',
      'SECRETS_KEY',
      'WEBHOOK_RETRY_SCHEDULE',
      'SMTP_URL',
      'S3_BUCKET',
      'MAIL_FROM',
      'STUDIO_MAIL_TO',
      'STORAGE_SIGNING_SECRET',
      'TRUSTED_PROXIES: "::/0"',
      'TRUSTED_PROXIES: "0.0.0.0/0"',
    ];
    expect(error.problems).toHaveLength(names.length);
    for (const name of names) expect(error.message).toContain(`  - ${name}`);
    expect(error.message).not.toContain(secret);
  });

  test.each([undefined, '', 'prod', 'Production', 'staging', 'dev'])(
    'NODE_ENV %s counts as production, and the message says so',
    (nodeEnv) => {
      expect(loadConfig({ ...SAFE, NODE_ENV: nodeEnv }).production).toBe(true);
      const unsafe = { ...SAFE, NODE_ENV: nodeEnv, SMTP_URL: undefined, WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000' };
      expect(problems(unsafe)).toHaveLength(2);
      expect(() => loadConfig(unsafe)).toThrow(/counts as production.*development or test/);
    },
  );

  test.each(['development', 'test'])('NODE_ENV %s accepts unsafe settings', (nodeEnv) => {
    const settings = {
      ...VALID_SETTINGS,
      NODE_ENV: nodeEnv,
      TRUSTED_PROXIES: '0.0.0.0/0',
      WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9000',
      WEBHOOK_RETRY_SCHEDULE: '1s',
      RATE_LIMIT_FACTOR: '2.5',
      STORAGE_SIGNING_SECRET: 'x',
    };
    expect(loadConfig(settings)).toMatchObject({ production: false, smtpUrl: null, rateLimitFactor: 2.5 });
  });

  test.each(['processes/api.js', 'processes/worker.js', 'processes/relay.js', 'cli/index.js'])(
    '%s lists all problems and exits with code 1 before it starts',
    async (script) => {
      const { code, stderr } = await run(script, {
        ...SAFE,
        DATABASE_URL: 'postgres://u:p@127.0.0.1:1/none',
        SMTP_URL: '',
        MAIL_FROM: 'orders@studio.invalid',
      });
      expect([code, stderr.trim().split('\n')]).toEqual([
        1,
        ['invalid settings:', expect.stringContaining('SMTP_URL'), expect.stringContaining('MAIL_FROM')],
      ]);
    },
  );

  function run(script: string, env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
    const args = [builtFile('src', script), ...(script.startsWith('cli') ? ['migrate'] : [])];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    return new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, stderr }));
    });
  }
});

describe('npm start', () => {
  it('defaults to development and allows the receivers of the demo and the guides', async () => {
    const { env, config } = await readSettings({});
    const receivers = [DEMO_RECEIVER_ORIGIN, GUIDES_RECEIVER_ORIGIN];
    expect([env['NODE_ENV'], config.production, config.webhookAllowedOrigins]).toEqual(['development', false, receivers]);
  });

  it('keeps the set values, and allows no receiver in production', async () => {
    const refused = readSettings({ NODE_ENV: 'production' }).catch((error: ConfigError) => error.problems);
    expect(await refused).toEqual(['SMTP_URL', 'S3_BUCKET', 'MAIL_FROM', 'STUDIO_MAIL_TO'].map((name) => expect.stringContaining(name)));
  });
});
