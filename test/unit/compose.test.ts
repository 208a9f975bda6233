import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { loadConfig, loadInspectorConfig } from '../../src/config/config';
import { LIMITS } from '../../src/domain/limits';
import { INSPECTOR_SETTINGS, SETTING_NAMES, type SettingName } from '../../src/config/settings';

interface ComposeService {
  image?: string;
  command?: string | string[];
  entrypoint?: string[];
  build?: unknown;
  profiles?: string[];
  ports?: string[];
  networks?: string[];
  secrets?: string[];
  logging?: { driver: string; options: Record<string, string> };
  stop_grace_period?: string;
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
  configs: Record<string, { file?: string }>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
}

const root = path.join(__dirname, '..', '..');
const file = path.join(root, 'docker-compose.yml');
const compose = load(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA.withTags(mergeTag) }) as unknown as ComposeFile;
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const PINNED = /^[\w./-]+:(?!latest)[\w.-]+@sha256:[0-9a-f]{64}$/;
const OWN_IMAGE = 'trade-print:${VERSION:?takes the version of the release, such as 1.4.0}';
const OWN_SERVICES = ['api', 'worker', 'relay', 'inspector', 'migrate', 'artwork-bucket'];
const SERVICES = Object.keys(compose.services);
const caddyfile = readFileSync(path.join(root, 'deploy', 'Caddyfile'), 'utf8');

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

const REQUIRED_SETTINGS: Record<string, string> = {
  VERSION: '1.4.0',
  TRADE_HOST: 'api.prints.com.au',
  STUDIO_HOST: 'studio.prints.com.au',
  MAIL_FROM: 'orders@prints.com.au',
  STUDIO_MAIL_TO: 'studio@prints.com.au',
};
/** What `.env` contains besides them. */
const SMTP_URL = 'smtp://smtp.prints.com.au:587';

/** Expands `${NAME}`, `${NAME:-default}`, `${NAME:+value}` and `${NAME:?message}` as Compose does. */
function expand(text: string, more: Record<string, string> = { SMTP_URL }): string {
  const variables: Record<string, string> = { ...REQUIRED_SETTINGS, ...more };
  return text.replace(/\$\{(\w+)(?::([-+?])([^}]*))?\}/g, (_text, name: string, operator: string, argument: string) => {
    const value = variables[name];
    if (operator === '+') return value ? argument : '';
    if (operator === '-') return value || argument;
    return value ?? `no ${name}`;
  });
}

/** The sum of a duration such as `10s15s`, as Compose reads it. */
function secondsOf(duration: string): number {
  const seconds: Record<string, number> = { h: 3600, m: 60, s: 1 };
  return [...duration.matchAll(/(\d+)([hms])/g)].reduce((sum, [, count, unit = '']) => sum + Number(count) * (seconds[unit] ?? 0), 0);
}

const megabytesOf = (limit: string): number => Number.parseInt(limit, 10) * (limit.endsWith('g') ? 1024 : 1);

/** What deploy/make-secrets.sh writes. */
let secretsFolder: string;
beforeAll(() => {
  secretsFolder = path.join(mkdtempSync(path.join(tmpdir(), 'trade-print-compose-')), 'secrets');
  makeSecrets();
});
afterAll(() => rmSync(path.dirname(secretsFolder), { recursive: true, force: true }));

function makeSecrets(): void {
  const { status, stderr } = spawnSync('sh', [path.join(root, 'deploy', 'make-secrets.sh'), secretsFolder], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] }, // without the locale, which the shell can miss
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}
const readSecret = (name: string): string => readFileSync(path.join(secretsFolder, name), 'utf8');

describe('docker-compose.yml', () => {
  test.each(OWN_SERVICES)('%s gets only known settings', (name) => {
    const names = Object.keys(findService(name).environment ?? {});
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((key) => !(SETTING_NAMES as readonly string[]).includes(settingOf(key)))).toEqual([]);
  });

  /** `SECRETS_KEY` for `SECRETS_KEY_FILE`. */
  const settingOf = (key: string): string => ((SETTING_NAMES as readonly string[]).includes(key) ? key : key.replace(/_FILE$/, ''));

  test('every setting can be set, or an exception gives the reason', () => {
    const given = new Set(OWN_SERVICES.flatMap((name) => Object.keys(findService(name).environment ?? {}).map(settingOf)));
    expect(SETTING_NAMES.filter((key) => !given.has(key)).sort()).toEqual(Object.keys(UNSET_SETTINGS).sort());
  });

  const settingsOf = (name: string, more?: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(findService(name).environment ?? {}).map(([key, value]) => [
        key,
        expand(String(value), more).replace(/^\/run\/secrets(?=\/)/, secretsFolder),
      ]),
    );

  test('the inspector is given its own settings and no secret of the others', () => {
    const settings = settingsOf('inspector');
    expect(Object.keys(settings).filter((key) => !(INSPECTOR_SETTINGS as readonly string[]).includes(settingOf(key)))).toEqual([]);
    expect(findService('inspector').secrets).toEqual(['database-url', 's3-secret-key', 'temporal-codec-key', 'otlp-headers']);
    expect(loadInspectorConfig(settings)).toMatchObject({
      databaseUrl: readSecret('database-url'),
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
      databaseUrl: readSecret(name === 'migrate' ? 'database-owner-url' : 'database-url'),
      publicBaseUrl: 'https://api.prints.com.au/v1',
      studioPublicUrl: 'https://studio.prints.com.au',
      trustedProxies: [compose.networks['proxy']?.ipam.config.map(({ subnet }) => expand(subnet)).join()],
      studioAdminToken: null,
      temporal: { address: 'temporal:7233' },
      s3: { endpoint: 'http://artwork:7070', publicUrl: 'https://api.prints.com.au/artwork', forcePathStyle: true },
      smtpUrl: SMTP_URL,
      mailFrom: REQUIRED_SETTINGS['MAIL_FROM'],
    });
  });

  test('SMTP_URL comes from .env or from a file, and the mail catcher runs in the profile demo only', () => {
    expect(() => loadConfig(settingsOf('worker', {}))).toThrow(/SMTP_URL/);
    expect(settingsOf('worker', { SMTP_URL_FILE: './smtp-url' })).toMatchObject({
      SMTP_URL: '',
      SMTP_URL_FILE: `${secretsFolder}/smtp-url`,
    });
    expect(SERVICES.filter((name) => findService(name).profiles !== undefined)).toEqual(['mail']);
    expect(findService('mail').profiles).toEqual(['demo']);
    expect(SERVICES.filter((name) => 'mail' in (findService(name).depends_on ?? {}))).toEqual([]);
  });

  test('secrets are files without defaults', () => {
    const text = readFileSync(file, 'utf8');
    expect(
      text.match(
        /\w*(?:PASSWORD|SECRET_ACCESS_KEY|SECRETS_KEY|TOKEN|CODEC_KEY|PWD)(?=: (?!\/run\/secrets\/|\$\{\w+_FILE:\+\/run\/secrets\/)\S)/g,
      ),
    ).toBeNull();
    for (const name of SERVICES)
      for (const secret of findService(name).secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret);
    const optional = ['smtp-url', 'temporal-codec-key', 'otlp-headers'];
    for (const [name, { file: source }] of Object.entries(compose.secrets)) {
      if (!optional.includes(name)) expect(source).toBe(`\${SECRETS_DIR:-./secrets}/${name}`);
      else expect(readFileSync(path.join(root, expand(source, {})), 'utf8')).toBe('');
    }
  });

  test('deploy/make-secrets.sh writes random secrets into a private folder, and keeps them', () => {
    const names = Object.entries(compose.secrets).flatMap(([name, { file: source }]) => (source.startsWith('${SECRETS_DIR') ? [name] : []));
    const before = names.map(readSecret);
    expect(statSync(secretsFolder).mode & 0o777).toBe(0o700);
    expect(before.filter((secret) => !/[\w-]{43}/.test(secret))).toEqual([]);
    expect(new Set(before).size).toBe(before.length);
    makeSecrets();
    expect(names.map(readSecret)).toEqual(before);
  });

  test.each(SERVICES)('%s has limits of memory and logs', (name) => {
    const { mem_limit, logging } = findService(name);
    expect(mem_limit).toMatch(/^\d+[mg]$/);
    expect(logging).toEqual({ driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } });
  });

  test('the memory limits of the services that keep running fit 8 GiB', () => {
    const running = SERVICES.filter(
      (name) => !/^(mail|temporal-schema|temporal-namespace|database-roles|migrate|artwork-bucket)$/.test(name),
    );
    expect(running.reduce((sum, name) => sum + megabytesOf(findService(name).mem_limit ?? ''), 0)).toBeLessThanOrEqual(8 * 1024);
  });

  test('the API may stop for SHUTDOWN_DELAY and 15 seconds more', () => {
    const { stop_grace_period = '' } = findService('api');
    expect(secondsOf(expand(stop_grace_period, {}))).toBe(15);
    expect(secondsOf(expand(stop_grace_period, { SHUTDOWN_DELAY: '1m30s' }))).toBe(105);
    for (const name of ['worker', 'relay', 'inspector']) expect(secondsOf(findService(name).stop_grace_period ?? '')).toBe(15);
  });

  test('max_connections fits all pools', () => {
    const option = /max_connections=(.+)/.exec(String(findService('postgres').command))?.[1] ?? '';
    const { SQL_MAX_CONNS, SQL_VIS_MAX_CONNS } = findService('temporal').environment ?? {};
    const { databasePoolSize } = loadConfig(settingsOf('api'));
    const processes = 4 * databasePoolSize + 1;
    const temporal = 4 * (Number(SQL_MAX_CONNS) + Number(SQL_VIS_MAX_CONNS));
    // migrate, reconcile, another command, a backup, the connections that PostgreSQL reserves, and those of process starts
    const others = 4 + 8 + 2 + 1 + 3 + 4;
    expect(Number(expand(option))).toBeGreaterThanOrEqual(processes + temporal + others);
  });

  test('only the proxy and two pages for this machine have ports, and the proxy reaches only API and store', () => {
    const ports = SERVICES.flatMap((name) => (findService(name).ports ?? []).map((port) => `${name} ${port}`));
    expect(ports).toEqual([
      'temporal-ui 127.0.0.1:8233:8080',
      'mail 127.0.0.1:8025:8025',
      'proxy 0.0.0.0:80:80',
      'proxy 0.0.0.0:443:443',
      'proxy 0.0.0.0:443:443/udp',
    ]);
    expect(findService('proxy').networks).toEqual(['proxy']);
    expect(SERVICES.filter((name) => findService(name).networks?.includes('proxy'))).toEqual(['artwork', 'api', 'proxy']);
  });

  test('the proxy serves both host names, within the limits of the service', () => {
    for (const line of ['{$TRADE_HOST} {', '{$STUDIO_HOST} {', 'read_header 15s', 'flush_interval -1']) expect(caddyfile).toContain(line);
    const sizes = [...caddyfile.matchAll(/max_size (\d+)MiB/g)].map(([, size]) => Number(size) * 1024 * 1024);
    const [artwork = 0, ...bodies] = sizes;
    expect(artwork).toBe(LIMITS.uploadBytes);
    for (const size of bodies) expect(size).toBeGreaterThan(LIMITS.bodyBytes);
    const names = [...caddyfile.matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(Object.keys(findService('proxy').environment ?? {})));
  });

  test('backups run every night as the owner of the tables, with a retention', () => {
    const { environment, volumes, secrets, restart, command } = findService('backup') as ComposeService & { restart: string };
    expect({ volumes, secrets, restart, command }).toEqual({
      volumes: ['backups:/backups'],
      secrets: ['database-owner-password'],
      restart: 'unless-stopped',
      command: ['nightly'],
    });
    const { BACKUP_TIME, BACKUP_RETENTION_DAYS } = environment ?? {};
    expect([BACKUP_TIME, BACKUP_RETENTION_DAYS].map((value) => expand(String(value)))).toEqual(['16:00', '14']);
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
    const { S3_ENDPOINT, TEMPORAL_ADDRESS } = findService('api').environment ?? {};
    const urls = [S3_ENDPOINT, `tcp://${TEMPORAL_ADDRESS}`, readSecret('database-url'), readSecret('database-owner-url')];
    for (const text of urls) expect(SERVICES).toContain(new URL(expand(String(text))).hostname);
    for (const [, name] of caddyfile.matchAll(/reverse_proxy (?:@\w+ )?(\w+):\d+/g)) expect(SERVICES).toContain(name);
  });

  test('every dependency, mount and configuration file exists', () => {
    for (const { depends_on = {}, volumes = [], configs = [] } of Object.values(compose.services)) {
      for (const name of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(name);
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':', 1)[0]);
      for (const { source } of configs) expect(Object.keys(compose.configs)).toContain(source);
    }
    for (const { file: source } of Object.values(compose.configs))
      if (source !== undefined) expect(existsSync(path.join(root, source))).toBe(true);
  });

  test.each(['api', 'worker'])('%s starts after migration, seed and bucket', (name) => {
    expect(findService(name).depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
      'artwork-bucket': { condition: 'service_completed_successfully' },
    });
  });

  test("every external image is pinned by version and digest, and the service's images are tagged by version", () => {
    for (const name of SERVICES) {
      const { image, build } = findService(name);
      if (OWN_SERVICES.includes(name)) expect({ image, isBuilt: build !== undefined }).toEqual({ image: OWN_IMAGE, isBuilt: true });
      else expect(image).toMatch(PINNED);
    }
  });

  test("the owner of the tables is no superuser; of the service's processes, only the migration has its password", () => {
    const roles = readFileSync(path.join(root, 'deploy', 'postgres', 'roles.sql'), 'utf8');
    for (const role of ['trade_print', 'temporal']) expect(roles).toContain(`ALTER ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB`);
    const holding = (secret: RegExp) => SERVICES.filter((name) => findService(name).secrets?.some((held) => secret.test(held)));
    expect(holding(/^postgres-password$/)).toEqual(['postgres', 'database-roles']);
    expect(holding(/^database-owner-/)).toEqual(['database-roles', 'backup', 'migrate']);
    expect(String(findService('migrate').command)).toContain('migrate --app-role trade_print_app');
  });

  test('every program that is started or run by the build has a source file', () => {
    const commands = Object.values(compose.services).flatMap(({ command = [] }) => command);
    const programs = [...commands, dockerfile].flatMap((text) => text.match(/dist\/[\w/]+\.js/g) ?? []);
    const sources = [...new Set(programs)].map((program) => program.replace(/^dist\/(.*)\.js$/, '$1.ts')).sort();
    const processes = ['api', 'inspector', 'relay', 'worker'].map((name) => `src/processes/${name}.ts`);
    expect(sources).toEqual(['src/cli/contract.ts', 'src/cli/index.ts', ...processes]);
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
