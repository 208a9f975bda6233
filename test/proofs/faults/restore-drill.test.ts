import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/config';
import { createDependencies, type Dependencies } from '../../../src/processes/dependencies';
import { reconcile, type ReconcileResult } from '../../../src/reconcile';
import { orderWorkflowId, quoteWorkflowId } from '../../../workflows/messages';
import { loadOrderState } from '../../../src/db/repositories/orders';
import { anAccount } from '../../support/accounts';
import { anOrder, aQuote, placeOrder } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { runTradePrint, type CommandOutput } from '../../support/command-line';
import { anEndpoint } from '../../support/endpoints';
import { waitFor } from '../../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { Backup, BACKUP_METHOD } from './support/backup';
import { findRunningWorkflows } from './support/compare-records';
import { PatientClient } from '../../support/repeat';
import { Stack } from './support/stack';

const OWN_PROCESSES = ['api', 'worker', 'relay'] as const;

interface OrderNumbers {
  order_number: string;
  invoice_number: string;
}

/** The drill of docs/operations.md "Backups", step by step. */
describe(`a backup (by ${BACKUP_METHOD}), later changes, and the restore`, () => {
  let stack: Stack;
  let deps: Dependencies;
  let receiver: WebhookReceiver;
  let backup: Backup;
  let trade: HttpClient;
  let live: HttpClient;
  let studio: HttpClient;
  let quoteId: string;
  let orders: Record<'kept' | 'paid' | 'cancelled' | 'hooked', string>;
  let lost: { orderId: string }[];
  let issued: OrderNumbers[];

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => deps.database.rows(text, parameters);
  const readNumbers = () => sql<OrderNumbers>('SELECT order_number, invoice_number FROM orders o JOIN invoices i ON i.order_id = o.id');
  const workflowStatus = (workflowId: string): Promise<string> =>
    deps.temporal.client.workflow
      .getHandle(workflowId)
      .describe()
      .then(({ status }) => status.name);
  const runReconcile = (...args: string[]): Promise<CommandOutput> =>
    runTradePrint(['reconcile', ...args], { ...stack.env, DATABASE_URL: appRoleUrl() });
  /** Uses the processes' role, which must not set a sequence. */
  const appRoleUrl = (): string => {
    const url = new URL(stack.env.DATABASE_URL ?? '');
    Object.assign(url, { username: 'drill_app', password: 'drill' });
    return url.href;
  };
  async function issueCreditNote(creditNoteId: string): Promise<string[]> {
    const [{ invoice_number: invoice }] = (await sql('SELECT invoice_number FROM invoices WHERE order_id = $1', [orders.paid])) as [
      OrderNumbers,
    ];
    const creditNote = { creditNoteId, amountCents: 1, reason: 'a scratch' };
    const reply = await studio.post(`/invoices/${invoice}/credit-notes`, creditNote);
    expect([reply.status, reply.json.error]).toEqual([200, null]);
    return reply.json.data.creditNotes.map(({ creditNoteNumber }: { creditNoteNumber: string }) => creditNoteNumber);
  }
  async function remakeOrder(remakeId: string): Promise<{ orderId: string; orderNumber: string }> {
    const remake = { remakeId, lines: [{ line: 0, quantity: 1 }], reason: 'a scratch' };
    return (await studio.post(`/orders/${orders.kept}/remakes`, remake)).json.data;
  }
  async function postToOrder(orderId: string, path: string, body: object): Promise<void> {
    const reply = await studio.post(`/orders/${orderId}/${path}`, body);
    expect([reply.status, reply.json.error]).toEqual([200, null]);
  }
  const cancelOrder = async (orderId: string): Promise<string> => (await trade.post(`/orders/${orderId}/cancel`)).json.data.status;
  const stopProcesses = () => Promise.all(OWN_PROCESSES.map((part) => stack.terminate(part)));
  const untilAllStarted = () =>
    waitFor('every workflow is started', async () => (await sql('SELECT 1 FROM orders WHERE workflow_checked_at IS NULL')).length === 0);

  beforeAll(async () => {
    receiver = await startReceiver();
    stack = await Stack.create({
      services: 'source',
      postgresSettings: { fsync: 'off' },
      env: {
        LOG_LEVEL: 'warn',
        ORDER_QUIET_PERIOD: '1s',
        WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
        WEBHOOK_RETRY_SCHEDULE: '6s,6s,20s,20s,20s,20s',
      },
    });
    backup = new Backup(stack);
    await stack.start();
    const migrated = await runTradePrint(['migrate', '--app-role', 'drill_app'], { ...stack.env, DATABASE_APP_PASSWORD: 'drill' });
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    deps = await stack.dependencies();
    // A sweep at a full five minutes would repair what the reconciliation must find.
    const sweeper = deps.temporal.client.schedule.getHandle('sweeper');
    const isPaused = (): Promise<boolean> =>
      sweeper.pause().then(
        () => true,
        () => false,
      );
    await waitFor('the pause of the sweeper', isPaused);
    const account = await anAccount(deps.database);
    trade = new PatientClient(stack.tradeUrl, account.testKey);
    live = new PatientClient(stack.tradeUrl, account.liveKey);
    studio = new PatientClient(stack.studioUrl, stack.adminToken);

    // Before the backup: orders, one of them with a webhook that waits for its second attempt, and an open quote.
    orders = {
      kept: (await anOrder(trade)).orderId,
      paid: (await anOrder(live)).orderId,
      cancelled: (await anOrder(trade)).orderId,
      hooked: '',
    };
    quoteId = (await aQuote(trade)).quoteId;
    receiver.respondWith((_, response) => void response.writeHead(500).end());
    await anEndpoint(deps.database, account.accountId, receiver.url);
    orders.hooked = (await anOrder(trade)).orderId;
    await waitFor(
      'its delivery is handed over',
      async () =>
        (await sql(`SELECT 1 FROM webhook_deliveries WHERE attempts >= 1 AND handed_over_at IS NOT NULL AND state = 'pending'`)).length ===
        1,
    );
    await untilAllStarted();

    expect(await issueCreditNote('kept')).toEqual(['CN-10001']);

    await backup.create();
    receiver.respondWith((_, response) => void response.writeHead(204).end());

    // After it: changes to those, and orders that the backup does not contain.
    await postToOrder(orders.paid, 'payments', { paymentId: 'pay-1', amountCents: 100 });
    expect(await cancelOrder(orders.cancelled)).toBe('cancelled');
    lost = [await anOrder(trade), await anOrder(trade), await anOrder(live)];
    const remake = await remakeOrder('lost');
    expect(remake.orderNumber).toMatch(/-R1$/);
    lost.push(remake);
    expect(await issueCreditNote('lost')).toEqual(['CN-10001', 'CN-10002']);
    await postToOrder(lost[1]?.orderId ?? '', 'milestones', { milestoneId: 'm2', type: 'production_started' });
    await untilAllStarted();
    await waitFor(
      'the second attempt is delivered',
      async () => (await sql(`SELECT 1 FROM webhook_deliveries WHERE order_id = $1 AND state = 'delivered'`, [orders.hooked])).length === 1,
    );
    await waitFor(
      "the cancelled order's workflow closes",
      async () => (await workflowStatus(orderWorkflowId(orders.cancelled))) === 'COMPLETED',
    );
    await deps.temporal.client.workflow.getHandle(quoteWorkflowId(quoteId)).terminate('as if Temporal had lost it');
    await waitFor(
      'the run in the visibility store',
      async () => !(await deps.temporal.runs.listRunningIds('quoteExpiry')).has(quoteWorkflowId(quoteId)),
    );
    issued = await readNumbers();
    expect(issued).toHaveLength(7);

    await stopProcesses();
    await backup.restore();
  });
  afterAll(async () => {
    await stack?.close();
    await receiver?.close();
  });

  it('requires a worker and changes nothing without one', async () => {
    const nobodyWorks = await createDependencies(loadConfig(stack.env), 'drill', { taskQueue: 'nobody-works-here' });
    await expect(reconcile(nobodyWorks, { dryRun: false, restored: false, issuedNumbers: [] })).rejects.toThrow(
      /^no worker .* start the worker and the relay \(not yet the API\)/,
    );
    await nobodyWorks.close();
  });

  it('refuses a number of another series', async () => {
    expect(await runReconcile('--issued-live', 'T-10020')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: '--issued-live takes a number such as P-10250, P-10250-R2, INV-10250 or CN-10013, not "T-10020"\n',
    });
  });

  it('advances the numbers before any process runs', async () => {
    const dry = await runReconcile('--restored', '--dry-run');
    expect([dry.code, dry.stderr]).toEqual([0, '']);
    expect(dry.stdout).toMatch(/^ +found +to repair\nnumbers behind +7 +7\n\n/);
    const { code, stdout, stderr } = await runReconcile('--restored');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ +found +repaired\nnumbers behind +7 +7\n\n/);
    for (const kind of ['order', 'invoice', 'credit_note'])
      for (const environment of ['live', 'test']) expect(stdout).toContain(`numbers behind: ${kind}_numbers_${environment}: is at `);
    expect(stdout).toContain(`numbers behind: ${orders.kept}: the next remake would be `);
    expect(stdout).toContain('credit_note_numbers_live: is at 10001, but 1000 numbers up to 11001 are skipped');
  });

  it('a dry run reports all differences and repairs nothing', async () => {
    await Promise.all([stack.startPart('worker'), stack.startPart('relay'), stack.startPart('api')]);
    const found = await waitFor('the worker answers', async () => {
      const { code, stdout } = await runReconcile('--dry-run', '--json');
      return code === 0 ? (JSON.parse(stdout) as ReconcileResult) : null;
    });
    const expected = expectedFindings();
    expect(found.findings.map(({ kind, subject, repaired }) => [kind, subject, repaired]).sort()).toEqual(
      expected.map((line) => [...line, false]).sort(),
    );
    expect(found.issuedTwice).toEqual([]);
    expect((await runReconcile('--dry-run', '--json')).stdout).toContain(lost[0]?.orderId);
    await stack.whenReady();
    expect(await readOrders()).toEqual(readableOrders());
  });

  /** Reads of the API before and after the repairs. */
  const readOrders = async () =>
    Promise.all([orders.kept, orders.cancelled, lost[0]?.orderId ?? ''].map(async (id) => (await trade.get(`/orders/${id}`)).status));
  const readableOrders = () => [200, 200, 404];

  /** The expected result of the events above. */
  function expectedFindings(): [string, string][] {
    return [
      ['order without a run', orders.cancelled],
      ['run differs', orders.paid],
      ['quote without a timer', quoteId],
      ['delivery without retries', hookedDelivery],
      ...lost.map(({ orderId }): [string, string] => ['run without an order', orderId]),
    ];
  }
  let hookedDelivery = '';
  beforeAll(async () => {
    hookedDelivery = (await sql<{ id: string }>(`SELECT id FROM webhook_deliveries WHERE order_id = $1`, [orders.hooked]))[0]?.id ?? '';
  });

  it('repairs all differences, and finds none in a second run', async () => {
    const repaired = await runReconcile();
    expect([repaired.code, repaired.stderr]).toEqual([0, '']);
    expect(repaired.stdout).toMatch(/^ +found +repaired\norder without a run +1 +1\n/);
    expect(repaired.stdout).not.toContain('NOT REPAIRED');
    for (const [kind, subject] of expectedFindings()) expect(repaired.stdout).toContain(`${kind}: ${subject}: `);
    expect(await runReconcile()).toEqual({ code: 0, stdout: 'no differences between PostgreSQL and Temporal\n', stderr: '' });
  });

  it('is consistent afterwards: open orders run with stored facts, nothing else runs, and every webhook arrives', async () => {
    expect(await readOrders()).toEqual(readableOrders());
    for (const { orderId } of lost)
      expect([(await trade.get(`/orders/${orderId}`)).status, await workflowStatus(orderWorkflowId(orderId))]).toEqual([404, 'COMPLETED']);
    const open = (await sql<{ id: string }>('SELECT id FROM orders WHERE settled_at IS NULL ORDER BY id')).map(({ id }) => id);
    expect(open).toEqual(Object.values(orders).sort());
    for (const id of open) expect(await deps.temporal.runs.queryOrderState(id)).toEqual(await loadOrderState(deps.database, id));
    await waitFor(
      'every webhook has arrived',
      async () => (await sql(`SELECT 1 FROM webhook_deliveries WHERE state <> 'delivered'`)).length === 0,
    );
    await waitFor(
      'nothing else runs',
      async () => (await findRunningWorkflows(deps)).sort().join() === open.map(orderWorkflowId).sort().join(),
    );
    expect(await workflowStatus(quoteWorkflowId(quoteId))).toBe('RUNNING');
    await postToOrder(orders.paid, 'payments', { paymentId: 'pay-1', amountCents: 100 });
    expect((await sql('SELECT paid_cents FROM invoices WHERE order_id = $1', [orders.paid]))[0].paid_cents).toBe(100);
    expect(await cancelOrder(orders.cancelled)).toBe('cancelled');
  });

  it('issues no number of an order, invoice, credit note or remake twice, in either environment', async () => {
    const placed = [(await placeOrder(trade, quoteId)).json.data, await anOrder(live), await anOrder(trade)];
    const fresh = (await readNumbers()).filter(({ order_number }) => placed.some(({ orderNumber }) => orderNumber === order_number));
    expect(fresh).toHaveLength(3);
    for (const key of ['order_number', 'invoice_number'] as const) {
      const before = new Set(issued.map((numbered) => numbered[key]));
      expect(fresh.filter((numbered) => before.has(numbered[key]))).toEqual([]);
    }
    expect(await issueCreditNote('fresh')).toEqual(['CN-10001', 'CN-11002']);
    expect((await remakeOrder('fresh')).orderNumber).toMatch(/-R2$/);
    await untilAllStarted();
    const moved = await runReconcile('--issued-live', 'P-10250', '--issued-live', 'CN-12000');
    expect(moved.stdout).toContain('order_numbers_live: is at');
    expect((await anOrder(live)).orderNumber).toBe('P-10251');
    expect(await issueCreditNote('beyond')).toContain('CN-12001');
  });

  it('restores a completely lost Temporal: open orders and timers of quotes run again', async () => {
    const open = (await aQuote(trade)).quoteId;
    const openOrders = (await sql<{ id: string }>('SELECT id FROM orders WHERE settled_at IS NULL ORDER BY id')).map(({ id }) => id);
    await stack.terminate('temporal');
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(stack.folder, `temporal.db${suffix}`), { force: true });
    await stack.startPart('temporal');
    await stack.whenReady();
    const filled = await waitFor('it is filled', async () => {
      const { code, stdout } = await runReconcile('--json');
      return code === 0 ? (JSON.parse(stdout) as ReconcileResult) : null;
    });
    expect(filled.findings.filter(({ repaired }) => !repaired)).toEqual([]);
    for (const id of openOrders) expect(await deps.temporal.runs.queryOrderState(id)).toEqual(await loadOrderState(deps.database, id));
    expect(await workflowStatus(quoteWorkflowId(open))).toBe('RUNNING');
    expect((await runReconcile()).stdout).toBe('no differences between PostgreSQL and Temporal\n');
  });
});
