import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { parseDuration } from './domain/duration';
import { readUrl } from './domain/urls';
import { DEFAULT_RETRY_SCHEDULE_MS } from './domain/webhook-rules';
import { isProduction, unsafeSettings } from './production-settings';
import { readCodecKey, type CodecKeys } from './security/payload-codec';
import { readSecretsKeys, type SecretsKey } from './security/secrets-keys';
import { isStudioToken } from './security/api-keys';
import { SETTINGS, type SettingName, type SettingWith } from './settings';

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
  /** A live order is this old when it is confirmed to the customer, ms. */
  confirmationDelayMs: number;
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

  /** Null when the setting is unset or empty. */
  text(name: SettingName): string | null {
    return this.env[name] || null;
  }

  textOrDefault(name: SettingWith<'default'>): string {
    return this.text(name) ?? SETTINGS[name].default;
  }

  integer(name: SettingWith<'range' | 'default'>): number {
    const { range, default: fallback } = SETTINGS[name];
    const text = this.textOrDefault(name);
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= range[0] && value <= range[1]) return value;
    this.refuse(name);
    return Number(fallback);
  }

  flag(name: 'S3_FORCE_PATH_STYLE' | 'ORDER_STATUS_ATTRIBUTE'): boolean {
    const text = this.textOrDefault(name);
    if (!['true', 'false'].includes(text)) this.refuse(name);
    return text === 'true';
  }

  duration(name: 'ORDER_QUIET_PERIOD' | 'CONFIRMATION_DELAY'): number {
    const value = parseDuration(this.textOrDefault(name));
    if (value === null) this.refuse(name);
    return value ?? 0;
  }

  /** Adds the problem that the setting has another form. */
  refuse(name: SettingWith<'takes'>): void {
    this.problems.push(`${name} is "${this.text(name)}"; it takes ${SETTINGS[name].takes}`);
  }

  url(name: SettingName, fallback: string): string {
    const text = this.text(name) ?? fallback;
    if (readUrl(text) !== null) return text.replace(/\/+$/, '');
    this.problems.push(`${name} is "${text}"; it takes a URL such as ${fallback}`);
    return fallback;
  }

  /** Exact origins, as browsers send them: no path, no default port. */
  origins(name: SettingWith<'example'>): string[] {
    const origins = this.list(name);
    for (const origin of origins) {
      if (readUrl(origin)?.origin !== origin)
        this.problems.push(`${name}: "${origin}" is no origin; write it like ${SETTINGS[name].example}`);
    }
    return origins;
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
 * @throws ConfigError naming every problem at once.
 */
export function loadConfig(env: Env = process.env): Config {
  const read = new Reader(env);
  const production = isProduction(env.NODE_ENV);
  const bindAddress = read.textOrDefault('BIND_ADDRESS');
  const shown = ['0.0.0.0', '::'].includes(bindAddress) ? '127.0.0.1' : bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
  const apiPort = read.integer('API_PORT');
  const storagePort = read.integer('STORAGE_PORT');
  const dataDir = path.resolve(read.textOrDefault('DATA_DIR'));
  const temporal = temporalConfig(read);
  const config: Config = {
    production,
    logLevel: logLevel(read),
    apiPort,
    studioPort: read.integer('STUDIO_PORT'),
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
    webhookAllowedOrigins: read.origins('WEBHOOK_ALLOWED_ORIGINS'),
    webhookRetryScheduleMs: retrySchedule(read),
    trustedProxies: trustedProxies(read),
    apiCorsOrigins: read.origins('API_CORS_ORIGINS'),
    rateLimitFactor: rateLimitFactor(read),
    s3: s3Config(read),
    smtpUrl: smtpUrl(read),
    mailFrom: read.textOrDefault('MAIL_FROM'),
    mailOutboxDir: path.resolve(read.text('MAIL_OUTBOX_DIR') ?? path.join(dataDir, 'outbox')),
    studioMail: read.textOrDefault('STUDIO_MAIL_TO'),
    orderQuietPeriodMs: read.duration('ORDER_QUIET_PERIOD'),
    confirmationDelayMs: read.duration('CONFIRMATION_DELAY'),
    orderStatusAttribute: read.flag('ORDER_STATUS_ATTRIBUTE'),
    codecKeys: codecKeys(read),
    codecOrigins: codecOrigins(read, temporal),
    quoteRetentionDays: read.integer('QUOTE_RETENTION_DAYS'),
    workerMaxCachedWorkflows: read.integer('WORKER_MAX_CACHED_WORKFLOWS'),
    uploadUnusedDays: read.integer('UPLOAD_UNUSED_DAYS'),
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
  if (url !== null && !(/^smtps?:\/\//.test(url) && readUrl(url) !== null)) read.problems.push(`SMTP_URL takes ${SETTINGS.SMTP_URL.takes}`);
  return url;
}

function logLevel(read: Reader): string {
  const level = read.textOrDefault('LOG_LEVEL');
  if (!SETTINGS.LOG_LEVEL.values.includes(level)) read.refuse('LOG_LEVEL');
  return level;
}

function databaseUrl(read: Reader): string {
  const url = read.text('DATABASE_URL');
  if (url === null) read.problems.push(`DATABASE_URL is not set; it takes ${SETTINGS.DATABASE_URL.takes} (npm start sets it for you)`);
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
    address: read.text('TEMPORAL_ADDRESS') ?? `127.0.0.1:${read.integer('TEMPORAL_PORT')}`,
    namespace: read.textOrDefault('TEMPORAL_NAMESPACE'),
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
    if (key === null) read.problems.push(`TEMPORAL_CODEC_KEY: key ${index + 1} is none; write ${SETTINGS.TEMPORAL_CODEC_KEY.takes}`);
    return key === null ? [] : [key];
  });
  if (new Set(decrypt.map(({ id }) => id)).size < decrypt.length)
    read.problems.push('TEMPORAL_CODEC_KEY names an id twice; each key needs an id of its own');
  return { encrypts: entries[0] === 'plain' ? null : (decrypt[0] ?? null), decrypt };
}

/** By default the pages of the Web UI. */
function codecOrigins(read: Reader, { uiUrl }: TemporalConfig): string[] {
  const origins = read.origins('TEMPORAL_CODEC_ORIGINS');
  const pages = uiUrl === null ? null : readUrl(uiUrl);
  return origins.length === 0 && pages !== null ? [pages.origin] : origins;
}

function temporalUi(read: Reader): string | null {
  const explicit = read.text('TEMPORAL_UI_URL');
  if (explicit !== null) return read.url('TEMPORAL_UI_URL', SETTINGS.TEMPORAL_UI_URL.example);
  return `http://127.0.0.1:${read.integer('TEMPORAL_UI_PORT')}`;
}

function secretsKeys(read: Reader): SecretsKey[] {
  const text = read.text('SECRETS_KEY');
  if (text === null) {
    read.problems.push(`SECRETS_KEY is not set; it takes ${SETTINGS.SECRETS_KEY.takes} (npm start keeps one for you)`);
    return [];
  }
  const { keys, problems } = readSecretsKeys(text);
  read.problems.push(...problems);
  return keys;
}

function adminToken(read: Reader): string | null {
  const token = read.text('STUDIO_ADMIN_TOKEN');
  if (token !== null && !isStudioToken(token)) {
    read.problems.push(`STUDIO_ADMIN_TOKEN takes ${SETTINGS.STUDIO_ADMIN_TOKEN.takes}`);
  }
  return token;
}

/** More than a million times a budget is more than PostgreSQL counts. */
function rateLimitFactor(read: Reader): number {
  const text = read.textOrDefault('RATE_LIMIT_FACTOR');
  const factor = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (factor >= 1 && factor <= 1_000_000) return factor;
  read.refuse('RATE_LIMIT_FACTOR');
  return 1;
}

function retrySchedule(read: Reader): number[] {
  const text = read.text('WEBHOOK_RETRY_SCHEDULE');
  if (text === null) return [...DEFAULT_RETRY_SCHEDULE_MS];
  return text.split(',').map((part) => {
    const value = parseDuration(part);
    if (value === null)
      read.problems.push(
        `WEBHOOK_RETRY_SCHEDULE: "${part}" is no duration; write the list like ${SETTINGS.WEBHOOK_RETRY_SCHEDULE.example}`,
      );
    return value ?? 0;
  });
}

function trustedProxies(read: Reader): string[] {
  const ranges = read.list('TRUSTED_PROXIES');
  for (const range of ranges) {
    if (!ipaddr.isValidCIDR(range))
      read.problems.push(`TRUSTED_PROXIES: "${range}" is no CIDR; write it like ${SETTINGS.TRUSTED_PROXIES.example}`);
  }
  return ranges;
}

function s3Config(read: Reader): S3Config | null {
  const bucket = read.text('S3_BUCKET');
  if (bucket === null) return null;
  const endpoint = read.text('S3_ENDPOINT');
  const region = read.textOrDefault('S3_REGION');
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
