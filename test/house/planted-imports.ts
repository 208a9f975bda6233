/** An import that must be found, where it stands, and what it reaches. */
export interface PlantedImport {
  file: string;
  source: string;
  reaches: string;
}

const planted = (file: string, source: string, reaches: string): PlantedImport => ({ file, source, reaches });

/** Wrong turns somebody in a hurry would take, at least one from every row of the table. */
export const PLANTED: readonly PlantedImport[] = [
  planted('src/domain/planted.ts', `import { randomUUID } from 'node:crypto';`, 'node:crypto'),
  planted('src/domain/pricing/planted.ts', `import { newId } from '../../security/ids';`, 'src/security/ids.ts'),
  planted('src/domain/planted.ts', `import { priceQuote } from './pricing';`, 'src/domain/pricing/index.ts'),
  planted('src/domain/price-book/planted.ts', `import type { Line } from '../basket/line';`, 'a type of src/domain/basket/line.ts'),
  planted('src/domain/basket/planted.ts', `import { pack } from '../shipping/parcels';`, 'src/domain/shipping/parcels.ts'),
  planted('src/domain/shipping/planted.ts', `import { findProduct } from '../products';`, 'src/domain/products/index.ts'),
  planted('src/domain/products/planted.ts', `import { totals } from '../pricing/totals';`, 'src/domain/pricing/totals.ts'),
  planted('src/domain/planted.ts', `import type { QuoteRow } from '../db/rows';`, 'a type of src/db/rows.ts'),
  planted('src/domain/planted.ts', `import Joi from 'joi';`, 'joi'),
  planted('src/security/planted.ts', `import { transaction } from '../db/data-source';`, 'src/db/data-source.ts'),
  planted('src/security/planted.ts', `import { defaultPayloadConverter } from '@temporalio/common';`, '@temporalio/common'),

  planted('src/presenters/planted.ts', `import { Cursors } from '../http/cursor';`, 'src/http/cursor.ts'),
  planted('src/presenters/planted.ts', `import { readQuote } from '../db/repositories/quotes';`, 'src/db/repositories/quotes.ts'),
  planted('src/presenters/planted.ts', `import { sha256 } from '../security/fingerprint';`, 'src/security/fingerprint.ts'),

  planted('src/documents/planted.ts', `import { findInvoice } from '../db/repositories/invoices';`, 'src/db/repositories/invoices.ts'),
  planted('documents/planted.mjs', `import { printable } from '../src/documents/printable';`, 'src/documents/printable.ts'),

  planted('src/http/planted.ts', `import { transaction } from '../db/data-source';`, 'src/db/data-source.ts'),
  planted('src/http/planted.ts', `import { createHash } from 'crypto';`, 'node:crypto'),
  planted('src/http/planted.ts', `import { createStudioApp } from './studio/app';`, 'src/http/studio/app.ts'),
  planted('src/http/contract/planted.ts', `import { findOrder } from '../../db/repositories/orders';`, 'src/db/repositories/orders.ts'),
  planted('src/http/studio/contract/planted.ts', `import { audited } from '../audited';`, 'src/http/studio/audited.ts'),
  planted('src/http/docs/planted.ts', `import { ENDPOINTS } from '../routes';`, 'src/http/routes/index.ts'),
  planted('src/http/schemas/planted.ts', `import { readQuote } from '../../db/repositories/quotes';`, 'src/db/repositories/quotes.ts'),
  planted('src/http/middleware/planted.ts', `import { Client } from '@temporalio/client';`, '@temporalio/client'),
  planted('src/http/routes/planted.ts', `import type { DataSource } from 'typeorm';`, 'a type of typeorm'),
  planted('src/http/routes/planted.ts', `export { cancelOrder } from '../../../workflows/messages';`, 'workflows/messages.ts'),
  planted('src/http/routes/planted.ts', `const { createActivities } = require('../../../activities');`, 'activities/index.ts'),
  planted('src/http/studio/planted.ts', `import { transaction } from '../../db/data-source';`, 'src/db/data-source.ts'),
  planted('src/http/studio/routes/planted.ts', `const { Mailer } = await import('../../../mail');`, 'src/mail/index.ts'),

  planted('src/orders/planted.ts', `import { Cursors } from '../http/cursor';`, 'src/http/cursor.ts'),
  planted('src/orders/planted.ts', `import { orderWorkflowId } from '../../workflows/messages';`, 'workflows/messages.ts'),
  planted('src/artwork/planted.ts', `import { S3Client } from '@aws-sdk/client-s3';`, '@aws-sdk/client-s3'),
  planted('src/artwork/planted.ts', `import sharp from 'sharp';`, 'sharp'),
  planted('src/inspection/planted.ts', `import sharp from 'sharp';`, 'sharp'),
  planted('src/inspection/decoder.ts', `import { createLogger } from '../logger';`, 'src/logger.ts'),
  planted('src/inspector.ts', `import { Relay } from './relay/relay';`, 'src/relay/relay.ts'),
  planted('src/relay/planted.ts', `import { attempt } from '../webhooks/attempt';`, 'src/webhooks/attempt.ts'),

  planted('src/temporal/planted.ts', `import { placeOrder } from '../orders/place-order';`, 'src/orders/place-order.ts'),
  planted('src/temporal/planted.ts', `import { order } from '../../workflows';`, 'workflows/index.ts'),
  planted('src/temporal/planted.ts', `import { createActivities } from '../../activities';`, 'activities/index.ts'),
  planted('workflows/planted.ts', `import { createActivities } from '../activities';`, 'activities/index.ts'),
  planted('workflows/planted.ts', `import { attempt } from '../activities/webhook-contract';`, 'activities/webhook-contract.ts'),
  planted('workflows/planted.ts', `import type { QuoteRow } from '../src/db/rows';`, 'a type of src/db/rows.ts'),
  planted('workflows/planted.ts', `import { setTimeout } from 'timers/promises';`, 'node:timers'),
  planted('workflows/planted.ts', `import { Context } from '@temporalio/activity';`, '@temporalio/activity'),
  planted('activities/planted.ts', `import { Cursors } from '../src/http/cursor';`, 'src/http/cursor.ts'),
  planted('activities/planted.ts', `import { tradeRoutes } from '../src/http/routes';`, 'src/http/routes/index.ts'),
  planted('activities/planted.ts', `import { order } from '../workflows';`, 'workflows/index.ts'),
  planted('activities/planted.ts', `import { Client } from '@temporalio/client';`, '@temporalio/client'),

  planted('src/db/planted.ts', `import { Cursors } from '../http/cursor';`, 'src/http/cursor.ts'),
  planted('src/db/repositories/planted.ts', `import { Cursors } from '../../http/cursor';`, 'src/http/cursor.ts'),
  planted('src/db/repositories/planted.ts', `import { presentQuote } from '../../presenters/quotes';`, 'src/presenters/quotes.ts'),
  planted('src/db/repositories/planted.ts', `import { order } from '../../../workflows';`, 'workflows/index.ts'),
  planted('src/db/repositories/planted.ts', `export { openDatabase } from '../database';`, 'src/db/database.ts'),
  planted('src/db/repositories/planted.ts', `import { DataSource } from 'typeorm/data-source/DataSource';`, 'typeorm'),
  planted('src/db/data-source.ts', `import { seed } from './seed';`, 'src/db/seed.ts'),
  planted('migrations/planted.ts', `import { DataSource } from 'typeorm';`, 'typeorm'),
  planted('migrations/planted.ts', `import { STATUSES } from '../src/domain/order-status';`, 'src/domain/order-status.ts'),

  planted('src/storage/planted.ts', `import { readQuote } from '../db/repositories/quotes';`, 'src/db/repositories/quotes.ts'),
  planted('src/mail/planted.ts', `import { readQuote } from '../db/repositories/quotes';`, 'src/db/repositories/quotes.ts'),
  planted('src/webhooks/planted.ts', `import { readQuote } from '../db/repositories/quotes';`, 'src/db/repositories/quotes.ts'),
  planted('packages/client/src/planted.ts', `import { newId } from '../../../src/security/ids';`, 'src/security/ids.ts'),
  planted('packages/client/src/planted.ts', `import { createHmac } from 'node:crypto';`, 'node:crypto'),
  planted('packages/client/scripts/planted.mjs', `import { Client } from 'pg';`, 'pg'),

  planted('src/cli/planted.ts', `import { createTradeApp } from '../http/app';`, 'src/http/app.ts'),
  planted('src/reconcile/planted.ts', `import { createActivities } from '../../activities';`, 'activities/index.ts'),

  planted('src/server.ts', `import { createActivities } from '../activities';`, 'activities/index.ts'),
  planted('src/worker.ts', `import { createTradeApp } from './http/app';`, 'src/http/app.ts'),
  planted('src/relay.ts', `import { createTradeApp } from './http/app';`, 'src/http/app.ts'),
  planted('src/dependencies.ts', `import { createActivities } from '../activities';`, 'activities/index.ts'),
  planted('src/config.ts', `import { transaction } from './db/data-source';`, 'src/db/data-source.ts'),
  planted('src/production-settings.ts', `import { createHash } from 'node:crypto';`, 'node:crypto'),
  planted('src/process.ts', `import { createDependencies } from './dependencies';`, 'src/dependencies.ts'),
  planted('src/workflow-bundle.ts', `import { order } from '../workflows';`, 'workflows/index.ts'),
  planted('src/private-files.ts', `import { loadConfig } from './config';`, 'src/config.ts'),
  planted('src/logger.ts', `import { loadConfig } from './config';`, 'src/config.ts'),
  planted('src/project-root.ts', `import { loadConfig } from './config';`, 'src/config.ts'),
  planted('src/clock.ts', `import { transaction } from './db/data-source';`, 'src/db/data-source.ts'),

  planted('src/http/planted.ts', `import { playDemo } from '../../demo';`, 'demo/index.ts'),
  planted('src/http-server/planted.ts', `import { createTradeApp } from '../http/app';`, 'src/http/app.ts'),
  planted(
    'src/http/studio/schemas/planted.ts',
    `import { findToken } from '../../../db/repositories/tokens';`,
    'src/db/repositories/tokens.ts',
  ),
  planted('src/server.ts', `import { startEmbeddedPostgres } from '../dev/embedded-postgres';`, 'dev/embedded-postgres.ts'),
  planted('dev/planted.ts', `import { startApi } from '../src/server';`, 'src/server.ts'),
  planted('demo/planted.ts', `import { newId } from '../src/security/ids';`, 'src/security/ids.ts'),
  planted('demo/planted.ts', `import { ManagedProcess } from '../dev/managed-process';`, 'dev/managed-process.ts'),
  planted('scripts/set-up/planted.mjs', `import { Client } from '@temporalio/client';`, '@temporalio/client'),
  planted('scripts/set-up/planted.mjs', `import '../run/test.mjs';`, 'scripts/run/test.mjs'),
  planted('scripts/run/planted.mjs', `import { Client } from 'pg';`, 'pg'),
  planted('pages/planted.js', `import { linksIn } from '../src/http/docs/markdown';`, 'src/http/docs/markdown.ts'),
  planted('test/planted.ts', `import { statements } from '../bench/statements';`, 'bench/statements.ts'),
  planted('test/planted.ts', `import { step } from '../scripts/set-up/report.mjs';`, 'scripts/set-up/report.mjs'),
  planted('bench/planted.ts', `import { step } from '../scripts/set-up/report.mjs';`, 'scripts/set-up/report.mjs'),
  planted('jest.config.cjs', `const { projectRoot } = require('./dev/project');`, 'dev/project.ts'),
];
