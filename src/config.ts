import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { parseDuration } from './domain/duration';
import { readUrl } from './domain/urls';
import { DEFAULT_RETRY_SCHEDULE_MS } from './domain/webhook-rules';
import { isProduction, unsafeSettings } from './production-settings';
import { readCodecKey, type CodecKeys } from './security/payload-codec';
import { readSecretsKeys, type SecretsKey } from './security/secrets-keys';
import { isStudioToken } from './security/api-keys';

/** Every setting by name; anything outside this list is not ours. Source: README.md, "Settings". */
export const CONFIG_KEYS = [
  'NODE_ENV',
  'LOG_LEVEL',
  'API_PORT',
  'STUDIO_PORT',
  'STORAGE_PORT',
  'BIND_ADDRESS',
  'PUBLIC_BASE_URL',
  'STORAGE_PUBLIC_URL',
  'STORAGE_SIGNING_SECRET',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_APP_PASSWORD',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_TLS_CERT_FILE',
  'TEMPORAL_TLS_KEY_FILE',
  'TEMPORAL_TLS_CA_FILE',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'TEMPORAL_UI_URL',
  'SECRETS_KEY',
  'STUDIO_ADMIN_TOKEN',
  'WEBHOOK_ALLOWED_ORIGINS',
  'WEBHOOK_RETRY_SCHEDULE',
  'API_CORS_ORIGINS',
  'RATE_LIMIT_FACTOR',
  'TRUSTED_PROXIES',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_FORCE_PATH_STYLE',
  'S3_PUBLIC_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_OUTBOX_DIR',
  'STUDIO_MAIL_TO',
  'ORDER_QUIET_PERIOD',
  'ORDER_STATUS_ATTRIBUTE',
  'WORKER_MAX_CACHED_WORKFLOWS',
  'UPLOAD_UNUSED_DAYS',
  'QUOTE_RETENTION_DAYS',
  'TEMPORAL_CODEC_KEY',
  'TEMPORAL_CODEC_ORIGINS',
] as const;
export type ConfigKey = (typeof CONFIG_KEYS)[number];

export interface TemporalConfig {
  address: string;
  namespace: string;
  apiKey: string | null;
  tls: { certFile: string | null; keyFile: string | null; caFile: string | null; serverName: string | null } | null;
  /** Where ops open a workflow's history; null when unknown. */
  uiUrl: string | null;
}

export interface S3Config {
  endpoint: string | null;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
  publicUrl: string;
}

export interface Config {
  /** NODE_ENV is neither `development` nor `test`. */
  production: boolean;
  logLevel: string;
  apiPort: number;
  studioPort: number;
  storagePort: number;
  bindAddress: string;
  publicBaseUrl: string;
  storagePublicUrl: string;
  /** Signs upload URLs; null: kept in the database, made on first start. */
  storageSigningSecret: string | null;
  dataDir: string;
  databaseUrl: string;
  /** Where the relay listens for commits: the database itself, where `databaseUrl` leads to a pooler. */
  databaseListenUrl: string;
  /** The password that `migrate --app-role` gives; of no use to the processes. */
  databaseAppPassword: string | null;
  temporal: TemporalConfig;
  /** What encrypts secrets at rest: the first encrypts, all decrypt. */
  secretsKeys: SecretsKey[];
  studioAdminToken: string | null;
  webhookAllowedOrigins: string[];
  webhookRetryScheduleMs: number[];
  trustedProxies: string[];
  /** Whose pages may call the trade API. */
  apiCorsOrigins: string[];
  /** Every budget of requests times this; 1 in production. */
  rateLimitFactor: number;
  s3: S3Config | null;
  smtpUrl: string | null;
  mailFrom: string;
  mailOutboxDir: string;
  /** Where the studio reads about endpoints that keep failing. */
  studioMail: string;
  /** How long a settled order's workflow stays open without news, ms. */
  orderQuietPeriodMs: number;
  /** The search attribute OrderStatus follows an order's status: one Temporal action each time it changes. */
  orderStatusAttribute: boolean;
  workerMaxCachedWorkflows: number;
  /** Artwork that no quote or order has named for so many days is removed. */
  uploadUnusedDays: number;
  /** Encrypts what Temporal stores; null: it is plain. */
  codecKeys: CodecKeys | null;
  /** Whose pages may ask for decoded payloads; by default those of the Web UI. */
  codecOrigins: string[];
  /** Days after which an unordered quote's address is forgotten, counted from its end; 0: never. */
  quoteRetentionDays: number;
}

/** Thrown with every problem of the environment at once. */
export class ConfigError extends Error {
  constructor(
    readonly problems: string[],
    note = '',
  ) {
    super(`the settings do not work:\n${problems.map((problem) => `  - ${problem}`).join('\n')}${note}`);
  }
}

type Env = Record<string, string | undefined>;

class Reader {
  readonly problems: string[] = [];
  constructor(private readonly env: Env) {}

  text(key: ConfigKey): string | null {
    const value = this.env[key];
    return value === undefined || value === '' ? null : value;
  }

  integer(key: ConfigKey, fallback: number, min: number, max: number): number {
    const text = this.text(key);
    if (text === null) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.problems.push(`${key} is "${text}"; it takes a whole number from ${min} to ${max}`);
    return fallback;
  }

  flag(key: ConfigKey, fallback = false): boolean {
    const text = this.text(key);
    if (text !== null && !['true', 'false'].includes(text)) this.problems.push(`${key} is "${text}"; it takes true or false`);
    return text === null ? fallback : text === 'true';
  }

  duration(key: ConfigKey, fallback: string): number {
    const text = this.text(key) ?? fallback;
    const value = parseDuration(text);
    if (value === null) this.problems.push(`${key} is "${text}"; it takes a duration such as 90s, 5m, 12h or 30d`);
    return value ?? 0;
  }

  url(key: ConfigKey, fallback: string): string {
    const text = this.text(key) ?? fallback;
    if (readUrl(text) !== null) return text.replace(/\/+$/, '');
    this.problems.push(`${key} is "${text}"; it takes a URL such as ${fallback}`);
    return fallback;
  }

  /** Exact origins, as browsers send them: no path, no default port. */
  origins(key: ConfigKey, example: string): string[] {
    const origins = this.list(key);
    for (const origin of origins) {
      if (readUrl(origin)?.origin !== origin) this.problems.push(`${key}: "${origin}" is no origin; write it like ${example}`);
    }
    return origins;
  }

  list(key: ConfigKey): string[] {
    return (this.text(key) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
}

/**
 * Reads the environment into one frozen object.
 * @throws ConfigError naming every problem at once.
 */
export function loadConfig(env: Env = process.env): Config {
  const read = new Reader(env);
  const production = isProduction(env.NODE_ENV);
  const bindAddress = read.text('BIND_ADDRESS') ?? '127.0.0.1';
  const shown = ['0.0.0.0', '::'].includes(bindAddress) ? '127.0.0.1' : bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
  const apiPort = read.integer('API_PORT', 8080, 0, 65535);
  const storagePort = read.integer('STORAGE_PORT', 8082, 0, 65535);
  const dataDir = path.resolve(read.text('DATA_DIR') ?? '.data');
  const temporal = temporalConfig(read);
  const config: Config = {
    production,
    logLevel: logLevel(read),
    apiPort,
    studioPort: read.integer('STUDIO_PORT', 8081, 0, 65535),
    storagePort,
    bindAddress,
    publicBaseUrl: read.url('PUBLIC_BASE_URL', `http://${shown}:${apiPort}/v1`),
    storagePublicUrl: read.url('STORAGE_PUBLIC_URL', `http://${shown}:${storagePort}`),
    storageSigningSecret: read.text('STORAGE_SIGNING_SECRET'),
    dataDir,
    databaseUrl: databaseUrl(read),
    databaseListenUrl: listenUrl(read),
    databaseAppPassword: read.text('DATABASE_APP_PASSWORD'),
    temporal,
    secretsKeys: secretsKeys(read),
    studioAdminToken: adminToken(read),
    webhookAllowedOrigins: read.origins('WEBHOOK_ALLOWED_ORIGINS', 'http://127.0.0.1:9000'),
    webhookRetryScheduleMs: retrySchedule(read),
    trustedProxies: trustedProxies(read),
    apiCorsOrigins: read.origins('API_CORS_ORIGINS', 'https://shop.example'),
    rateLimitFactor: rateLimitFactor(read),
    s3: s3Config(read),
    smtpUrl: smtpUrl(read),
    mailFrom: read.text('MAIL_FROM') ?? 'Print studio <orders@studio.invalid>',
    mailOutboxDir: path.resolve(read.text('MAIL_OUTBOX_DIR') ?? path.join(dataDir, 'outbox')),
    studioMail: read.text('STUDIO_MAIL_TO') ?? 'studio@studio.invalid',
    orderQuietPeriodMs: read.duration('ORDER_QUIET_PERIOD', '30d'),
    orderStatusAttribute: read.flag('ORDER_STATUS_ATTRIBUTE', true),
    codecKeys: codecKeys(read),
    codecOrigins: codecOrigins(read, temporal),
    quoteRetentionDays: read.integer('QUOTE_RETENTION_DAYS', 90, 0, 36_500),
    workerMaxCachedWorkflows: read.integer('WORKER_MAX_CACHED_WORKFLOWS', 500, 1, 1_000_000),
    uploadUnusedDays: read.integer('UPLOAD_UNUSED_DAYS', 30, 1, 3650),
  };
  if (production) {
    read.problems.push(
      ...unsafeSettings(
        { ...config, mailFrom: read.text('MAIL_FROM'), studioMail: read.text('STUDIO_MAIL_TO') },
        (key) => read.text(key) !== null,
      ),
    );
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems, noteOn(env.NODE_ENV));
  return Object.freeze(config);
}

/** Whoever meant no production learns why its rules hold. */
function noteOn(nodeEnv: string | undefined): string {
  if (nodeEnv === 'production' || !isProduction(nodeEnv)) return '';
  return `\nNODE_ENV is ${nodeEnv ? `"${nodeEnv}"` : 'not set'}, which counts as production; on your own machine set it to development or test.`;
}

function smtpUrl(read: Reader): string | null {
  const url = read.text('SMTP_URL');
  if (url !== null && !(/^smtps?:\/\//.test(url) && readUrl(url) !== null))
    read.problems.push('SMTP_URL takes smtp://user:password@host:587 or smtps://…');
  return url;
}

function logLevel(read: Reader): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
  const level = read.text('LOG_LEVEL') ?? 'info';
  if (!levels.includes(level)) read.problems.push(`LOG_LEVEL is "${level}"; it takes one of ${levels.join(', ')}`);
  return level;
}

function databaseUrl(read: Reader): string {
  const url = read.text('DATABASE_URL');
  if (url === null)
    read.problems.push('DATABASE_URL is not set; it takes postgres://user:password@host:5432/database (npm start sets it for you)');
  else if (!/^postgres(ql)?:\/\//.test(url)) read.problems.push('DATABASE_URL does not start with postgres://');
  return url ?? '';
}

function listenUrl(read: Reader): string {
  const url = read.text('DATABASE_LISTEN_URL');
  if (url !== null && !/^postgres(ql)?:\/\//.test(url)) read.problems.push('DATABASE_LISTEN_URL does not start with postgres://');
  return url ?? read.text('DATABASE_URL') ?? '';
}

function temporalConfig(read: Reader): TemporalConfig {
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
    address: read.text('TEMPORAL_ADDRESS') ?? `127.0.0.1:${read.integer('TEMPORAL_PORT', 7233, 1, 65535)}`,
    namespace: read.text('TEMPORAL_NAMESPACE') ?? 'default',
    apiKey: read.text('TEMPORAL_API_KEY'),
    tls: Object.values(files).some((value) => value !== null) ? files : null,
    uiUrl: temporalUi(read),
  };
}

/** `id:key[,id:key…]`: the first encrypts, all decrypt; `plain` in the first place encrypts nothing. Never shows a key. */
function codecKeys(read: Reader): CodecKeys | null {
  const entries = read.list('TEMPORAL_CODEC_KEY');
  if (entries.length === 0) return null;
  const named = entries[0] === 'plain' ? entries.slice(1) : entries;
  const decrypt = named.flatMap((entry, index) => {
    const key = readCodecKey(entry);
    if (key === null)
      read.problems.push(
        `TEMPORAL_CODEC_KEY: key ${index + 1} is none; write id:key, the key being 32 bytes in base64url, several separated by commas`,
      );
    return key === null ? [] : [key];
  });
  if (new Set(decrypt.map(({ id }) => id)).size < decrypt.length)
    read.problems.push('TEMPORAL_CODEC_KEY names an id twice; each key needs an id of its own');
  return { encrypts: entries[0] === 'plain' ? null : (decrypt[0] ?? null), decrypt };
}

/** By default the pages of the Web UI. */
function codecOrigins(read: Reader, { uiUrl }: TemporalConfig): string[] {
  const origins = read.origins('TEMPORAL_CODEC_ORIGINS', 'https://temporal.example');
  const pages = uiUrl === null ? null : readUrl(uiUrl);
  return origins.length === 0 && pages !== null ? [pages.origin] : origins;
}

function temporalUi(read: Reader): string | null {
  const explicit = read.text('TEMPORAL_UI_URL');
  if (explicit !== null) return read.url('TEMPORAL_UI_URL', 'http://127.0.0.1:8233');
  return `http://127.0.0.1:${read.integer('TEMPORAL_UI_PORT', 8233, 1, 65535)}`;
}

function secretsKeys(read: Reader): SecretsKey[] {
  const text = read.text('SECRETS_KEY');
  if (text === null) {
    read.problems.push(
      'SECRETS_KEY is not set; it takes <id>:<32 random bytes as base64url>, several with commas, the first encrypts (npm start keeps one for you)',
    );
    return [];
  }
  const { keys, problems } = readSecretsKeys(text);
  read.problems.push(...problems);
  return keys;
}

function adminToken(read: Reader): string | null {
  const token = read.text('STUDIO_ADMIN_TOKEN');
  if (token !== null && !isStudioToken(token)) {
    read.problems.push('STUDIO_ADMIN_TOKEN takes lps_ and 64 lowercase hexadecimal characters');
  }
  return token;
}

/** More than a million times a budget is more than PostgreSQL counts. */
function rateLimitFactor(read: Reader): number {
  const text = read.text('RATE_LIMIT_FACTOR') ?? '1';
  const factor = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (factor >= 1 && factor <= 1_000_000) return factor;
  read.problems.push(`RATE_LIMIT_FACTOR is "${text}"; it takes a number from 1 to 1000000, such as 2.5`);
  return 1;
}

function retrySchedule(read: Reader): number[] {
  const text = read.text('WEBHOOK_RETRY_SCHEDULE');
  if (text === null) return [...DEFAULT_RETRY_SCHEDULE_MS];
  return text.split(',').map((part) => {
    const value = parseDuration(part);
    if (value === null) read.problems.push(`WEBHOOK_RETRY_SCHEDULE: "${part}" is no duration; write the list like 200ms,1s,5m`);
    return value ?? 0;
  });
}

function trustedProxies(read: Reader): string[] {
  const ranges = read.list('TRUSTED_PROXIES');
  for (const range of ranges) {
    if (!ipaddr.isValidCIDR(range)) read.problems.push(`TRUSTED_PROXIES: "${range}" is no CIDR; write it like 10.0.0.0/8`);
  }
  return ranges;
}

function s3Config(read: Reader): S3Config | null {
  const bucket = read.text('S3_BUCKET');
  if (bucket === null) return null;
  const endpoint = read.text('S3_ENDPOINT');
  const region = read.text('S3_REGION') ?? 'us-east-1';
  const accessKeyId = read.text('S3_ACCESS_KEY_ID');
  const secretAccessKey = read.text('S3_SECRET_ACCESS_KEY');
  if (accessKeyId === null || secretAccessKey === null) {
    read.problems.push('S3_BUCKET is set, so S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set too');
  }
  const fallback = endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  return {
    endpoint,
    region,
    bucket,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
    forcePathStyle: read.flag('S3_FORCE_PATH_STYLE'),
    publicUrl: read.url('S3_PUBLIC_URL', fallback),
  };
}
