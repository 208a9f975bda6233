'use strict';

const { existsSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { join } = require('node:path');

/**
 * Lists what each folder or file may import; `npm run lint:imports` refuses everything else.
 *
 * A key is a folder or a file. A file belongs to the most specific key; a file outside every key is refused.
 * A file may import its own key's files and the entries of its list:
 *   'src/presenters'   files of that key
 *   'src/domain/**'    files of that key and of all keys below it
 *   'node:fs'          that module of Node, with its submodules; 'node:*' is all of Node
 *   'koa'              that npm package; '@temporalio/*' is every package of the scope
 *
 * swc does not tell type imports from others, so an entry allows both. `no-restricted-imports` in `.oxlintrc.json` limits some to types.
 */
const MAY_IMPORT = {
  // Pure rules. Workflows run them too.
  'src/domain': [],
  // Pricing, in the order in which the folders may build on each other.
  'src/domain/price-book': ['src/domain'],
  'src/domain/basket': ['src/domain', 'src/domain/price-book'],
  'src/domain/shipping': ['src/domain', 'src/domain/price-book', 'src/domain/basket'],
  'src/domain/products': ['src/domain', 'src/domain/price-book', 'src/domain/basket', 'src/domain/shipping'],
  'src/domain/pricing': ['src/domain', 'src/domain/price-book', 'src/domain/basket', 'src/domain/shipping', 'src/domain/products'],

  // Keys, signatures, hashes.
  'src/security': ['src/domain/**', '@temporalio/common', 'ipaddr.js', 'jose', 'node:crypto', 'node:net'],

  // Row to wire shape.
  'src/presenters': ['src/domain/**', 'src/db', 'src/db/repositories', 'csv-stringify'],

  // PDF content and the client of the renderer process.
  'src/documents': [
    'src/domain/**',
    'src/db',
    'src/db/repositories',
    'src/presenters',
    'src/child-user.ts',
    'src/logger.ts',
    'src/project-root.ts',
    'node:child_process',
    'node:fs',
    'node:path',
    'p-limit',
  ],
  // The renderer process.
  'src/documents/templates': ['@myriaddreamin/typst-ts-node-compiler', 'bwip-js', 'node:*', 'sharp'],

  // Runs in browsers.
  'src/http/docs/assets': [],
  // HTTP reads and writes through repositories.
  'src/http': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http/openapi',
    'src/http/docs',
    'src/http/middleware',
    'src/http/trade',
    'src/http/schemas',
    'src/http-server',
    'src/db/repositories',
    'src/db/keyset.ts',
    'src/logger.ts',
    '@koa/router',
    'ipaddr.js',
    'joi',
    'koa',
    'node:http',
    'node:stream',
    'node:util',
    'node:zlib',
    'raw-body',
    'src/temporal',
    'src/runtime',
    'src/storage',
    'src/orders',
    'src/mail',
    'src/live',
    'src/documents',
    'src/db',
    'src/config.ts',
    'src/clock.ts',
  ],
  // The two contracts.
  'src/http/openapi': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http/schemas',
    'joi',
    'src/http/trade',
    'src/http/studio',
    'src/http/studio/support',
  ],
  'src/http/docs': [
    'src/domain/**',
    'src/security',
    'src/http',
    'src/config.ts',
    'src/project-root.ts',
    'highlight.js',
    'koa',
    'markdown-it',
    'minisearch',
    'node:fs',
    'node:path',
    'swagger-ui-dist',
  ],
  'src/http/console': ['src/domain/**', 'src/security', 'src/http/docs', 'src/http', 'src/project-root.ts', 'koa', 'node:fs', 'node:path'],
  'src/http/schemas': ['src/domain/**', 'joi'],
  'src/http/middleware': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http-server',
    'src/db/repositories',
    'src/logger.ts',
    'src/runtime',
    'koa',
    'node:http',
  ],
  // Endpoint rows, schemas and handlers, one file for each resource.
  'src/http/trade': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http/openapi',
    'src/http/schemas',
    'src/orders',
    'src/artwork',
    'src/db/repositories',
    'src/db',
    'src/storage',
    'joi',
    'src/http/trade/**',
  ],
  'src/http/studio': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http/console',
    'src/http/openapi',
    'src/http/docs/addresses.ts',
    'src/http/schemas',
    'src/http/studio/support',
    'src/documents',
    'src/orders',
    'src/temporal',
    'workflows/webhook-messages.ts',
    'src/db/repositories',
    'src/db',
    'joi',
    'koa',
    'src/http/studio/**',
  ],
  'src/http/studio/support': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http/openapi',
    'src/http/schemas',
    'src/http/studio/support',
    'src/documents',
    'src/runtime',
    'src/temporal',
    'workflows/messages.ts',
    'src/db/repositories',
    'src/db',
    'src/webhooks',
    'joi',
    'koa',
    'node:http',
    'p-limit',
  ],
  // Shared by every listener.
  'src/http-server': ['src/domain/**', 'src/security', 'src/presenters', 'node:http', 'node:net', 'node:stream'],

  // Commits facts that no other process can race.
  'src/orders': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/artwork',
    'src/runtime',
    'src/temporal',
    'src/db',
    'src/db/repositories',
    'src/storage',
    'src/mail',
    'src/runtime',
    'src/clock.ts',
    'src/logger.ts',
    'p-limit',
  ],
  'src/artwork': [
    'src/domain/**',
    'src/runtime',
    'src/db',
    'src/db/repositories',
    'src/storage',
    'src/clock.ts',
    'src/logger.ts',
    'node:stream',
  ],
  // Opens pictures in a child process.
  'src/inspection': [
    'src/domain/**',
    'src/db/repositories',
    'src/runtime',
    'src/inspection/decoder.ts',
    'src/child-user.ts',
    'src/logger.ts',
    'node:child_process',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:os',
    'node:path',
    'node:stream',
    'src/temporal',
    'src/storage',
    'src/db',
  ],
  // The child process. It decodes untrusted bytes and holds no secrets.
  'src/inspection/decoder.ts': ['src/domain/**', 'src/child-user.ts', 'file-type', 'node:fs', 'node:path', 'sharp'],
  'src/relay': [
    'src/domain/**',
    'src/security',
    'src/temporal',
    'workflows/webhook-messages.ts',
    'src/db',
    'src/db/repositories',
    'src/webhooks',
    'src/clock.ts',
    'src/runtime',
    'src/logger.ts',
    'src/config.ts',
    'p-limit',
  ],
  // Background work that orders, relay and inspection share.
  'src/runtime': ['src/logger.ts', 'p-limit', 'pg', 'src/security', 'src/db/repositories', 'src/db'],
  'src/live': ['src/domain/**', 'src/db', 'src/db/repositories', 'src/logger.ts', 'node:stream'],

  // The only way to Temporal.
  'src/temporal': [
    'src/domain/**',
    'src/security',
    'workflows/failures.ts',
    'workflows/artwork-inspection.ts',
    'workflows/artwork-messages.ts',
    'workflows/messages.ts',
    'workflows/order.ts',
    'workflows/quote-hold.ts',
    'workflows/search-attributes.ts',
    'workflows/visibility.ts',
    'workflows/webhook-messages.ts',
    'workflows/webhook-studio.ts',
    'activities/webhook-contract.ts',
    'src/db/repositories',
    'src/db',
    'src/config.ts',
    '@temporalio/client',
    '@temporalio/common',
    '@temporalio/worker',
    'node:fs',
    'node:timers',
    'node:util',
    'src/logger.ts',
  ],
  // Deterministic code. test/service/workflows/bundle.test.ts checks the bundle as well.
  workflows: [
    'src/domain/**',
    'activities/artwork-contract.ts',
    'activities/contract.ts',
    'activities/webhook-contract.ts',
    '@temporalio/common',
    '@temporalio/workflow',
  ],
  // All I/O of the workflows.
  activities: [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/orders',
    'src/artwork',
    'src/relay',
    'src/runtime',
    'workflows/failures.ts',
    'workflows/messages.ts',
    'src/db',
    'src/db/repositories',
    'src/mail',
    '@temporalio/activity',
    '@temporalio/common',
    'src/webhooks',
    'src/temporal',
    'src/storage',
    'src/logger.ts',
    'src/clock.ts',
  ],

  // Pool, transactions, SQL.
  'src/db': ['src/domain/**', 'src/security', 'src/db/repositories', 'src/db/data-source.ts', 'src/db/migrate.ts', 'typeorm'],
  'src/db/migrate.ts': ['src/db/data-source.ts', 'node:timers', 'typeorm'],
  'src/db/data-source.ts': ['node:fs', 'node:path', 'pg', 'typeorm'],
  'src/db/repositories': ['src/domain/**', 'src/security', 'src/db', 'src/db/data-source.ts', 'src/webhooks', 'src/config.ts'],
  migrations: ['typeorm'],

  'src/storage': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http-server',
    'src/runtime',
    '@aws-sdk/client-s3',
    '@aws-sdk/s3-request-presigner',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:http',
    'node:net',
    'node:path',
    'node:stream',
  ],
  'src/mail': ['src/domain/**', 'src/db', 'src/db/repositories', 'node:fs', 'node:path', 'nodemailer'],
  'src/webhooks': ['src/domain/**', 'src/security', 'node:dns', 'node:events', 'node:http', 'node:net', 'node:tls'],

  // Published to clients.
  'packages/client': [],
  'packages/client/scripts': ['node:*', 'openapi-typescript', 'typescript'],
  // swc reads no JSX here, so `.oxlintrc.json` guards packages/console/src.
  'packages/console': ['@vitejs/plugin-react', 'vite'],

  'src/cli': [
    'src/domain/**',
    'src/security',
    'src/presenters',
    'src/http/openapi/trade.ts',
    'src/http/openapi/studio.ts',
    'src/http/studio/tokens.ts',
    'src/temporal',
    'src/reconcile',
    'src/db',
    'src/db/repositories',
    'src/clock.ts',
    'src/config.ts',
    'src/settings.ts',
    'src/private-files.ts',
    'src/workflow-bundle.ts',
    '@temporalio/client',
    '@temporalio/worker',
    'cli-table3',
    'commander',
    'scripts/demo',
    'node:fs',
    'node:os',
    'node:path',
    'node:readline',
    'node:stream',
    'node:timers',
    'undici',
  ],
  'src/reconcile': [
    'src/domain/**',
    'src/runtime',
    'src/temporal',
    'workflows/messages.ts',
    'workflows/webhook-messages.ts',
    'src/db',
    'src/db/repositories',
    'src/clock.ts',
    '@temporalio/client',
    'node:timers',
  ],

  // Processes and start-up.
  'src/processes/api.ts': [
    'src/http',
    'src/http-server',
    'src/http/studio',
    'src/artwork',
    'src/db',
    'src/storage',
    'src/config.ts',
    'src/dependencies.ts',
    'src/processes/run-as-process.ts',
    'node:http',
  ],
  'src/processes/worker.ts': [
    'src/temporal',
    'workflows/messages.ts',
    'activities',
    'src/config.ts',
    'src/dependencies.ts',
    'src/processes/run-as-process.ts',
    'src/processes/run-worker.ts',
    'src/workflow-bundle.ts',
    '@temporalio/worker',
  ],
  'src/processes/relay.ts': [
    'src/relay',
    'src/temporal',
    'workflows/webhook-messages.ts',
    'activities',
    'src/config.ts',
    'src/dependencies.ts',
    'src/processes/run-as-process.ts',
    'src/processes/run-worker.ts',
    'src/workflow-bundle.ts',
    '@temporalio/worker',
  ],
  'src/processes/inspector.ts': [
    'src/inspection',
    'src/temporal',
    'workflows/artwork-messages.ts',
    'activities',
    'src/config.ts',
    'src/child-user.ts',
    'src/inspector-dependencies.ts',
    'src/processes/run-as-process.ts',
    'src/processes/run-worker.ts',
    'src/workflow-bundle.ts',
    '@temporalio/worker',
    'node:path',
  ],
  'src/dependencies.ts': [
    'src/domain/**',
    'src/security',
    'src/documents',
    'src/http',
    'src/orders',
    'src/relay',
    'src/runtime',
    'src/temporal',
    'src/db',
    'src/db/repositories',
    'src/storage',
    'src/mail',
    'src/live',
    'src/webhooks',
    'src/child-user.ts',
    'src/clock.ts',
    'src/config.ts',
    'src/logger.ts',
    '@temporalio/client',
    'node:path',
    'activities',
  ],
  'src/inspector-dependencies.ts': [
    'src/artwork',
    'src/inspection',
    'src/temporal',
    'src/db',
    'src/storage',
    'src/clock.ts',
    'src/config.ts',
    'src/logger.ts',
    'node:path',
  ],
  'src/child-user.ts': ['node:fs'],
  'src/config.ts': [
    'src/domain/**',
    'src/security',
    'src/child-user.ts',
    'src/production-settings.ts',
    'src/settings.ts',
    'ipaddr.js',
    'node:path',
  ],
  'src/production-settings.ts': ['src/security', 'src/settings.ts', 'ipaddr.js', 'node:crypto', 'node:zlib'],
  'src/settings.ts': [],
  'src/processes/run-as-process.ts': ['src/config.ts', 'src/private-files.ts'],
  'src/processes/run-worker.ts': ['src/temporal', 'src/dependencies.ts', '@temporalio/worker'],
  'src/workflow-bundle.ts': ['src/project-root.ts', '@temporalio/worker', 'node:fs', 'node:path'],
  'src/project-root.ts': ['node:fs', 'node:path'],
  'src/private-files.ts': ['node:fs', 'node:path'],
  'src/logger.ts': ['pino'],
  'src/clock.ts': [],

  // `npm start`: starts PostgreSQL, Temporal and the processes.
  'scripts/start': [
    'src/security',
    'src/db',
    'src/db/repositories',
    'src/config.ts',
    'src/private-files.ts',
    'src/production-settings.ts',
    'src/settings.ts',
    'src/project-root.ts',
    'scripts/demo',
    'workflows/search-attributes.ts',
    '@temporalio/client',
    'node:*',
    'pg',
  ],
  // `npm run docs`: the generated pages of docs/, as text. test/unit/docs and test/service/db compare and write them.
  'scripts/docs': ['src/**', 'scripts/start', 'commander', 'node:fs', 'node:path'],
  // `npm run demo`: an integrator that knows only the client package.
  'scripts/demo': ['@trade-print/client', 'node:*', 'sharp', 'undici'],

  // Runs before `npm ci`; fflate and undici are loaded after it.
  'scripts/set-up': ['node:*', 'fflate', 'undici'],
  'scripts/run': ['scripts/set-up', '@temporalio/client', '@temporalio/proto', 'node:*'],

  test: [
    'src/**',
    'scripts/docs',
    'scripts/start',
    'scripts/demo',
    'workflows',
    'activities',
    'docs/guides/webhook-vectors.json',
    'packages/client/package.json',
    'packages/console',
    '@aws-sdk/client-s3',
    '@swc/core',
    '@temporalio/*',
    '@trade-print/client',
    'ajv',
    'ajv-formats',
    'axe-core',
    'fast-check',
    'fflate',
    'jest-circus',
    'jest-message-util',
    'jest-mock',
    'jest-worker',
    '@jest/expect',
    'joi',
    'js-yaml',
    'koa',
    'node:*',
    'pg',
    'playwright-core',
    'recheck',
    'sharp',
    'smtp-server',
    'standardwebhooks',
    'undici',
    'unpdf',
  ],
  bench: ['src/**', 'workflows', 'scripts/start', 'test', '@temporalio/*', 'koa', 'node:*', 'pg', 'sharp', 'undici'],
  'jest.config.cjs': ['test'],
  '.dependency-cruiser.cjs': ['node:fs', 'node:module', 'node:path'],
};

/**
 * The layers, lowest first; a folder stands for everything below it. Imports stay within a layer or point to a lower one. Folders that are
 * not here (test, bench, scripts) may import every layer.
 */
const LAYERS = [
  ['src/domain'],
  ['src/security', 'src/child-user.ts', 'src/clock.ts', 'src/logger.ts', 'src/project-root.ts', 'src/private-files.ts'],
  ['src/settings.ts', 'src/production-settings.ts', 'src/config.ts'],
  ['migrations', 'src/webhooks', 'src/db'],
  ['src/presenters', 'src/http-server', 'src/storage', 'src/mail', 'src/documents', 'src/live', 'src/runtime'],
  ['activities/contract.ts', 'activities/artwork-contract.ts', 'activities/webhook-contract.ts', 'workflows'],
  ['src/temporal', 'src/workflow-bundle.ts'],
  ['src/artwork', 'src/orders', 'src/reconcile'],
  ['src/relay', 'src/inspection', 'activities'],
  ['src/http'],
  ['src/dependencies.ts', 'src/inspector-dependencies.ts', 'src/cli'],
  ['src/processes'],
];

const KEYS = Object.keys(MAY_IMPORT);
const NOT_SOURCE = '(?:^|/)(?:node_modules|dist|coverage|day|[.](?:data|git|cache))(?:/|$)';

const escapeRegExp = (text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
const isFile = (key) => /\.[cm]?[jt]sx?$/.test(key);

for (const key of KEYS) if (!existsSync(join(__dirname, key))) throw new Error(`.dependency-cruiser.cjs: the key ${key} does not exist`);

/** @returns the number of the layer that the path belongs to, or undefined */
function layerOf(path) {
  const covers = (folder) => path === folder || path.startsWith(`${folder}/`);
  const longest = LAYERS.flat()
    .filter(covers)
    .sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : LAYERS.findIndex((layer) => layer.includes(longest));
}

for (const [key, entries] of Object.entries(MAY_IMPORT)) {
  const upward = entries.filter((entry) => layerOf(entry) > layerOf(key));
  if (upward.length > 0) throw new Error(`.dependency-cruiser.cjs: ${key} may not import ${upward.join(', ')}, which is in a higher layer`);
}

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
      comment: `MAY_IMPORT in .dependency-cruiser.cjs does not list this import for ${key}.`,
      from: { path: filesOf(key) },
      to: { pathNot: [key, ...MAY_IMPORT[key]].map(modulesOf) },
    })),
    {
      name: 'no-key',
      severity: 'error',
      comment: 'No key of MAY_IMPORT in .dependency-cruiser.cjs covers this file.',
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
