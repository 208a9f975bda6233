import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { loadConfig, loadInspectorConfig } from '../../src/config';
import { newSecretsKey } from '../../src/security/secrets-keys';
import { INSPECTOR_SETTINGS, SETTING_NAMES, type SettingName } from '../../src/settings';

interface ComposeService {
  image?: string;
  command?: string | string[];
  environment?: Record<string, string | number | null>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { disable?: boolean };
  volumes?: string[];
  configs?: { source: string }[];
}
interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  configs: Record<string, unknown>;
}

const root = path.join(__dirname, '..', '..');
const file = path.join(root, 'docker-compose.yml');
// js-yaml has no types.
const yaml = require('js-yaml') as { load(text: string): unknown };
const compose = yaml.load(readFileSync(file, 'utf8')) as ComposeFile;
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const PINNED = /^[\w./-]+:(?!latest)[\w.-]+@sha256:[0-9a-f]{64}$/;
const OWN_SERVICES = ['api', 'worker', 'relay', 'inspector', 'migrate', 'artwork-bucket'];

/** Settings that the compose file does not set, with the reasons. */
const UNSET_SETTINGS: Partial<Record<SettingName, string>> = {
  STORAGE_PORT: 'artwork is in S3',
  STORAGE_PUBLIC_URL: 'artwork is in S3',
  STORAGE_SIGNING_SECRET: 'artwork is in S3',
  TEMPORAL_API_KEY: 'its Temporal asks for no credentials',
  TEMPORAL_TLS_CERT_FILE: 'its Temporal is on the same network',
  TEMPORAL_TLS_KEY_FILE: 'its Temporal is on the same network',
  TEMPORAL_TLS_CA_FILE: 'its Temporal is on the same network',
  TEMPORAL_TLS_SERVER_NAME: 'its Temporal is on the same network',
  TEMPORAL_PORT: 'TEMPORAL_ADDRESS has it',
  TEMPORAL_UI_PORT: 'TEMPORAL_UI_URL has it',
  STORAGE_RESERVE: 'artwork is in S3',
  MAIL_OUTBOX_DIR: 'mail goes by SMTP',
  STUDIO_ADMIN_TOKEN: 'trade-print tokens create-admin makes the first one, kept as a hash',
  WEBHOOK_ALLOWED_ORIGINS: 'refused in production',
  WEBHOOK_RETRY_SCHEDULE: 'refused in production',
  RATE_LIMIT_FACTOR: 'refused in production',
  CONFIRMATION_DELAY: 'refused in production',
};

function findService(name: string): ComposeService {
  const found = compose.services[name];
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}

/** Required settings without a default. */
const REQUIRED_SETTINGS: Record<string, string> = {
  SECRETS_KEY: newSecretsKey('2026a'),
  MAIL_FROM: 'orders@prints.com.au',
  STUDIO_MAIL_TO: 'studio@prints.com.au',
};

/** Expands `${NAME:-default}` and `${NAME:?message}` as Compose does with an empty environment. */
function withDefaults(value: string): string {
  return value
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{(\w+):\?[^}]*\}/g, (_text, name: string) => REQUIRED_SETTINGS[name] ?? `no ${name}`);
}

describe('docker-compose.yml', () => {
  test.each(OWN_SERVICES)('%s gets only known settings', (name) => {
    const names = Object.keys(findService(name).environment ?? {});
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((key) => !(SETTING_NAMES as readonly string[]).includes(key))).toEqual([]);
  });

  test('every setting can be set, or an exception gives the reason', () => {
    const given = new Set(OWN_SERVICES.flatMap((name) => Object.keys(findService(name).environment ?? {})));
    expect(SETTING_NAMES.filter((key) => !given.has(key)).sort()).toEqual(Object.keys(UNSET_SETTINGS).sort());
  });

  const settingsOf = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(findService(name).environment ?? {}).map(([key, value]) => [key, withDefaults(String(value))]));

  test('the inspector is given its own settings and no secret of the others', () => {
    const settings = settingsOf('inspector');
    expect(Object.keys(settings).filter((key) => !(INSPECTOR_SETTINGS as readonly string[]).includes(key))).toEqual([]);
    expect(loadInspectorConfig(settings)).toMatchObject({
      databaseUrl: 'postgres://trade_print_app:trade-print-app@postgres:5432/trade_print',
      temporal: { address: 'temporal:7233' },
      s3: { endpoint: 'http://artwork:7070', forcePathStyle: true },
      childUser: { uid: 65534, gid: 65534 },
    });
  });

  test.each(OWN_SERVICES.filter((name) => name !== 'inspector'))('the settings of %s are accepted as they stand', (name) => {
    const config = loadConfig(settingsOf(name));
    expect(config).toMatchObject({
      production: true,
      bindAddress: '0.0.0.0',
      databaseUrl:
        name === 'migrate'
          ? 'postgres://trade_print:trade-print@postgres:5432/trade_print'
          : 'postgres://trade_print_app:trade-print-app@postgres:5432/trade_print',
      studioAdminToken: null,
      temporal: { address: 'temporal:7233' },
      s3: { endpoint: 'http://artwork:7070', publicUrl: 'http://localhost:7070/artwork', forcePathStyle: true },
      smtpUrl: 'smtp://mail:1025',
      mailFrom: REQUIRED_SETTINGS['MAIL_FROM'],
    });
  });

  test('hosts in the settings are services', () => {
    const { DATABASE_URL, S3_ENDPOINT, SMTP_URL, TEMPORAL_ADDRESS } = findService('api').environment ?? {};
    const urls = [DATABASE_URL, S3_ENDPOINT, SMTP_URL, `tcp://${TEMPORAL_ADDRESS}`].map((text) => new URL(withDefaults(String(text))));
    for (const { hostname } of urls) expect(Object.keys(compose.services)).toContain(hostname);
  });

  test('every dependency, mount and configuration file exists', () => {
    for (const { depends_on = {}, volumes = [], configs = [] } of Object.values(compose.services)) {
      for (const name of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(name);
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':', 1)[0]);
      for (const { source } of configs) expect(Object.keys(compose.configs)).toContain(source);
    }
  });

  test.each(['api', 'worker'])('%s starts after migration, seed and bucket', (name) => {
    expect(findService(name).depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
      'artwork-bucket': { condition: 'service_completed_successfully' },
    });
  });

  test("every external image is pinned by version and digest, and the service's image is built locally", () => {
    const images = Object.values(compose.services).map(({ image }) => image);
    for (const image of images) if (image !== 'trade-print:local') expect(image).toMatch(PINNED);
  });

  test('only the migration has the password of the table owner, and it creates the role of the other processes', () => {
    const knowing = OWN_SERVICES.filter((name) => JSON.stringify(findService(name)).includes('POSTGRES_PASSWORD'));
    expect(knowing).toEqual(['migrate']);
    expect(String(findService('migrate').command)).toContain('migrate --app-role trade_print_app');
  });

  test('every started program has a source file', () => {
    const commands = Object.values(compose.services).flatMap(({ command = [] }) => command);
    const programs = [...commands, dockerfile].flatMap((text) => text.match(/dist\/[\w/]+\.js/g) ?? []);
    const sources = [...new Set(programs)].map((program) => program.replace(/^dist\/(.*)\.js$/, '$1.ts')).sort();
    expect(sources).toEqual(['src/cli/index.ts', ...['api', 'inspector', 'relay', 'worker'].map((name) => `src/processes/${name}.ts`)]);
    expect(sources.filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
  });

  const composeThere = spawnSync('docker', ['compose', 'version']).status === 0;
  (composeThere ? test : test.skip)('docker compose reads it (needs the compose plugin)', () => {
    const { status, stderr } = spawnSync('docker', ['compose', '-f', file, 'config', '--quiet'], {
      encoding: 'utf8',
      env: { ...process.env, ...REQUIRED_SETTINGS },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('Dockerfile', () => {
  test('does not run as root, and pins the Node version', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(PINNED);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim@/);
  });

  test('nobody reads the program that has the secrets in its environment', () => {
    expect(dockerfile).toMatch(/^RUN chmod 711 \/usr\/local\/bin\/node$/m);
  });

  test('copies only what .dockerignore lets through', () => {
    const allowed = readFileSync(path.join(root, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
    const copied = new Set([...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources?.split(' ') ?? []));
    const covering = (source: string) => allowed.filter((folder) => source === folder || source.startsWith(`${folder}/`));
    expect([...copied].filter((source) => covering(source).length === 0)).toEqual([]);
    expect(allowed.filter((folder) => !copied.has(folder))).toEqual([]);
    expect([...copied].filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
  });
});
