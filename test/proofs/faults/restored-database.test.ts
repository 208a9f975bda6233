import { spawnSync } from 'node:child_process';
import type { Dependencies } from '../../../src/processes/dependencies';
import { reconcile } from '../../../src/reconcile';
import { milestone, orderState, orderWorkflowId } from '../../../workflows/messages';
import { expectRefusal } from '../../service/http/support';
import { anAccount, type TestAccount } from '../../support/accounts';
import { anIdempotencyKeyHeader, aQuote, placeOrder } from '../../support/baskets';
import type { HttpClient, Reply } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { sendAsStudio } from '../../support/order-messages';
import { useReceiver } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { checkRuns } from './support/compare-records';
import { PatientClient } from '../../support/repeat';
import { useStack } from './support/use-stack';
import { sweepOnce } from '../../support/sweep';

/** The sweeper ignores rows for two minutes. Here that time is over at once. */
const SWEEPER_AHEAD_MS = 3 * 60_000;

/** The database goes back to an earlier state, and Temporal does not (ruling 48). */
describe('a database restored while Temporal kept newer state', () => {
  const receiver = useReceiver();
  const stack = useStack(() => ({
    env: {
      LOG_LEVEL: 'warn',
      ORDER_QUIET_PERIOD: '2s',
      CONFIRMATION_DELAY: '0s',
      WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
      WEBHOOK_RETRY_SCHEDULE: '3s,1s,15s,30s,60s,60s',
    },
  }));
  let deps: Dependencies;
  let ahead: Dependencies;
  let account: TestAccount;
  let trade: HttpClient;
  let live: HttpClient;
  let studio: HttpClient;
  /** An order with a delivery in retry, one with a sent confirmation, and one that the restored database does not contain. */
  let hooked: string;
  let confirmed: string;
  let silent: string;

  beforeAll(async () => {
    receiver.respondWith((_, response) => void response.writeHead(500).end());
    deps = await stack.dependencies();
    ahead = await stack.dependencies(SWEEPER_AHEAD_MS);
    account = await anAccount(deps.database);
    trade = new PatientClient(stack.tradeUrl, account.testKey);
    live = new PatientClient(stack.tradeUrl, account.liveKey);
    studio = new PatientClient(stack.studioUrl, stack.adminToken);
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => deps.database.rows(text, parameters);
  const ours = ['api', 'worker', 'relay'] as const;

  /** Stops everything except Temporal, runs `meanwhile` on the database's files, and starts everything again. */
  async function whileStopped(meanwhile: () => void): Promise<void> {
    await Promise.all(ours.map((part) => stack.kill(part)));
    await stack.terminate('postgres');
    meanwhile();
    await stack.startPart('postgres');
    await Promise.all(ours.map((part) => stack.startPart(part)));
    await stack.whenReady();
  }
  const copyFolder = (from: string, to: string): void => {
    const done = spawnSync('sh', ['-c', 'rm -rf "$2" && cp -a "$1" "$2"', 'copy', from, to], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
  };

  async function placeOrderOf(client: HttpClient, quoteId: string): Promise<string> {
    const reply = await placeOrder(client, quoteId, anIdempotencyKeyHeader());
    expect(reply.status).toBe(201);
    return reply.json.data.orderId;
  }
  const anOrder = async (client = trade) => placeOrderOf(client, (await aQuote(client)).quoteId);
  const postToOrder = (orderId: string, path: string, body: object): Promise<Reply> => studio.post(`/orders/${orderId}/${path}`, body);
  const cancel = (orderId: string): Promise<Reply> => trade.post(`/orders/${orderId}/cancel`);
  const milestoneBody = (milestoneId: string, type: string) => ({ milestoneId, type });
  async function told(orderId: string, path: string, body: object): Promise<void> {
    const reply = await postToOrder(orderId, path, body);
    expect([reply.status, reply.json.error]).toEqual([200, null]);
  }
  const handle = (orderId: string) => deps.temporal.client.workflow.getHandle(orderWorkflowId(orderId));
  const workflowStatus = (orderId: string) =>
    handle(orderId)
      .describe()
      .then(({ status }) => status.name as string);
  const untilRunEnds = (orderId: string) =>
    waitFor(`the run of ${orderId} ends`, async () => (await workflowStatus(orderId)) === 'COMPLETED');
  const timeline = async (orderId: string): Promise<string[]> =>
    (await sql('SELECT milestone_id, outcome FROM order_timeline WHERE order_id = $1 ORDER BY id', [orderId])).map(
      ({ milestone_id, outcome }) => `${milestone_id} ${outcome}`,
    );
  const untilAllStarted = () =>
    waitFor('every workflow is started', async () => (await sql('SELECT 1 FROM orders WHERE workflow_checked_at IS NULL')).length === 0);
  /** The same call as the Schedule's. */
  const sweep = () => sweepOnce(ahead);

  it('recovers: later messages are stored or refused, no 200 is returned without storing, and no workflow retries forever', async () => {
    // Part of the copy.
    const [kept, produced, paid, cancelled] = [await anOrder(), await anOrder(), await anOrder(), await anOrder()];
    await told(produced, 'milestones', milestoneBody('b1', 'production_started'));
    await told(paid, 'payments', { paymentId: 'pay-1', amountCents: 100 });
    const quotes = { told: '', signalled: '', changed: '', closed: '', silent: '' };
    for (const name of Object.keys(quotes) as (keyof typeof quotes)[]) quotes[name] = (await aQuote(trade)).quoteId;
    const liveQuote = (await aQuote(live, { whiteLabel: false })).quoteId;
    await anEndpoint(deps.database, account.accountId, receiver.url);
    hooked = await anOrder();
    await waitFor(
      'a delivery is handed over',
      async () =>
        (await sql('SELECT 1 FROM webhook_deliveries WHERE order_id = $1 AND attempts >= 1 AND handed_over_at IS NOT NULL', [hooked]))
          .length === 1,
    );
    await untilAllStarted();
    await whileStopped(() => copyFolder(stack.clusterDir, `${stack.clusterDir}-copy`));

    // Changes that the restore loses.
    await told(kept, 'milestones', milestoneBody('a1', 'production_started'));
    await told(kept, 'parcels', { parcelId: 'a-parcel', trackingNumber: 'TN-1' });
    await told(produced, 'milestones', milestoneBody('b2', 'completed'));
    expect((await postToOrder(paid, 'payments/pay-1/reverse', { reason: 'bounced' })).status).toBe(200);
    expect((await cancel(cancelled)).json.data.status).toBe('cancelled');
    const lost: Record<string, string> = {};
    for (const [name, quoteId] of Object.entries(quotes)) lost[name] = await placeOrderOf(trade, quoteId);
    const { told: lostTold = '', signalled = '', changed = '', closed = '' } = lost;
    silent = lost.silent ?? '';
    confirmed = await placeOrderOf(live, liveQuote);
    await told(changed, 'milestones', milestoneBody('n1', 'production_started'));
    await told(changed, 'parcels', { parcelId: 'n-parcel', trackingNumber: 'TN-2' });
    expect((await cancel(closed)).json.data.status).toBe('cancelled');
    await Promise.all([untilRunEnds(closed), untilRunEnds(cancelled), untilRunEnds(produced)]);
    await untilAllStarted();
    await waitFor(
      'the confirmation',
      async () => (await sql('SELECT 1 FROM orders WHERE id = $1 AND confirmation_sent_at IS NOT NULL', [confirmed])).length === 1,
    );
    await waitFor(
      'two more attempts',
      async () => (await sql('SELECT attempts FROM webhook_deliveries WHERE order_id = $1 ORDER BY created_at', [hooked]))[0].attempts >= 3,
    );
    await whileStopped(() => copyFolder(`${stack.clusterDir}-copy`, stack.clusterDir));
    receiver.respondWith((_, response) => void response.writeHead(204).end());

    // Existing orders: lost and new messages are stored when they are sent.
    expect((await trade.get(`/orders/${kept}`)).json.data.status).toBe('received');
    await told(kept, 'milestones', milestoneBody('a1', 'production_started'));
    await told(kept, 'milestones', milestoneBody('a2', 'held'));
    await handle(produced)
      .signal(milestone, milestoneBody('b3', 'printed'))
      .catch(() => undefined); // its run has closed; floor systems repeat
    await told(produced, 'milestones', milestoneBody('b3', 'printed'));
    await handle(produced).signal(milestone, milestoneBody('b2', 'completed'));
    expect((await postToOrder(paid, 'payments/pay-1/reverse', { reason: 'bounced' })).status).toBe(200);
    expect((await cancel(cancelled)).json.data.status).toBe('cancelled');
    await waitFor('the signal', async () => (await timeline(produced)).includes('b2 applied'));
    expect([await timeline(kept), await timeline(produced), await timeline(paid), (await timeline(cancelled)).length]).toEqual([
      ['a1 applied', 'a2 applied'],
      ['b1 applied', 'b3 applied', 'b2 applied'],
      ['payment:pay-1 applied', 'payment-reversal:pay-1 applied'],
      1,
    ]);
    expect(
      await sql('SELECT id, base_status FROM orders WHERE id = ANY ($1) ORDER BY array_position($1, id)', [
        [kept, produced, paid, cancelled],
      ]),
    ).toEqual([
      { id: kept, base_status: 'on_hold' },
      { id: produced, base_status: 'completed' },
      { id: paid, base_status: 'received' },
      { id: cancelled, base_status: 'cancelled' },
    ]);

    // Orders that never were: refused, and their runs end.
    expectRefusal(await trade.get(`/orders/${lostTold}`), 404, 'NOT_FOUND');
    expectRefusal(await cancel(lostTold), 404, 'NOT_FOUND');
    expectRefusal(await postToOrder(lostTold, 'milestones', milestoneBody('x1', 'held')), 404, 'NOT_FOUND');
    await expect(sendAsStudio({ deps }, lostTold, { milestoneId: 'x1', type: 'held' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const orderId of [lostTold, signalled]) await handle(orderId).signal(milestone, milestoneBody('x2', 'held'));
    await Promise.all([untilRunEnds(lostTold), untilRunEnds(signalled)]);
    expect([await timeline(lostTold), await timeline(signalled)]).toEqual([[], []]);

    // Quotes that are open again can be ordered, for any state of the first order's workflow.
    for (const [name, orderId] of [
      ['changed', changed],
      ['closed', closed],
    ] as const) {
      const placed = await placeOrder(trade, quotes[name]);
      expect([placed.status, placed.json.data.orderId, placed.json.data.status]).toEqual([201, orderId, 'received']);
      expectRefusal(await placeOrder(trade, quotes[name]), 409, 'QUOTE_ALREADY_ORDERED', { orderId });
      await told(orderId, 'milestones', milestoneBody('y1', 'held'));
      expect([(await trade.get(`/orders/${orderId}`)).json.data.status, await timeline(orderId)]).toEqual(['on_hold', ['y1 applied']]);
      const known = await handle(orderId).query(orderState);
      expect([known?.orderNumber, known?.version, known?.facts.baseStatus, known?.facts.liveParcels]).toEqual([
        placed.json.data.orderNumber,
        2,
        'on_hold',
        [],
      ]);
    }
    expect(await placeOrderOf(live, liveQuote)).toBe(confirmed);
    await told(confirmed, 'milestones', milestoneBody('z1', 'held'));
    await untilAllStarted();

    // Afterwards nothing fails. Separate tests below cover the omitted cases.
    await expectSoon(async () => {
      await sweep();
      return findUnsettled();
    }).toEqual([]);
  });

  /** Open orders without a workflow, workflows without an open order, open deliveries, and repeated failures. */
  async function findUnsettled(): Promise<string[]> {
    const delivery = (await sql('SELECT id FROM webhook_deliveries WHERE order_id = $1 ORDER BY created_at LIMIT 1', [hooked]))[0]
      ?.id as string;
    const open = (await sql('SELECT id FROM orders WHERE settled_at IS NULL')).map(({ id }) => orderWorkflowId(id));
    const running: string[] = [];
    for await (const { workflowId } of deps.temporal.client.workflow.list({
      query: `WorkflowType IN ("order", "webhookDelivery") AND ExecutionStatus = "Running"`,
    }))
      running.push(workflowId);
    const deliveries = (await sql(`SELECT id, state, attempts FROM webhook_deliveries WHERE state <> 'delivered'`)).map(
      ({ id, state, attempts }) => `${id} ${state} ${attempts}`,
    );
    const found = [
      ...running.filter((id) => !open.includes(id)).map((id) => `${id} runs`),
      ...open.filter((id) => !running.includes(id)).map((id) => `${id} does not run`),
      ...deliveries,
      ...(await checkRuns(deps)),
    ];
    return found.filter((line) => !line.includes(delivery) && !line.includes(silent));
  }

  it('a delivery with more retries than its row shows is still delivered', async () => {
    await waitFor('it is delivered', async () => {
      await sweep();
      return (await sql(`SELECT 1 FROM webhook_deliveries WHERE order_id = $1 AND state <> 'delivered'`, [hooked])).length === 0;
    });
  });

  it('an order placed again next to the workflow of its lost first version sends its confirmation', async () => {
    await waitFor(
      'it is confirmed',
      async () => (await sql('SELECT 1 FROM orders WHERE id = $1 AND confirmation_sent_at IS NOT NULL', [confirmed])).length === 1,
    );
  });

  it('reconciliation ends the workflow of an order that does not exist', async () => {
    await sweep();
    expect(await workflowStatus(silent)).toBe('RUNNING'); // the sweeper compares rows with runs
    const { findings } = await reconcile(deps, { dryRun: false, restored: false, issuedNumbers: [] });
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'run without an order', subject: silent, repaired: true }));
    expect(await workflowStatus(silent)).toBe('COMPLETED');
  });
});
