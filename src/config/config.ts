import path from 'node:path';
import ipaddr from 'ipaddr.js';
import type { ChildUser } from '../platform/child-user';
import { parseByteSize } from '../domain/byte-size';
import { HOUR_MS, parseDuration } from '../domain/duration';
import { readUrl } from '../domain/urls';
import { DEFAULT_RETRY_SCHEDULE_MS } from '../domain/webhook-rules';
import { isProduction, NO_BUCKET, unsafeSettings } from './production-settings';
import { readCodecKey, type CodecKeys } from '../security/payload-codec';
import { readSecretsKeys, type SecretsKey } from '../security/secrets-keys';
import { isStudioToken } from '../security/api-keys';
import { readSecretFiles } from './secret-files';
import { INSPECTOR_SETTINGS, SETTING_NAMES, SETTINGS, type SettingName, type SettingWith } from './settings';

/** All settings, as read by `loadConfig`. */
export type Config = ReturnType<typeof loadConfig>;
export type TemporalConfig = Config['temporal'];

/** Lists every invalid setting. */
export class ConfigError extends Error {
  constructor(
    readonly problems: string[],
    note = '',
  ) {
    super(`invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}${note}`);
  }
}

type Env = Record<string, string | undefined>;

class SettingsReader {
  readonly problems: string[];
  private readonly env: Env;

  constructor(env: Env, names: readonly SettingName[] = SETTING_NAMES) {
    const read = readSecretFiles(env, names);
    this.problems = read.problems;
    this.env = Object.fromEntries(names.map((name) => [name, read.env[name]]));
  }

  /** Null when the setting is unset or empty. */
  text(name: SettingName): string | null {
    return this.env[name] || null;
  }

  textOrDefault(name: SettingWith<'default'>): string {
    return this.text(name) ?? SETTINGS[name].default;
  }

  /** @param parse returns null if the text is invalid; the default is used instead */
  parsed<T>(name: SettingWith<'takes' | 'default'>, parse: (text: string) => T | null): T {
    const value = parse(this.textOrDefault(name));
    if (value === null) this.addInvalid(name);
    return value ?? (parse(SETTINGS[name].default) as T);
  }

  integer(name: SettingWith<'range' | 'takes' | 'default'>): number {
    const [min, max] = SETTINGS[name].range;
    return this.parsed(name, (text) => (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null));
  }

  flag(name: 'HEIC_PREVIEWS' | 'S3_FORCE_PATH_STYLE' | 'DATABASE_PREPARED_STATEMENTS'): boolean {
    return this.parsed(name, (text) => (['true', 'false'].includes(text) ? text === 'true' : null));
  }

  /** The error does not show the value. */
  secret(name: 'SMTP_URL' | 'STUDIO_ADMIN_TOKEN', isValid: (text: string) => boolean): string | null {
    const text = this.text(name);
    if (text !== null && !isValid(text)) this.problems.push(`${name} takes ${SETTINGS[name].takes}`);
    return text;
  }

  postgresUrl(name: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'): string | null {
    const url = this.text(name);
    if (url !== null && !/^postgres(ql)?:\/\//.test(url)) this.problems.push(`${name} does not start with postgres://`);
    else if (url !== null && decodePercent(url) === null)
      this.problems.push(`${name} has a % that encodes no character of UTF-8; write %25 for a %`);
    // pg accepts spaces, and no host before the database.
    else if (url !== null && readUrl(url.replaceAll(' ', '%20').replace('@/', '@host/')) === null)
      this.problems.push(`${name} is not a URL; it takes ${SETTINGS[name].takes}`);
    return url;
  }

  /** Adds the error that the value is invalid. */
  addInvalid(name: SettingWith<'takes'>): void {
    this.problems.push(`${name} is "${this.text(name)}"; it takes ${SETTINGS[name].takes}`);
  }

  url(name: SettingName, fallback: string): string {
    const text = this.text(name) ?? fallback;
    // `minio:9000` is a URL with the scheme `minio`.
    if (/^https?:$/.test(readUrl(text)?.protocol ?? '')) return text.replace(/(?<!\/)\/+$/, '');
    this.problems.push(`${name} is "${text}"; it takes a URL such as ${fallback}`);
    return fallback;
  }

  /** Exact origins, as browsers send them: no path, no default port. */
  origins(name: SettingWith<'example'>): string[] {
    return this.listOf(name, 'origin', (text) => readUrl(text)?.origin === text);
  }

  listOf(name: SettingWith<'example'>, what: string, isValid: (part: string) => boolean): string[] {
    const parts = this.list(name);
    for (const part of parts) {
      if (!isValid(part)) this.problems.push(`${name}: "${part}" is not a valid ${what}; use the format ${SETTINGS[name].example}`);
    }
    return parts;
  }

  list(name: SettingName): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
}

/**
 * Reads the environment into one frozen object.
 * @throws ConfigError with every problem
 */
export function loadConfig(env: Env = process.env) {
  const read = new SettingsReader(env);
  const production = isProduction(env.NODE_ENV);
  const shared = inspectorConfig(read);
  const { bindAddress } = shared;
  const localHost = ['0.0.0.0', '::'].includes(bindAddress) ? '127.0.0.1' : bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
  const apiPort = read.integer('API_PORT');
  const studioPort = read.integer('STUDIO_PORT');
  const storagePort = read.integer('STORAGE_PORT');
  refuseSharedPorts(read, [
    ['API_PORT', apiPort],
    ['STUDIO_PORT', studioPort],
    ['STORAGE_PORT', shared.s3 === null ? storagePort : 0],
    ['MANAGEMENT_PORT', shared.managementPort],
  ]);
  const config = {
    /** NODE_ENV is neither `development` nor `test`. */
    production,
    ...shared,
    apiPort,
    studioPort,
    storagePort,
    /** How long `/readyz` returns 503 before the listeners close, ms. */
    shutdownDelayMs: read.parsed('SHUTDOWN_DELAY', (text) => {
      const ms = parseDuration(text);
      return ms !== null && ms <= HOUR_MS ? ms : null;
    }),
    /** The host of local URLs to the listeners. */
    localHost,
    publicBaseUrl: read.url('PUBLIC_BASE_URL', `http://${localHost}:${apiPort}/v1`),
    studioPublicUrl: read.url('STUDIO_PUBLIC_URL', `http://${localHost}:${studioPort}`),
    storagePublicUrl: read.url('STORAGE_PUBLIC_URL', `http://${localHost}:${storagePort}`),
    /** Null: generated on the first start and kept in the database. */
    storageSigningSecret: read.text('STORAGE_SIGNING_SECRET'),
    /** For LISTEN, migrations and long statements. If DATABASE_URL is a pooler, this must be the database itself. */
    databaseDirectUrl: read.postgresUrl('DATABASE_DIRECT_URL') ?? shared.databaseUrl,
    databaseAppPassword: read.text('DATABASE_APP_PASSWORD'),
    /** The first key encrypts, all decrypt. */
    secretsKeys: secretsKeys(read),
    studioAdminToken: read.secret('STUDIO_ADMIN_TOKEN', isStudioToken),
    webhookAllowedOrigins: read.origins('WEBHOOK_ALLOWED_ORIGINS'),
    webhookRetryScheduleMs: retrySchedule(read),
    trustedProxies: read.listOf('TRUSTED_PROXIES', 'CIDR', (text) => ipaddr.isValidCIDR(text)),
    apiCorsOrigins: read.origins('API_CORS_ORIGINS'),
    // PostgreSQL cannot count budgets beyond a factor of one million.
    rateLimitFactor: read.parsed('RATE_LIMIT_FACTOR', (text) => {
      const factor = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
      return factor >= 1 && factor <= 1_000_000 ? factor : null;
    }),
    smtpUrl: read.secret('SMTP_URL', (text) => /^smtps?:\/\//.test(text) && readUrl(text) !== null),
    mailFrom: read.textOrDefault('MAIL_FROM'),
    mailOutboxDir: path.resolve(read.text('MAIL_OUTBOX_DIR') ?? path.join(shared.dataDir, 'outbox')),
    studioMail: read.textOrDefault('STUDIO_MAIL_TO'),
    /** How long a settled order's workflow stays open without a message, ms. */
    orderQuietPeriodMs: read.parsed('ORDER_QUIET_PERIOD', parseDuration),
    confirmationDelayMs: read.parsed('CONFIRMATION_DELAY', parseDuration),
    codecOrigins: codecOrigins(read, shared.temporal.uiUrl),
    /** 0: addresses of expired quotes are never erased. */
    quoteRetentionDays: read.integer('QUOTE_RETENTION_DAYS'),
    /** 0: attempts are never deleted. */
    webhookAttemptRetentionDays: read.integer('WEBHOOK_ATTEMPT_RETENTION_DAYS'),
    uploadUnusedDays: read.integer('UPLOAD_UNUSED_DAYS'),
    storageQuotaBytes: read.parsed('STORAGE_QUOTA', parseByteSize),
  };
  if (production) {
    read.problems.push(
      ...unsafeSettings(
        { ...config, mailFrom: read.text('MAIL_FROM'), studioMail: read.text('STUDIO_MAIL_TO') },
        (key) => read.text(key) !== null,
      ),
    );
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems, productionNote(env.NODE_ENV));
  return Object.freeze(config);
}

/** The settings of the inspector process. The other processes have them too. */
export type InspectorConfig = Readonly<ReturnType<typeof inspectorConfig>>;

function inspectorConfig(read: SettingsReader) {
  return {
    logLevel: logLevel(read),
    /** The user of the picture decoder and the document renderer if root starts the service. */
    childUser: read.parsed('CHILD_USER', parseChildUser),
    /** Whether the inspector decodes HEIC. */
    isHeicEnabled: read.flag('HEIC_PREVIEWS'),
    managementPort: read.integer('MANAGEMENT_PORT'),
    bindAddress: read.textOrDefault('BIND_ADDRESS'),
    /** Null: no traces, and metrics for Prometheus only. */
    otlp: otlpConfig(read),
    dataDir: path.resolve(read.textOrDefault('DATA_DIR')),
    ...databaseConfig(read),
    temporal: temporalConfig(read),
    /** Encrypt Temporal's payloads; null stores them unencrypted. */
    codecKeys: codecKeys(read),
    s3: s3Config(read),
    worker: workerConfig(read),
  };
}

/**
 * Reads only INSPECTOR_SETTINGS, so that the inspector does not need the secrets of the other processes.
 * @throws ConfigError with every problem
 */
export function loadInspectorConfig(env: Env = process.env): InspectorConfig {
  const read = new SettingsReader(env, INSPECTOR_SETTINGS);
  const config = inspectorConfig(read);
  if (config.s3 === null && isProduction(env.NODE_ENV)) read.problems.push(NO_BUCKET);
  if (read.problems.length > 0) throw new ConfigError(read.problems, productionNote(env.NODE_ENV));
  return Object.freeze(config);
}

/** Port 0 takes any free port. */
function refuseSharedPorts(read: SettingsReader, ports: readonly (readonly [SettingName, number])[]): void {
  for (const [index, [name, port]] of ports.entries()) {
    const [other] = ports.slice(0, index).find(([, earlier]) => earlier === port && port !== 0) ?? [];
    if (other !== undefined) read.problems.push(`${other} and ${name} are both ${port}; give each listener its own port`);
  }
}

/** Explains why the rules of production apply when NODE_ENV does not say production. */
function productionNote(nodeEnv: string | undefined): string {
  if (nodeEnv === 'production' || !isProduction(nodeEnv)) return '';
  return `\nNODE_ENV is ${nodeEnv ? `"${nodeEnv}"` : 'not set'}, which counts as production; on your own machine set it to development or test.`;
}

const logLevel = (read: SettingsReader): string =>
  read.parsed('LOG_LEVEL', (text) => (SETTINGS.LOG_LEVEL.values.includes(text) ? text : null));

/** The settings of a process's connection pool. */
function databaseConfig(read: SettingsReader) {
  const url = read.postgresUrl('DATABASE_URL');
  if (url === null) read.problems.push(`DATABASE_URL is not set; it takes ${SETTINGS.DATABASE_URL.takes} (npm start sets it for you)`);
  return {
    databaseUrl: url ?? '',
    databasePoolSize: read.integer('DATABASE_POOL_SIZE'),
    databasePreparedStatements: read.flag('DATABASE_PREPARED_STATEMENTS'),
  };
}

/** `uid:gid`; root is refused. */
function parseChildUser(text: string): ChildUser | null {
  const [, uid, gid] = /^(\d{1,10}):(\d{1,10})$/.exec(text) ?? [];
  const isId = (id: number): boolean => id >= 1 && id <= 2_147_483_647;
  return isId(Number(uid)) && isId(Number(gid)) ? { uid: Number(uid), gid: Number(gid) } : null;
}

function temporalConfig(read: SettingsReader) {
  const files = {
    certFile: read.text('TEMPORAL_TLS_CERT_FILE'),
    keyFile: read.text('TEMPORAL_TLS_KEY_FILE'),
    caFile: read.text('TEMPORAL_TLS_CA_FILE'),
    serverName: read.text('TEMPORAL_TLS_SERVER_NAME'),
  };
  if ((files.certFile === null) !== (files.keyFile === null)) {
    read.problems.push('TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE go together; set both or neither');
  }
  return {
    address: read.text('TEMPORAL_ADDRESS') ?? `127.0.0.1:${read.integer('TEMPORAL_PORT')}`,
    namespace: read.textOrDefault('TEMPORAL_NAMESPACE'),
    apiKey: read.text('TEMPORAL_API_KEY'),
    tls: Object.values(files).some((value) => value !== null) ? files : null,
    /** Null: workers are unversioned. */
    buildId: buildId(read),
    /** The Temporal Web UI. */
    uiUrl:
      read.text('TEMPORAL_UI_URL') === null
        ? `http://127.0.0.1:${read.integer('TEMPORAL_UI_PORT')}`
        : read.url('TEMPORAL_UI_URL', SETTINGS.TEMPORAL_UI_URL.example),
  };
}

function buildId(read: SettingsReader): string | null {
  const text = read.text('TEMPORAL_BUILD_ID');
  if (text !== null && !/^[A-Za-z0-9][\w.-]{0,99}$/.test(text)) read.addInvalid('TEMPORAL_BUILD_ID');
  return text;
}

/** Null if a `%` encodes no character. */
function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Headers are `name=value,name=value`, as OpenTelemetry's specification has them. Errors do not show values. */
function otlpConfig(read: SettingsReader) {
  const headers = read.list('OTEL_EXPORTER_OTLP_HEADERS').map((entry) => /^([\w.-]+)=(.+)$/.exec(entry)?.slice(1) ?? null);
  if (headers.includes(null)) read.problems.push(`OTEL_EXPORTER_OTLP_HEADERS takes ${SETTINGS.OTEL_EXPORTER_OTLP_HEADERS.takes}`);
  const sampleRatio = read.parsed('OTEL_TRACES_SAMPLER_ARG', (text) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : null));
  if (read.text('OTEL_EXPORTER_OTLP_ENDPOINT') === null) return null;
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', SETTINGS.OTEL_EXPORTER_OTLP_ENDPOINT.example);
  const { username, password } = new URL(endpoint);
  if (username !== '' || password !== '')
    read.problems.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT has a user or password; send them in OTEL_EXPORTER_OTLP_HEADERS as authorization=Basic …',
    );
  return {
    endpoint,
    // Vendors document values with percent-encoding, as OpenTelemetry's specification asks.
    headers: Object.fromEntries(
      headers.flatMap((entry) => (entry === null ? [] : [[entry[0], decodePercent(entry[1] ?? '') ?? entry[1]]])),
    ) as Record<string, string>,
    sampleRatio,
  };
}

/** Slots limit the tasks that a worker processes concurrently; pollers limit its open requests for tasks. */
function workerConfig(read: SettingsReader) {
  return {
    maxCachedWorkflows: read.integer('WORKER_MAX_CACHED_WORKFLOWS'),
    workflowTaskSlots: read.integer('WORKER_WORKFLOW_TASK_SLOTS'),
    workflowTaskPollers: read.integer('WORKER_WORKFLOW_TASK_POLLERS'),
    activitySlots: read.integer('WORKER_ACTIVITY_SLOTS'),
    webhookSlots: read.integer('WORKER_WEBHOOK_SLOTS'),
    activityPollers: read.integer('WORKER_ACTIVITY_POLLERS'),
    localActivitySlots: read.integer('WORKER_LOCAL_ACTIVITY_SLOTS'),
  };
}

/** `id:key[,id:key…]`: the first key encrypts, all decrypt; `plain` in first place disables encryption. Errors never show a key. */
function codecKeys(read: SettingsReader): CodecKeys | null {
  const entries = read.list('TEMPORAL_CODEC_KEY');
  if (entries.length === 0) return null;
  const keyEntries = entries[0] === 'plain' ? entries.slice(1) : entries;
  const decrypt = keyEntries.flatMap((entry, index) => {
    const key = readCodecKey(entry);
    if (key === null) read.problems.push(`TEMPORAL_CODEC_KEY: key ${index + 1} is invalid; it takes ${SETTINGS.TEMPORAL_CODEC_KEY.takes}`);
    return key === null ? [] : [key];
  });
  if (new Set(decrypt.map(({ id }) => id)).size < decrypt.length)
    read.problems.push('TEMPORAL_CODEC_KEY repeats an id; give each key its own id');
  return { encryptionKey: entries[0] === 'plain' ? null : (decrypt[0] ?? null), decryptionKeys: decrypt };
}

/** The default is the origin of the Web UI. */
function codecOrigins(read: SettingsReader, uiUrl: string): string[] {
  const origins = read.origins('TEMPORAL_CODEC_ORIGINS');
  return origins.length === 0 ? [new URL(uiUrl).origin] : origins;
}

function secretsKeys(read: SettingsReader): SecretsKey[] {
  const text = read.text('SECRETS_KEY');
  if (text === null) {
    read.problems.push(`SECRETS_KEY is not set; it takes ${SETTINGS.SECRETS_KEY.takes} (npm start keeps one for you)`);
    return [];
  }
  const { keys, problems } = readSecretsKeys(text);
  read.problems.push(...problems);
  return keys;
}

function retrySchedule(read: SettingsReader): number[] {
  const text = read.text('WEBHOOK_RETRY_SCHEDULE');
  if (text === null) return [...DEFAULT_RETRY_SCHEDULE_MS];
  return text.split(',').map((part) => {
    const value = parseDuration(part);
    if (value === null)
      read.problems.push(`WEBHOOK_RETRY_SCHEDULE: "${part}" is not a duration; use the format ${SETTINGS.WEBHOOK_RETRY_SCHEDULE.example}`);
    return value ?? 0;
  });
}

function s3Config(read: SettingsReader) {
  const bucket = read.text('S3_BUCKET');
  if (bucket === null) return null;
  const endpoint = read.text('S3_ENDPOINT') === null ? null : read.url('S3_ENDPOINT', SETTINGS.S3_ENDPOINT.example);
  const region = read.textOrDefault('S3_REGION');
  const accessKeyId = read.text('S3_ACCESS_KEY_ID');
  const secretAccessKey = read.text('S3_SECRET_ACCESS_KEY');
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    read.problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together; set both, or neither for the identity of the workload');
  }
  const fallback = endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
  return {
    endpoint,
    region,
    bucket,
    /** Null: the AWS SDK finds the identity of the workload. */
    credentials: accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey },
    forcePathStyle: read.flag('S3_FORCE_PATH_STYLE'),
    publicUrl: read.url('S3_PUBLIC_URL', fallback),
  };
}
