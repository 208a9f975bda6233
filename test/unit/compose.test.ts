import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { loadConfig, loadInspectorConfig } from '../../src/config';
import { newSecretsKey } from '../../src/security/secrets-keys';
import { INSPECTOR_SETTINGS, SETTING_NAMES, type SettingName } from '../../src/settings';

interface ComposeService {
  image?: string;
  command?: string | string[];
  environment?: Record<string, string | number | null>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { disable?: boolean };
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
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
const compose = load(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA.withTags(mergeTag) }) as unknown as ComposeFile;
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const PINNED = /^[\w./-]+:(?!latest)[\w.-]+@sha256:[0-9a-f]{64}$/;
const OWN_SERVICES = ['api', 'worker', 'relay', 'inspector', 'migrate', 'artwork-bucket'];

/** Settings that the compose file does not set, with the reasons. */
const UNSET_SETTINGS: Partial<Record<SettingName, string>> = {
  DATABASE_DIRECT_URL: 'DATABASE_URL is the address of the database itself',
  DATABASE_PREPARED_STATEMENTS: 'there is no pooler',
  GIT_COMMIT: 'the image sets it',
  MANAGEMENT_PORT: 'each container has its own network',
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

  test.each(OWN_SERVICES.filter((name) => name !== 'inspector'))('the settings of %s are accepted unchanged', (name) => {
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

  test.each(OWN_SERVICES)('%s writes no file of the image, gains no rights and has limits', (name) => {
    const { read_only, cap_drop, cap_add = [], security_opt, mem_limit, pids_limit, user } = findService(name);
    expect({ read_only, cap_drop, security_opt }).toEqual({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(mem_limit).toMatch(/^\d+[mg]$/);
    expect(pids_limit).toBeGreaterThan(0);
    const expected =
      name === 'inspector' ? { user: '0:0', cap_add: ['CHOWN', 'KILL', 'SETGID', 'SETUID'] } : { user: undefined, cap_add: [] };
    expect({ user, cap_add }).toEqual(expected);
  });

  test.each(OWN_SERVICES)('%s has the health check of the image if it keeps running', (name) => {
    const isProcess = ['api', 'worker', 'relay', 'inspector'].includes(name);
    expect(findService(name).healthcheck).toEqual(isProcess ? undefined : { disable: true });
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
  (composeThere ? test : test.skip)('is valid for docker compose (needs the compose plugin)', () => {
    const { status, stderr } = spawnSync('docker', ['compose', '-f', file, 'config', '--quiet'], {
      encoding: 'utf8',
      env: { ...process.env, ...REQUIRED_SETTINGS },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('Dockerfile', () => {
  test('runs as a numeric user that is not root, and pins the Node version once', () => {
    expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, stage]) => stage);
    const [base = '', ...others] = images.filter((image) => !stages.includes(image) && image !== 'scratch');
    expect(others).toEqual([]);
    expect(base).toMatch(PINNED);
    expect(base).toMatch(/^node:\d+\.\d+\.\d+-trixie-slim@/);
  });

  test('labels the image with its release and declares no volume', () => {
    for (const [label, argument] of Object.entries({ version: 'VERSION', revision: 'GIT_COMMIT', source: 'SOURCE', created: 'CREATED' }))
      expect(dockerfile).toContain(`org.opencontainers.image.${label}=$${argument}`);
    expect(dockerfile).not.toMatch(/^VOLUME/m);
  });

  test('other processes cannot read the program that has secrets in its environment', () => {
    expect(dockerfile).toMatch(/^RUN chmod 711 \/usr\/local\/bin\/node$/m);
  });

  test('copies only files that .dockerignore includes', () => {
    const allowed = readFileSync(path.join(root, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
    const copied = new Set([...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources?.split(' ') ?? []));
    const covering = (source: string) => allowed.filter((folder) => source === folder || source.startsWith(`${folder}/`));
    expect([...copied].filter((source) => covering(source).length === 0)).toEqual([]);
    expect(allowed.filter((folder) => !copied.has(folder))).toEqual([]);
    expect([...copied].filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
  });
});
