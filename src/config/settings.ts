/** A setting, for docs/settings.md and `loadConfig`. */
interface Setting {
  /** Markdown; links are relative to docs/. */
  meaning: string;
  /** The value when it is not set. */
  default?: string;
  /** What happens when it is not set and has no fixed default. Markdown. */
  unset?: string;
  /** Describes valid values in error messages. */
  takes?: string;
  example?: string;
  range?: readonly [min: number, max: number];
  values?: readonly string[];
  /** Production does not start without a `needed` setting, or with a `refused` one. */
  production?: 'needed' | 'refused';
  /** Can also be in the file that `<NAME>_FILE` names. */
  secret?: true;
}

const wholeNumber = (min: number, max: number) => ({ range: [min, max], takes: `a whole number from ${min} to ${max}` }) as const;
const oneOf = (...values: string[]) => ({ values, takes: `one of ${values.join(', ')}` });
const PORT = wholeNumber(0, 65535);
/** The ports of the embedded Temporal. */
const FIXED_PORT = wholeNumber(1, 65535);
const FLAG = { takes: 'true or false' };
const BYTE_SIZE = { takes: 'a size such as 500MB or 50GB' };
/** A URL ends or divides at these characters. Keys of Amazon SES often have a slash. */
const ENCODED_PASSWORD = 'in the user and password, / is %2F, @ is %40, : is %3A, # is %23, ? is %3F and % is %25';
const DURATION = { takes: 'a duration such as 90s, 5m, 12h or 30d' };

const PROCESSES = {
  NODE_ENV: {
    meaning:
      'Every value except `development` and `test` is production, which [refuses unsafe settings](operations.md#settings-in-production).',
    unset: 'production; `npm start` sets `development`',
  },
  LOG_LEVEL: {
    meaning: 'The lowest level that is logged.',
    default: 'info',
    ...oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  GIT_COMMIT: {
    meaning: 'The commit of the release, for `/healthz` and logs. The image sets it.',
    unset: '`unknown`',
  },
  CHILD_USER: {
    meaning:
      "The numeric user and group that run the picture decoder and the document renderer ([child processes](security.md#child-processes)). They apply if root starts the service. Otherwise both run as the service's user.",
    default: '65534:65534',
    takes: 'uid:gid, each a whole number from 1 to 2147483647',
  },
  HEIC_PREVIEWS: {
    meaning:
      "Whether the inspector decodes HEIC, the format of phones. `false` turns its HEVC decoder off, for example because of the codec's patents ([dependencies](dependencies.md#heic)). HEIC then has the state `no_preview`. Earlier results stay until [the line is inspected again](guides/studio/how-do-i.md#inspect-artwork-again).",
    default: 'true',
    ...FLAG,
  },
  SHUTDOWN_DELAY: {
    meaning:
      'How long an API process that is told to stop still accepts requests while `/readyz` returns 503. Set it to how long your load balancer takes to notice, and give the process this time and 15 seconds before SIGKILL.',
    default: '0s',
    takes: 'a duration up to 1h, such as 10s',
  },
  DATA_DIR: {
    meaning:
      'The folder of the embedded artwork store and the mail outbox. `npm start` also keeps PostgreSQL, Temporal and its secrets here.',
    default: '.data',
  },
} as const satisfies Record<string, Setting>;

const LISTENERS = {
  API_PORT: { meaning: 'The port of the trade API. Port 0 takes any free port.', default: '8080', ...PORT },
  STUDIO_PORT: { meaning: 'The port of the studio API and the console.', default: '8081', ...PORT },
  STORAGE_PORT: { meaning: 'The port of the embedded artwork store.', default: '8082', ...PORT },
  MANAGEMENT_PORT: {
    meaning:
      'The port on which each process serves `/metrics`, `/healthz` and `/readyz` ([observability](operations/observability.md)). Keep it private. `npm start` gives this port to the API and the next three to the worker, the relay and the inspector.',
    default: '9464',
    ...PORT,
  },
  BIND_ADDRESS: { meaning: 'The address on which all listeners accept connections.', default: '127.0.0.1' },
  PUBLIC_BASE_URL: {
    meaning: 'The URL of the trade API as clients see it.',
    unset: '`http://<BIND_ADDRESS>:<API_PORT>/v1`',
    example: 'https://api.studio.example/v1',
  },
  STUDIO_PUBLIC_URL: {
    meaning: 'The URL of the console as people at the studio see it. Mails to the studio link to it.',
    unset: '`http://<BIND_ADDRESS>:<STUDIO_PORT>`',
    example: 'https://studio.example',
  },
  API_CORS_ORIGINS: {
    meaning:
      'The web pages that may call the trade API from a browser: exact origins, separated by commas ([what they may call](specification.md#calls-from-a-browser)).',
    unset: 'none',
    example: 'https://shop.example',
  },
  TRUSTED_PROXIES: {
    meaning: 'The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers the service believes: CIDR ranges, separated by commas.',
    unset: 'none',
    example: '10.0.0.0/8',
  },
  RATE_LIMIT_FACTOR: {
    meaning: 'Multiplies the requests a minute of every [limit](specification.md#limits). For development and tests.',
    default: '1',
    takes: 'a number from 1 to 1000000, such as 2.5',
    production: 'refused',
  },
} as const satisfies Record<string, Setting>;

const DATABASE = {
  DATABASE_URL: {
    meaning:
      'The PostgreSQL database. With `?sslmode=verify-full&sslrootcert=/path/ca.pem`, the connection is encrypted and the certificate checked; without `sslmode` it is not encrypted.',
    unset: '`npm start` starts an embedded PostgreSQL',
    takes: `postgres://user:password@host:5432/database; ${ENCODED_PASSWORD}`,
    production: 'needed',
    secret: true,
  },
  DATABASE_DIRECT_URL: {
    meaning:
      'The address of the database itself, if `DATABASE_URL` is [a pooler](operations/pooler.md). The relay listens for commits on it, and `trade-print` migrates and reconciles on it. A relay that cannot listen polls ten times a second.',
    unset: '`DATABASE_URL`',
    takes: `postgres://user:password@host:5432/database; ${ENCODED_PASSWORD}`,
    secret: true,
  },
  DATABASE_POOL_SIZE: {
    meaning:
      'The most connections to `DATABASE_URL` that each process opens ([all of them](operations/pooler.md#connections)). The trade requests of one account use at most five.',
    default: '20',
    ...wholeNumber(5, 1_000),
  },
  DATABASE_PREPARED_STATEMENTS: {
    meaning:
      'Whether a connection plans a frequent statement once. `false` for a pooler that does not track prepared statements (PgBouncer: `max_prepared_statements = 0`).',
    default: 'true',
    ...FLAG,
  },
  DATABASE_APP_PASSWORD: {
    meaning: 'The password of the role that `trade-print migrate --app-role <name>` creates. Nothing else reads it.',
    unset: 'a new role has no password',
    secret: true,
  },
} as const satisfies Record<string, Setting>;

const WORKERS = {
  WORKER_MAX_CACHED_WORKFLOWS: {
    meaning: 'How many workflows a worker keeps in memory.',
    default: '500',
    ...wholeNumber(2, 1_000_000),
  },
  WORKER_WORKFLOW_TASK_SLOTS: {
    meaning: 'How many workflow tasks a worker processes at once.',
    default: '40',
    ...wholeNumber(2, 10_000),
  },
  WORKER_WORKFLOW_TASK_POLLERS: {
    meaning: 'How many requests for workflow tasks a worker keeps open.',
    default: '20',
    ...wholeNumber(2, 1_000),
  },
  WORKER_ACTIVITY_SLOTS: {
    meaning: 'How many activities the worker of orders runs at once.',
    default: '100',
    ...wholeNumber(1, 10_000),
  },
  WORKER_WEBHOOK_SLOTS: {
    meaning: 'How many webhook retries a relay makes at once. An endpoint has at most four.',
    default: '1000',
    ...wholeNumber(1, 10_000),
  },
  WORKER_ACTIVITY_POLLERS: {
    meaning: 'How many requests for activities a worker keeps open.',
    default: '10',
    ...wholeNumber(1, 1_000),
  },
  WORKER_LOCAL_ACTIVITY_SLOTS: {
    meaning: 'How many local activities a worker runs at once. Each reads or writes one order or quote, over one database connection.',
    default: '100',
    ...wholeNumber(1, 10_000),
  },
} as const satisfies Record<string, Setting>;

const TEMPORAL = {
  TEMPORAL_ADDRESS: {
    meaning: 'The Temporal server, self-hosted or Temporal Cloud.',
    unset: '`127.0.0.1:<TEMPORAL_PORT>`, where `npm start` starts a dev server',
    example: 'temporal.studio.example:7233',
  },
  TEMPORAL_NAMESPACE: { meaning: 'The Temporal namespace.', default: 'default' },
  TEMPORAL_API_KEY: { meaning: 'The API key for Temporal Cloud.', unset: 'none is sent', secret: true },
  TEMPORAL_TLS_CERT_FILE: {
    meaning: 'The client certificate for Temporal. Needs `TEMPORAL_TLS_KEY_FILE`.',
    unset: 'no client certificate',
  },
  TEMPORAL_TLS_KEY_FILE: { meaning: 'The key of the client certificate. Needs `TEMPORAL_TLS_CERT_FILE`.', unset: 'no client certificate' },
  TEMPORAL_TLS_CA_FILE: { meaning: "The authority that signed Temporal's certificate.", unset: "the system's authorities" },
  TEMPORAL_TLS_SERVER_NAME: { meaning: "The name in Temporal's certificate.", unset: 'the host of `TEMPORAL_ADDRESS`' },
  TEMPORAL_CODEC_KEY: {
    meaning:
      'Encrypts the payloads that Temporal stores ([how](operations.md#what-temporal-stores)). The first key encrypts. Every key decrypts. If `plain` comes first, new payloads are not encrypted.',
    unset: 'payloads are plain',
    takes: 'id:key, the key being 32 bytes in base64url, several separated by commas',
    secret: true,
  },
  TEMPORAL_CODEC_ORIGINS: {
    meaning: 'The web pages that may ask the service to decode payloads: exact origins, separated by commas.',
    unset: 'the origin of `TEMPORAL_UI_URL`',
    example: 'https://temporal.example',
  },
  TEMPORAL_BUILD_ID: {
    meaning:
      'The build of this release, for [Worker Versioning](operations.md#worker-versioning): workers carry it, and `trade-print migrate` makes Temporal give new tasks to this build only. `npm start` ignores it.',
    unset: 'workers are unversioned',
    takes: 'up to 100 letters, digits, dots, hyphens and underscores, such as 1.4.0-3f9c2ab; the first is a letter or a digit',
  },
  TEMPORAL_PORT: { meaning: 'The port of the embedded dev server.', default: '7233', ...FIXED_PORT },
  TEMPORAL_UI_PORT: { meaning: "The port of the dev server's Web UI.", default: '8233', ...FIXED_PORT },
  TEMPORAL_UI_URL: {
    meaning: 'The Web UI to which the console links.',
    unset: '`http://127.0.0.1:<TEMPORAL_UI_PORT>`',
    example: 'http://127.0.0.1:8233',
  },
  ORDER_QUIET_PERIOD: {
    meaning: 'The workflow of a settled order closes after this time without a message.',
    default: '30d',
    ...DURATION,
  },
  CONFIRMATION_DELAY: {
    meaning: 'How old a live order is when the service mails its confirmation. For development and tests.',
    default: '1m',
    production: 'refused',
    ...DURATION,
  },
} as const satisfies Record<string, Setting>;

const SECRETS = {
  SECRETS_KEY: {
    meaning: 'Encrypts the secrets in the database ([rotation](operations.md#secrets)). The first key encrypts, all decrypt.',
    unset: '`npm start` makes one and keeps it in `DATA_DIR/secrets-key`',
    takes: '<id>:<32 random bytes as base64url>, several with commas, the first encrypts',
    production: 'needed',
    secret: true,
  },
  STUDIO_ADMIN_TOKEN: {
    meaning: 'An admin token that the studio API accepts from the start.',
    unset: '`npm start` makes one and keeps it in `DATA_DIR/admin-token`',
    takes: 'lps_ and 64 lowercase hexadecimal characters',
    secret: true,
  },
} as const satisfies Record<string, Setting>;

const STORAGE = {
  STORAGE_PUBLIC_URL: {
    meaning: 'The URL of the embedded artwork store as clients see it.',
    unset: '`http://<BIND_ADDRESS>:<STORAGE_PORT>`',
    example: 'https://artwork.studio.example',
  },
  STORAGE_SIGNING_SECRET: {
    meaning: 'Signs the upload URLs of the embedded artwork store.',
    unset: 'made at the first start and kept encrypted in the database',
    secret: true,
  },
  S3_BUCKET: {
    meaning:
      'Keeps artwork in this bucket of an S3-compatible store. For uploads from browsers, [it needs a CORS rule](operations/containers.md#cors-of-the-bucket).',
    unset: 'the embedded artwork store',
    production: 'needed',
  },
  S3_ENDPOINT: { meaning: 'The endpoint of the S3-compatible store.', unset: 'Amazon S3', example: 'https://s3.studio.example' },
  S3_REGION: { meaning: 'The region of the bucket.', default: 'us-east-1' },
  S3_ACCESS_KEY_ID: {
    meaning: 'The access key of the bucket. Needs `S3_SECRET_ACCESS_KEY`.',
    unset: 'the [identity of the workload](operations/containers.md#s3-by-workload-identity)',
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: { meaning: 'The secret of the access key. Needs `S3_ACCESS_KEY_ID`.', unset: 'as above', secret: true },
  S3_FORCE_PATH_STYLE: { meaning: '`true` puts the bucket into the path instead of the host name.', default: 'false', ...FLAG },
  S3_PUBLIC_URL: {
    meaning: 'The URL of the bucket as clients see it.',
    unset: '`<S3_ENDPOINT>/<S3_BUCKET>`, or the URL of the bucket at Amazon S3',
    example: 'https://artwork.studio.example/bucket',
  },
  UPLOAD_UNUSED_DAYS: {
    meaning: 'The service removes artwork that no quote or order has named for this many days.',
    default: '30',
    ...wholeNumber(1, 3650),
  },
  STORAGE_QUOTA: {
    meaning:
      'The most bytes of artwork that one account may keep, with the uploads under way. Uploads beyond it are 409 `STORAGE_QUOTA_EXCEEDED`.',
    default: '50GB',
    ...BYTE_SIZE,
  },
  QUOTE_RETENTION_DAYS: {
    meaning: 'The service erases the address of a quote this many days after it expired without an order. 0 keeps addresses.',
    default: '90',
    ...wholeNumber(0, 36_500),
  },
} as const satisfies Record<string, Setting>;

const WEBHOOKS = {
  WEBHOOK_ALLOWED_ORIGINS: {
    meaning:
      'Webhook receivers that need not be public HTTPS: exact origins, separated by commas. For development and tests. `npm start` allows the receivers of the demo and the guides.',
    unset: 'none',
    example: 'http://127.0.0.1:9000',
    production: 'refused',
  },
  WEBHOOK_RETRY_SCHEDULE: {
    meaning: 'The waits between delivery attempts. For development and tests.',
    unset: 'the [webhook retry schedule](specification.md#limits)',
    example: '200ms,1s,5m',
    production: 'refused',
  },
  WEBHOOK_ATTEMPT_RETENTION_DAYS: {
    meaning:
      'The service deletes webhook attempts, with their timings and replies, after this many days. Deliveries keep the time and result of their last attempt. 0 keeps attempts.',
    default: '90',
    ...wholeNumber(0, 36_500),
  },
} as const satisfies Record<string, Setting>;

const MAIL = {
  SMTP_URL: {
    meaning: 'The server that sends mail.',
    unset: 'mail is written to `MAIL_OUTBOX_DIR`',
    takes: `smtp://user:password@host:587 or smtps://…; ${ENCODED_PASSWORD}`,
    production: 'needed',
    secret: true,
  },
  MAIL_FROM: {
    meaning: 'The sender of every mail: one address, which also receives the replies.',
    default: 'Print studio <orders@studio.invalid>',
    production: 'needed',
  },
  MAIL_OUTBOX_DIR: { meaning: 'The folder to which mail is written without `SMTP_URL`.', unset: '`DATA_DIR/outbox`' },
  STUDIO_MAIL_TO: {
    meaning:
      'The address that receives [mails to the studio](operations.md#mails-to-the-studio): failing webhook endpoints, and each morning what needs attention.',
    default: 'studio@studio.invalid',
    production: 'needed',
  },
} as const satisfies Record<string, Setting>;

const TELEMETRY = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      'The OpenTelemetry collector that receives traces and metrics as JSON over HTTP ([traces](operations/observability.md#traces)).',
    unset: 'nothing is exported and no spans are created',
    example: 'http://127.0.0.1:4318',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    meaning: 'Headers for the collector, such as its API key.',
    unset: 'none',
    takes: 'name=value, several separated by commas',
    secret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'The share of traces that are exported.',
    default: '1',
    takes: 'a number from 0 to 1, such as 0.1',
  },
} as const satisfies Record<string, Setting>;

/** Settings that only tools read. */
export const TOOL_SETTINGS = {
  STUDIO_URL: { meaning: 'The studio that [`trade-print`](cli.md#logging-in) calls.', default: 'http://127.0.0.1:8081' },
  STUDIO_TOKEN: { meaning: 'The studio token that `trade-print` sends.', unset: 'the token that `trade-print login` kept' },
  XDG_CONFIG_HOME: { meaning: '`trade-print login` keeps its login below `trade-print/` in this folder.', unset: '`~/.config`' },
  XDG_CACHE_HOME: { meaning: 'The set-up keeps the programs it downloads below `trade-print/` in this folder.', unset: '`~/.cache`' },
} as const satisfies Record<string, Setting>;

/** Every setting of the service. */
export const SETTINGS = {
  ...PROCESSES,
  ...LISTENERS,
  ...DATABASE,
  ...TEMPORAL,
  ...WORKERS,
  ...SECRETS,
  ...STORAGE,
  ...WEBHOOKS,
  ...MAIL,
  ...TELEMETRY,
} as const;

/** All settings by area, including those of tools. */
export const SETTING_AREAS: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  Processes: PROCESSES,
  Listeners: LISTENERS,
  Database: DATABASE,
  Temporal: TEMPORAL,
  Workers: WORKERS,
  Secrets: SECRETS,
  'Artwork and retention': STORAGE,
  Webhooks: WEBHOOKS,
  Mail: MAIL,
  Telemetry: TELEMETRY,
  Tools: TOOL_SETTINGS,
};

export type SettingName = keyof typeof SETTINGS;
/** The settings with a certain field, such as a default. */
export type SettingWith<Field extends keyof Setting> = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Record<Field, unknown> ? Name : never;
}[SettingName];

/** The settings of the inspector process. It opens untrusted files, so it gets only what it needs. */
export const INSPECTOR_SETTINGS = [
  'NODE_ENV',
  'LOG_LEVEL',
  'CHILD_USER',
  'HEIC_PREVIEWS',
  'MANAGEMENT_PORT',
  'BIND_ADDRESS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'DATABASE_PREPARED_STATEMENTS',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_PORT',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS_CERT_FILE',
  'TEMPORAL_TLS_KEY_FILE',
  'TEMPORAL_TLS_CA_FILE',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_CODEC_KEY',
  'TEMPORAL_BUILD_ID',
  'WORKER_MAX_CACHED_WORKFLOWS',
  'WORKER_WORKFLOW_TASK_SLOTS',
  'WORKER_WORKFLOW_TASK_POLLERS',
  'WORKER_ACTIVITY_POLLERS',
  'WORKER_LOCAL_ACTIVITY_SLOTS',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_FORCE_PATH_STYLE',
  'S3_PUBLIC_URL',
] as const satisfies SettingName[];

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The settings that production needs, or refuses. */
export const settingsByProductionRule = (rule: 'needed' | 'refused'): SettingName[] =>
  SETTING_NAMES.filter((name) => {
    const setting: Setting = SETTINGS[name];
    return setting.production === rule;
  });

/** The settings that hold a secret. */
export const SECRET_SETTINGS: readonly SettingName[] = SETTING_NAMES.filter((name) => {
  const setting: Setting = SETTINGS[name];
  return setting.secret === true;
});
