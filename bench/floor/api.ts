import type { IncomingMessage } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import Koa from 'koa';
import { Pool } from 'pg';
import { BESIDE_ORDER } from '../../src/db/repositories/orders';
import '../../src/db/data-source'; // int8 as numbers, as the service reads them
import type { OrderWithParcels } from '../../src/db/rows';
import { presentOrder } from '../../src/presenters/orders';
import { successBody } from '../../src/presenters/envelope';
import { onTermination } from '../../src/process';
import { newId } from '../../src/security/ids';
import { FLOOR_TASK_QUEUE } from './messages';
import type { bare } from './workflows';

/**
 * Bare Koa handlers that answer the same bytes: no authentication, no budget, no request id, no log, one statement each.
 * `/quotes` reads the body, inserts it and starts an empty workflow.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
  const client = new Client({ connection: await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' }) });
  let catalogue = '';

  const routes: Record<string, (rest: string, request: IncomingMessage) => Promise<string>> = {
    async order(ids) {
      const [id, accountId] = ids.split(',');
      const { rows } = await pool.query<OrderWithParcels>(
        `SELECT o.*, ${BESIDE_ORDER} FROM orders o WHERE o.id = $1 AND o.account_id = $2 AND o.environment = $3`,
        [id, accountId, 'test'],
      );
      return successBody(rows.map(presentOrder)[0]);
    },
    async orders(accountId) {
      const { rows } = await pool.query<OrderWithParcels>(
        `SELECT o.*, ${BESIDE_ORDER} FROM orders o WHERE o.account_id = $1 AND o.environment = $2 ORDER BY o.created_at DESC, o.id DESC LIMIT $3`,
        [accountId, 'test', 26],
      );
      return successBody(rows.slice(0, 25).map(presentOrder), 'x'.repeat(100));
    },
    async catalogueRows() {
      const { rows } = await pool.query<{ content: object }>(
        'SELECT section, content FROM catalogue_rows WHERE NOT withdrawn ORDER BY section, position, id',
      );
      return successBody(rows);
    },
    async catalogueText() {
      await pool.query('SELECT revision FROM catalogue_revision');
      catalogue ||= (await routes['catalogueRows']?.('', null as never)) ?? '';
      return catalogue;
    },
    async quotes(_, request) {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as object;
      const id = newId('quo');
      await pool.query('INSERT INTO bench_quotes (id, body) VALUES ($1, $2)', [id, JSON.stringify(body)]);
      await client.workflow.start<typeof bare>('bare', { workflowId: `floor/${id}`, taskQueue: FLOOR_TASK_QUEUE });
      return successBody({ quoteId: id });
    },
  };

  const app = new Koa();
  app.use(async (ctx) => {
    const [, route = '', id = ''] = ctx.path.split('/');
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = await routes[route]?.(id, ctx.req);
  });
  app.listen(Number(process.env['PORT']), '127.0.0.1');
  await onTermination();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
