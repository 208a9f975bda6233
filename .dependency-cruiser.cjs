'use strict';

const { existsSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { join } = require('node:path');

/**
 * What each folder or file may import; `npm run lint:imports` refuses everything else. A file belongs to the most specific key; a file
 * outside every key is refused.
 *
 * LAYERS is in order, lowest first. A file may import its own key's files, the keys of lower layers and the entries of its list.
 * A list in `only` and each list of OTHERS is complete: they allow no lower layer.
 *   'src/presenters'   files of that key
 *   'src/domain/**'    files of that key and of all keys below it
 *   'node:fs'          that module of Node, with its submodules; 'node:*' is all of Node
 *   'koa'              that npm package; '@temporalio/*' is every package of the scope, 'npm:*' every package
 *
 * swc does not tell type imports from others, so an entry allows both. `no-restricted-imports` in `.oxlintrc.json` limits some to types.
 */
const LAYERS = [
  // Pure rules. Workflows run them too. Then pricing, in the order in which the folders may build on each other.
  { 'src/domain': ['localized-address-format'] },
  { 'src/domain/price-book': [] },
  { 'src/domain/basket': [] },
  { 'src/domain/shipping': [] },
  { 'src/domain/products': [] },
  { 'src/domain/pricing': [] },
  {
    // What the process finds on its machine: clock, log, users, files.
    'src/platform': ['src/telemetry/tracing.ts', 'node:fs', 'node:path', 'pino'],
    'src/platform/child-user.ts': { only: ['node:fs'] },
    'src/platform/process-status.ts': { only: [] },
    'src/runtime/deadline.ts': [],
    'src/telemetry/tracing.ts': ['@opentelemetry/api'],
    // Keys, signatures, hashes.
    'src/security': ['@temporalio/common', 'ipaddr.js', 'jose', 'node:crypto', 'node:net'],
  },
  { 'src/config': ['ipaddr.js', 'node:crypto', 'node:fs', 'node:path', 'node:zlib'] },
  // Pool, transactions, SQL.
  { 'src/db/data-source.ts': ['node:fs', 'node:path', 'pg', 'typeorm'], migrations: { only: ['typeorm'] } },
  { 'src/db/migrate.ts': ['node:timers', 'typeorm'], 'src/webhooks': ['node:dns', 'node:events', 'node:http', 'node:net', 'node:tls'] },
  { 'src/db': ['pg', 'typeorm'] },
  // Row to wire shape.
  { 'src/presenters': ['csv-stringify'], 'src/documents/formatting.ts': [] },
  {
    // PDF content and the client of the renderer process.
    'src/documents': ['node:child_process', 'node:fs', 'node:path', 'p-limit'],
    // Shared by every listener.
    'src/http-server': ['node:http', 'node:net', 'node:stream'],
    'src/live': ['node:stream'],
    'src/mail': ['node:fs', 'node:path', 'nodemailer'],
    // Background work that orders, relay and inspection share.
    'src/runtime': ['node:perf_hooks', 'node:timers', 'p-limit', 'pg'],
  },
  // The only user of OpenTelemetry.
  { 'src/telemetry': ['@opentelemetry/*', 'node:crypto', 'node:perf_hooks'] },
  { 'src/storage': ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner', 'node:*'] },
  {
    // Deterministic code. test/service/workflows/bundle.test.ts checks the bundle as well.
    workflows: {
      only: [
        'src/domain/**',
        'activities/artwork-contract.ts',
        'activities/contract.ts',
        'activities/webhook-contract.ts',
        '@temporalio/common',
        '@temporalio/workflow',
      ],
    },
    'activities/artwork-contract.ts': { only: ['src/domain/**'] },
    'activities/contract.ts': { only: ['src/domain/**', 'workflows'] },
    'activities/webhook-contract.ts': { only: ['src/domain/**'] },
  },
  // The only way to Temporal.
  {
    'src/temporal': ['@temporalio/client', '@temporalio/common', '@temporalio/worker', 'node:fs', 'node:path', 'node:timers', 'node:util'],
  },
  { 'src/artwork': ['node:stream'] },
  // Commits facts that no other process can race.
  { 'src/orders': ['p-limit'], 'src/reconcile': ['node:timers'] },
  {
    'src/relay': ['p-limit'],
    // Opens pictures in a child process, which decodes untrusted bytes and holds no secrets.
    'src/inspection': ['src/inspection/decoder.ts', 'node:*'],
    'src/inspection/decoder.ts': {
      only: [
        'src/domain/**',
        'src/platform/child-user.ts',
        'src/platform/process-status.ts',
        'src/inspection/formats',
        'file-type',
        'libheif-js',
        'node:fs',
        'node:path',
        'sharp',
      ],
    },
    'src/inspection/formats': { only: ['src/domain/**', 'libheif-js', 'node:fs', 'sharp'] },
    // All I/O of the workflows.
    activities: ['src/relay', '@temporalio/activity', '@temporalio/common'],
    // HTTP reads and writes through repositories.
    'src/http': [
      'src/http/docs',
      'src/http/middleware',
      'src/http/openapi',
      'src/http/schemas',
      'src/http/trade',
      '@koa/router',
      'ipaddr.js',
      'joi',
      'koa',
      'negotiator',
      'node:http',
      'node:stream',
      'node:util',
      'node:zlib',
      'raw-body',
    ],
    'src/http/schemas': { only: ['src/domain/**', 'joi'] },
    'src/http/middleware': ['src/http', 'koa', 'node:http'],
    // The two contracts.
    'src/http/openapi': ['src/http', 'src/http/schemas', 'src/http/trade', 'src/http/studio', 'joi'],
    'src/http/docs': ['src/http', 'highlight.js', 'koa', 'markdown-it', 'minisearch', 'node:fs', 'node:path', 'swagger-ui-dist'],
    'src/http/console': ['src/http', 'src/http/docs', 'koa', 'node:fs', 'node:path'],
    // Endpoint rows, schemas and handlers, one file for each resource.
    'src/http/trade': ['src/http', 'src/http/openapi', 'src/http/schemas', 'joi'],
    'src/http/studio': [
      'src/http',
      'src/http/console',
      'src/http/docs',
      'src/http/openapi',
      'src/http/schemas',
      'csv-parse',
      'joi',
      'koa',
      'node:http',
      'p-limit',
    ],
  },
  {
    'src/cli': ['scripts/demo', '@temporalio/client', '@temporalio/worker', 'cli-table3', 'commander', 'node:*', 'undici'],
    'src/processes/dependencies.ts': ['node:path'],
    'src/processes/inspector-dependencies.ts': ['node:path'],
  },
  { 'src/processes': ['@temporalio/worker', 'node:http', 'node:net', 'node:path', 'node:timers'] },
];

const OTHERS = {
  // Runs in browsers.
  'src/http/docs/assets': [],
  // The renderer process.
  'src/documents/templates': ['@myriaddreamin/typst-ts-node-compiler', 'bwip-js', 'node:*', 'sharp'],

  // Published to clients.
  'packages/client': [],
  'packages/client/scripts': ['node:*', 'openapi-typescript', 'typescript'],
  // swc reads no JSX here, so `.oxlintrc.json` guards packages/console/src.
  'packages/console': ['@vitejs/plugin-react', 'node:fs', 'node:path', 'vite'],

  // `npm start`: starts PostgreSQL, Temporal and the processes.
  'scripts/start': ['src/**', 'scripts/demo', 'workflows', '@temporalio/client', 'node:*', 'pg'],
  // `npm run docs`: the generated pages of docs/, as text. test/unit/docs and test/service/db compare and write them.
  'scripts/docs': ['src/**', 'scripts/start', 'node:fs', 'node:path'],
  // `npm run demo`: an integrator that knows only the client package.
  'scripts/demo': ['@trade-print/client', 'node:*', 'sharp', 'undici'],
  // Runs before `npm ci`; fflate and undici are loaded after it.
  'scripts/set-up': ['node:*', 'fflate', 'undici'],
  'scripts/release': ['scripts/set-up', 'js-yaml', 'node:*', 'sharp'],
  'scripts/run': ['scripts/set-up', '@temporalio/client', '@temporalio/proto', 'node:*'],

  test: [
    'src/**',
    'scripts/docs',
    'scripts/start',
    'scripts/demo',
    'workflows',
    'activities/**',
    'docs/guides/webhook-vectors.json',
    'packages/client/package.json',
    'packages/console',
    '@trade-print/client',
    'node:*',
    'npm:*',
  ],
  bench: ['src/**', 'workflows', 'scripts/start', 'test', '@temporalio/*', 'koa', 'node:*', 'pg', 'sharp', 'undici'],
  'jest.config.cjs': ['test'],
  '.dependency-cruiser.cjs': ['node:fs', 'node:module', 'node:path'],
};

/** Every key with the entries that it may import. */
const MAY_IMPORT = { ...OTHERS };
const lower = [];
for (const layer of LAYERS) {
  for (const [key, entries] of Object.entries(layer)) MAY_IMPORT[key] = entries.only ?? [...lower, ...entries];
  lower.push(...Object.keys(layer));
}

const KEYS = Object.keys(MAY_IMPORT);
const NOT_SOURCE = '(?:^|/)(?:node_modules|dist|coverage|day|[.](?:data|git|cache))(?:/|$)';

const escapeRegExp = (text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
const isFile = (key) => /\.[cm]?[jt]sx?$/.test(key);

for (const key of KEYS) if (!existsSync(join(__dirname, key))) throw new Error(`.dependency-cruiser.cjs: the key ${key} does not exist`);

/** Matches the files of a key, without the files of more specific keys. */
function filesOf(key) {
  if (isFile(key)) return `^${escapeRegExp(key)}$`;
  const below = KEYS.filter((other) => other.startsWith(`${key}/`)).map((other) => escapeRegExp(other.slice(key.length + 1)));
  const specific = below.map((other) => (isFile(other) ? `${other}$` : `${other}/`));
  return `^${escapeRegExp(key)}/${specific.length > 0 ? `(?!${specific.join('|')})` : ''}`;
}

/** Matches the modules that one entry of a list allows. */
function modulesOf(entry) {
  if (KEYS.includes(entry)) return filesOf(entry);
  if (entry === 'node:*') return `^(?:node:)?(?:${builtinModules.map(escapeRegExp).join('|')})$`;
  if (entry === 'npm:*') return '(?:^|/)node_modules/';
  if (entry.startsWith('node:')) return `^(?:node:)?${escapeRegExp(entry.slice('node:'.length))}(?:/|$)`;
  if (entry.endsWith('/**')) return `^${escapeRegExp(entry.slice(0, -'**'.length))}`;
  if (existsSync(join(__dirname, entry))) return `^${escapeRegExp(entry)}$`;
  if (existsSync(join(__dirname, entry.split('/')[0]))) throw new Error(`.dependency-cruiser.cjs: ${entry} does not exist or has no key`);
  if (entry === '@trade-print/client') return '^(?:packages/client/dist/|@trade-print/client$)';
  const name = entry.endsWith('/*') ? escapeRegExp(entry.slice(0, -'*'.length)) : `${escapeRegExp(entry)}(?:/|$)`;
  return `(?:^|/)node_modules/(?:@types/)?${name}|^${name}`;
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...KEYS.map((key) => ({
      name: key,
      severity: 'error',
      comment: `.dependency-cruiser.cjs does not allow this import for ${key}.`,
      from: { path: filesOf(key) },
      to: { pathNot: [key, ...MAY_IMPORT[key]].map(modulesOf) },
    })),
    {
      name: 'no-key',
      severity: 'error',
      comment: 'No key of .dependency-cruiser.cjs covers this file.',
      from: {},
      // A rule about modules must name a number of dependents. A file with a hundred is refused by the rules of its dependents.
      module: {
        path: '[.][cm]?[jt]sx?$',
        pathNot: [NOT_SOURCE, ...KEYS.map(filesOf)],
        numberOfDependentsLessThan: 100,
      },
    },
    {
      name: 'typeorm-behind-database',
      severity: 'error',
      comment: 'Only these files know TypeORM; every other file uses src/db/database.ts.',
      from: { pathNot: ['^src/db/(?:data-source|database|migrate)[.]ts$', '^migrations/', '^test/'] },
      to: { path: modulesOf('typeorm') },
    },
    { name: 'cycle', severity: 'error', comment: 'These files import each other.', from: {}, to: { circular: true } },
    {
      name: 'not-found',
      severity: 'error',
      comment: 'The imported module does not exist. packages/client exists only after a build.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@trade-print/client$' },
    },
    {
      name: 'undeclared-package',
      severity: 'error',
      comment: 'package.json does not name this package. @temporalio/proto comes with @temporalio/client.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: modulesOf('@temporalio/proto') },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: [NOT_SOURCE, '^packages/console/src/'] },
    // package.json of the nearest workspace and of the project.
    combinedDependencies: true,
    exoticRequireStrings: ['require.resolve', 'module.require', 'process.getBuiltinModule'],
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
