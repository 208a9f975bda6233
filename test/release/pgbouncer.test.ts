import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../scripts/start/postgres-account';
import { ProcessManager } from '../../scripts/start/processes';
import { openDatabase, TIMEOUTS, type Database } from '../../src/db/database';
import type { Dependencies } from '../../src/processes/dependencies';
import { newSecret } from '../../src/security/ids';
import { Stack } from '../proofs/faults/support/stack';
import { anAccount, type TestAccount } from '../support/accounts';
import { aLine, anOrder } from '../support/baskets';
import { HttpClient } from '../support/client';
import { runTradePrint } from '../support/command-line';
import { anEndpoint } from '../support/endpoints';
import { aPicture } from '../support/pictures';
import { waitFor } from '../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver';
import { startPgBouncer, type PgBouncer } from './support/pgbouncer';

const APP = 'trade_print_app';
const ORDERS = 12;
const EVENTS = ['order.received', 'order.in_production', 'order.shipped'];
/** How the service's log shows a failure. */
const ERROR_LEVEL = 50;

describe('Behind PgBouncer in transaction mode', () => {
  const password = newSecret();
  let folder: string;
  let processManager: ProcessManager;
  let stack: Stack;
  let receiver: WebhookReceiver;
  let pooler: PgBouncer;
  let owner: string;
  let app: string;
  let admin: Database;
  const migrate = (env: Record<string, string>, ...args: string[]) => runTradePrint(['migrate', ...args], { ...stack.env, ...env });

  beforeAll(async () => {
    receiver = await startReceiver();
    folder = createTemporaryFolder('trade-print-pgbouncer-');
    processManager = new ProcessManager(folder, 'temporary');
    stack = await Stack.create({
      services: 'source',
      inspector: true,
      env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, LOG_LEVEL: 'info', RATE_LIMIT_FACTOR: '100' },
      postgresSettings: { log_min_messages: 'error', log_min_error_statement: 'error' },
    });
    await Promise.all([stack.startPart('postgres'), stack.startPart('temporal')]);
    owner = stack.env.DATABASE_URL ?? '';
    app = Object.assign(new URL(owner), { username: APP, password }).href;
    admin = await openDatabase(owner, 1);
    pooler = await startPgBouncer({ folder, processManager, urls: [owner, app] });
  });
  afterAll(async () => {
    await admin?.close();
    await stack?.close();
    await processManager?.stopAll();
    await receiver?.close();
  });

  const readPostgresLog = () => readFileSync(join(stack.folder, 'postgres.log'), 'utf8');

  it('migrate refuses the pooler, and works at the direct address', async () => {
    const pooled = { DATABASE_URL: pooler.urlThrough(owner), DATABASE_APP_PASSWORD: password };
    const refused = await migrate(pooled, '--app-role', APP);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('DATABASE_DIRECT_URL')]);
    const done = await migrate({ ...pooled, DATABASE_DIRECT_URL: owner }, '--app-role', APP);
    expect([done.code, done.stderr, done.stdout]).toEqual([0, '', expect.stringContaining(`the role ${APP} has the permissions`)]);
    await stack.prepare();
  });

  describe('a role without timeouts', () => {
    const remedy = `trade-print migrate --app-role ${APP}`;
    beforeAll(async () => {
      await admin.run(`ALTER ROLE ${APP} IN DATABASE trade_print RESET ALL`);
      await pooler.command('RECONNECT');
    });
    afterAll(async () => {
      expect((await migrate({ DATABASE_URL: owner, DATABASE_APP_PASSWORD: password }, '--app-role', APP)).code).toBe(0);
      await pooler.command('RECONNECT');
    });

    it('is refused with the remedy, also if the pooler ignores startup parameters', async () => {
      await expect(openDatabase(pooler.urlThrough(app), 2)).rejects.toThrow(remedy);
      const ignoring = await startPgBouncer({
        folder,
        processManager,
        urls: [app],
        settings: { ignore_startup_parameters: Object.keys(TIMEOUTS).join(',') },
      });
      await expect(openDatabase(ignoring.urlThrough(app), 2)).rejects.toThrow(remedy);
    });
  });

  describe('the service', () => {
    let deps: Dependencies;
    let account: TestAccount;
    let logBefore: string;
    beforeAll(async () => {
      logBefore = readPostgresLog();
      stack.env.DATABASE_URL = pooler.urlThrough(app);
      stack.env.DATABASE_DIRECT_URL = app;
      for (const part of ['api', 'worker', 'relay', 'inspector'] as const) await stack.startPart(part);
      await stack.whenReady();
      deps = await stack.dependencies();
      account = await anAccount(deps.database);
      await anEndpoint(deps.database, account.accountId, receiver.url);
    });

    it('sells, ships and is paid over four connections, and no statement fails', async () => {
      const trade = new HttpClient(stack.tradeUrl, account.testKey);
      const studio = () => new HttpClient(stack.studioUrl, stack.studioToken);
      const bytes = await aPicture(900, 1200).png().toBuffer();
      const upload = await trade.post('/uploads', { filename: 'dunes.png', contentType: 'image/png', sizeBytes: bytes.length });
      const sent = await fetch(upload.json.data.uploadUrl, { method: 'PUT', body: bytes, headers: { 'content-type': 'image/png' } });
      expect(sent.status).toBe(200);
      const post = async (path: string, body: Record<string, unknown>) => {
        const { status, text } = await studio().post(path, body);
        expect([path, status < 300 ? '' : text]).toEqual([path, '']);
      };
      const orders = await Promise.all(
        Array.from({ length: ORDERS }, async (_, index) => {
          const order = await anOrder(trade, { items: [aLine(upload.json.data.url, { quantity: 1 + index })] });
          await post(`/orders/${order.orderId}/milestones`, { milestoneId: 'm1', type: 'production_started' });
          await post(`/orders/${order.orderId}/milestones`, { milestoneId: 'm2', type: 'printed' });
          await post(`/orders/${order.orderId}/parcels`, { parcelId: 'p1', carrier: 'Coastal Couriers', trackingNumber: `CC-${index}` });
          await post(`/orders/${order.orderId}/payments`, { paymentId: 'y1', amountCents: order.totalCents });
          return order;
        }),
      );
      const read = await trade.get('/orders?limit=50');
      expect(read.json.data.map(({ status }: { status: string }) => status)).toEqual(orders.map(() => 'shipped'));
      const unpaid = await deps.database.value(`SELECT count(*)::integer FROM invoices WHERE state <> 'paid'`);
      expect(unpaid).toBe(0);
      await waitFor('every webhook', async () => receiver.eventIds().size === EVENTS.length * ORDERS);
      expect(new Set(receiver.received.map(({ type }) => type))).toEqual(new Set(EVENTS));
      await waitFor('the inspection', () => deps.database.exists(`SELECT FROM artwork_inspections WHERE state = 'ok'`));
      const logged = readPostgresLog().slice(logBefore.length).split('\n');
      expect(logged.filter((line) => /\b(ERROR|FATAL|PANIC):/.test(line))).toEqual([]);
      const lines = (['api', 'worker', 'relay', 'inspector'] as const).flatMap((part) => stack.logOf(part).split('\n').filter(Boolean));
      expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL)).toEqual([]);
      expect(stack.unexpectedExits).toEqual([]);
      const servers = (await pooler.command('SHOW SERVERS')).filter(({ user }) => user === APP);
      expect(servers).toHaveLength(4);
    });

    it('prepares a statement once for each server connection', async () => {
      const counts = (await pooler.command('SHOW STATS')).find(({ database }) => database === 'trade_print');
      expect(Number(counts?.total_server_parse_count)).toBeLessThan(Number(counts?.total_bind_count) / 2);
    });

    it('the relay hears of commits on the direct address', async () => {
      const listeners = await admin.column(`SELECT query FROM pg_stat_activity WHERE application_name = 'trade-print listener'`);
      expect(listeners).toEqual([expect.stringMatching(/^LISTEN /)]);
      expect(stack.logOf('relay')).not.toContain('listening for commits failed');
    });

    it('every connection has the timeouts, and PostgreSQL enforces them', async () => {
      const seen = await Promise.all(
        Array.from({ length: 20 }, () =>
          deps.database.row(
            `SELECT pg_sleep(0.05), current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,
               current_setting('idle_in_transaction_session_timeout') AS idle`,
          ),
        ),
      );
      for (const row of seen) expect(row).toMatchObject({ lock: '2s', statement: '5s', idle: '5s' });
      await expect(deps.database.run('SELECT pg_sleep(60)')).rejects.toThrow('statement timeout');
      await admin.transaction(async (sql) => {
        await sql.run('LOCK TABLE price_books IN ACCESS EXCLUSIVE MODE');
        await expect(deps.database.run('SELECT FROM price_books')).rejects.toThrow('lock timeout');
      });
      const idle = deps.database.transaction(async (sql) => {
        const pid = await sql.value('SELECT pg_backend_pid()');
        await waitFor(
          'PostgreSQL to end the idle transaction',
          async () => !(await admin.exists('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])),
        );
        await sql.run('SELECT 1');
      });
      await expect(idle).rejects.toThrow(/idle-in-transaction|server conn|terminat/i);
    });

    it('works without prepared statements, for a pooler that does not track them', async () => {
      const plain = await startPgBouncer({ folder, processManager, urls: [app], settings: { max_prepared_statements: '0' } });
      const ask = async (preparedStatements: boolean) => {
        const database = await openDatabase(plain.urlThrough(app), 8, TIMEOUTS, preparedStatements);
        const read = (): Promise<unknown[]> =>
          Promise.all(Array.from({ length: 8 }, (_, n) => database.value(`SELECT $1::integer AS n FROM pg_sleep(0.05)`, [n])));
        try {
          return [await read(), await read(), await read()].length;
        } finally {
          await database.close();
        }
      };
      expect(await ask(false)).toBe(3);
      await expect(ask(true)).rejects.toThrow(/prepared statement "s\d+" (does not exist|already exists)/);
    });

    it('reconcile has no timeouts on the direct address', async () => {
      const done = await runTradePrint(['reconcile'], stack.env);
      expect([done.code, done.stderr, done.stdout]).toEqual([0, '', expect.stringContaining('no differences')]);
      const through = await runTradePrint(['reconcile'], { ...stack.env, DATABASE_DIRECT_URL: '' });
      expect([through.code, through.stderr]).toEqual([1, expect.stringContaining('DATABASE_DIRECT_URL')]);
    });
  });
});
