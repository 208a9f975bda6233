import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import Koa from 'koa';
import { Pool } from 'pg';
import { ORDER_RELATIONS } from '../../src/db/repositories/orders';
import type { OrderWithRelations } from '../../src/db/rows';
import { presentOrder } from '../../src/presenters/orders';
import { successBody } from '../../src/presenters/envelope';
import { onTermination } from '../../src/processes/signals';
import { runAsProcess } from '../../src/processes/run-as-process';
import { newId } from '../../src/security/ids';
import { createTextReader, placingStatements, writeTransaction } from './rows';
import { FLOOR_TASK_QUEUE } from './update';
import type { bare } from './workflows';

const PAGE_SIZE = 100;
const SEARCH_PAGE_SIZE = 25;
const COLUMNS = `o.*, ${ORDER_RELATIONS}`;

/** Minimal Koa handlers: one SQL statement or pipelined transaction each, without authentication, rate limits, validation, request ids and logging. */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20, pipeline: true });
  const client = new Client({ connection: await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' }) });
  await pool.query('CREATE TABLE IF NOT EXISTS bench_quotes (id text PRIMARY KEY, body text NOT NULL)');
  const orders = async (sql: string, parameters: unknown[]): Promise<string> => {
    const { rows } = await pool.query<OrderWithRelations>(sql, parameters);
    return successBody(rows.map(presentOrder));
  };
  const readTexts = createTextReader(pool);
  const routes: Record<string, (rest: string, request: IncomingMessage) => Promise<string>> = {
    /** One page of an account's orders. */
    orders: (accountId) =>
      orders(
        `SELECT ${COLUMNS} FROM orders o WHERE o.account_id = $1 AND o.environment = 'test' ORDER BY o.created_at DESC, o.id DESC LIMIT ${PAGE_SIZE}`,
        [accountId],
      ),
    /** The newest orders that contain a rare text. */
    search: (searchText) =>
      orders(
        `WITH found AS MATERIALIZED (SELECT s.order_id, s.created_at FROM order_search s WHERE s.text LIKE $1 AND s.environment = 'test'),
         page AS (SELECT f.order_id FROM found f ORDER BY f.created_at DESC, f.order_id DESC LIMIT ${SEARCH_PAGE_SIZE})
         SELECT ${COLUMNS} FROM page p JOIN orders o ON o.id = p.order_id ORDER BY o.created_at DESC, o.id DESC`,
        [`%${searchText}%`],
      ),
    /** Stores the request's body and starts an empty workflow. */
    async quotes(_, request) {
      const id = newId('quo');
      await pool.query('INSERT INTO bench_quotes (id, body) VALUES ($1, $2)', [id, JSON.stringify(JSON.parse(await text(request)))]);
      await client.workflow.start<typeof bare>('bare', { workflowId: `floor/${id}`, taskQueue: FLOOR_TASK_QUEUE });
      return successBody({ quoteId: id });
    },
    /** Writes the rows of a placed order. */
    async place(orderId, request) {
      const { accountId, quoteId } = JSON.parse(await text(request)) as { accountId: string; quoteId: string };
      const { response, event } = await readTexts();
      const idempotencyKey = String(request.headers['idempotency-key']);
      await writeTransaction(pool, placingStatements({ orderId, accountId, quoteId, idempotencyKey, response, event }));
      return response;
    },
    /** Sends an update to an open workflow, which writes the rows of a milestone. */
    async change(orderId, request) {
      const { type } = JSON.parse(await text(request)) as { type: string };
      await client.workflow
        .getHandle<typeof bare>(`floor/${orderId}`)
        .executeUpdate<void, [string, string]>('milestone', { args: [orderId, type] });
      return (await readTexts()).response;
    },
  };
  const app = new Koa();
  app.use(async (ctx) => {
    const [, route = '', rest = ''] = ctx.path.split('/');
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = await routes[route]?.(decodeURIComponent(rest), ctx.req);
  });
  app.listen(Number(process.env['PORT']), '127.0.0.1');
  await onTermination();
}

runAsProcess(module, main);
