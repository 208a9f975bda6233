import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { request } from 'undici';
import { ConfigError, loadConfig } from '../../../src/config/config';
import { createDependencies, type Dependencies } from '../../../src/processes/dependencies';
import { createWebhooksWorker } from '../../../src/processes/relay';
import { newId } from '../../../src/security/ids';
import { EncryptingCodec } from '../../../src/security/payload-codec';
import { connectLazily } from '../../../src/temporal/connect';
import { createOrdersWorker } from '../../../src/processes/worker';
import { workflowBundle } from '../../../src/temporal/workflow-bundle';
import { orderWorkflowId } from '../../../workflows/messages';
import { deliveryWorkflowId } from '../../../workflows/webhook-messages';
import { anEndpoint } from '../../support/endpoints';
import { sendAsStudio } from '../../support/order-messages';
import { LONG_TEMPORAL_TIMEOUTS, LONG_TIMEOUTS, sharedService, startService } from '../../support/service';
import { useReceiver, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { historyText } from '../workflows/history-text';
import { aMilestone, aParcel, OrderDriver, refusalCodeOf } from '../workflows/order-driver';

const newKeyText = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;
const [k1, k2] = [newKeyText('k1'), newKeyText('k2')];

describe('with TEMPORAL_CODEC_KEY', () => {
  const receiver = useReceiver();
  const service = useService(() => ({
    env: {
      TEMPORAL_CODEC_KEY: k1,
      WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
      WEBHOOK_RETRY_SCHEDULE: '200ms,200ms,200ms,200ms,200ms,200ms',
      TEMPORAL_UI_URL: 'https://temporal.example',
    },
  }));
  let desk: OrderDriver;
  beforeAll(async () => {
    desk = new OrderDriver(service);
  });

  const historyOf = (workflowId: string) => desk.client.workflow.getHandle(workflowId).fetchHistory();
  const failedTasks = async (workflowId: string) =>
    ((await historyOf(workflowId)).events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length;

  /** Each payload of a history, with its encoding. */
  function payloads(value: unknown): { encoding: string; text: string }[] {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
    const { metadata, data } = value as { metadata?: Record<string, Uint8Array>; data?: Uint8Array };
    if (metadata?.encoding instanceof Uint8Array)
      return [{ encoding: Buffer.from(metadata.encoding).toString(), text: Buffer.from(data ?? []).toString() }];
    return Object.entries(value)
      .filter(([name]) => name !== 'searchAttributes')
      .flatMap(([, part]) => payloads(part));
  }

  /** Data that the SDK writes for each local activity: its name, attempt and times. */
  function isSdkMarker(text: string): boolean {
    const note = text.startsWith('{"seq":') ? (JSON.parse(text) as object) : {};
    return Object.keys(note).join() === 'seq,attempt,activity_id,activity_type,complete_time,backoff,original_schedule_time';
  }

  async function runWholeOrder() {
    receiver.respondWith((_, response) => void response.writeHead(200).end());
    const ref = await desk.placeOrder();
    await desk.apply(ref, aMilestone('production_started'));
    await desk.signal(ref, aParcel('p1'));
    await waitFor('shipped', async () => (await desk.row(ref)).status === 'shipped');
    expect(await refusalCodeOf(desk.cancel(ref))).toBe('ORDER_NOT_CANCELLABLE');
    await desk.apply(ref, aMilestone('completed'));
    await desk.waitUntilIdle(ref);
    return ref;
  }

  it('an order runs to its end, and Temporal stores no plain payload of it', async () => {
    const ref = await runWholeOrder();
    expect(await desk.eventTypes(ref)).toEqual(['order.received', 'order.in_production', 'order.shipped']);
    const history = await historyOf(orderWorkflowId(ref.orderId));
    const stored = payloads(history).filter(({ text }) => !isSdkMarker(text));
    expect(stored.length).toBeGreaterThan(10);
    expect(stored.filter(({ encoding }) => encoding !== 'binary/encrypted').map(({ text }) => text)).toEqual([]);
    expect(historyText(history)).not.toMatch(new RegExp(`"orderId":"${ref.orderId}"|TRACK-p1`));
    expect(await failedTasks(orderWorkflowId(ref.orderId))).toBe(0);
    expect(await desk.handle(ref).query('orderState')).toMatchObject({ orderNumber: ref.orderNumber });
  });

  it('retries of webhooks work too', async () => {
    const statuses = [500, 500];
    receiver.respondWith((_, response) => void response.writeHead(statuses.shift() ?? 200).end());
    const endpoint = await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
    const ref = await desk.placeOrder();
    const delivery = () =>
      desk.sql<{ id: string; state: string }>('SELECT id, state FROM webhook_deliveries WHERE order_id = $1', [ref.orderId]);
    await waitFor('delivered', async () => (await delivery())[0]?.state === 'delivered');
    const id = (await delivery())[0]?.id ?? '';
    expect(historyText(await historyOf(deliveryWorkflowId(id)))).not.toContain('receiver');
    expect(await failedTasks(deliveryWorkflowId(id))).toBe(0);
    await desk.sql('UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1', [endpoint.id]);
  });

  it('messages with another key or without one fail no task: unreadable ones are refused, and plain ones are applied', async () => {
    const ref = await desk.placeOrder();
    const { connection } = service.deps.temporal.client;
    const stranger = new Client({
      connection,
      dataConverter: {
        payloadCodecs: [
          new EncryptingCodec(
            loadConfig({ ...service.env, TEMPORAL_CODEC_KEY: k2 }).codecKeys ?? { encryptionKey: null, decryptionKeys: [] },
          ),
        ],
      },
    });
    const floor = new Client({ connection });
    const orderHandle = (client: Client) => client.workflow.getHandle(orderWorkflowId(ref.orderId));
    await orderHandle(stranger).signal('milestone', aMilestone('printed'));
    await waitFor('the refusal', async () => (await desk.timeline(ref)).some(({ outcome }) => outcome === 'refused'));
    await expect(orderHandle(stranger).executeUpdate('applyMessage', { args: [{ messageId: newId('msg') }] })).rejects.toThrow();
    await orderHandle(floor).signal('milestone', aMilestone('production_started'));
    await waitFor('heard', async () => (await desk.row(ref)).status === 'in_production');
    expect(await failedTasks(orderWorkflowId(ref.orderId))).toBe(0);
    expect(await desk.row(ref)).toMatchObject({ printed: false });
  });

  it.each([
    ['no key', undefined],
    ['another key', k2],
    ['another key under the same id', newKeyText('k1')],
  ])('a process with %s does not start, and names the missing key', async (_title, key) => {
    const { TEMPORAL_CODEC_KEY: _right, ...env } = service.env;
    const start = createDependencies(loadConfig({ ...env, ...(key === undefined ? {} : { TEMPORAL_CODEC_KEY: key }) }), 'worker');
    await expect(start).rejects.toThrow(ConfigError);
    await expect(start).rejects.toThrow('"k1"');
  });

  it('replays encrypted histories, and older plain ones', async () => {
    const ref = await runWholeOrder();
    const history = await historyOf(orderWorkflowId(ref.orderId));
    const plain = await import('../replay/histories/order-whole-life.json');
    const { History } = temporal.api.history.v1;
    const histories = [
      { workflowId: orderWorkflowId(ref.orderId), history: History.fromObject(history) },
      { workflowId: 'plain', history: History.fromObject(plain) },
    ];
    const results: unknown[] = [];
    for await (const { error } of Worker.runReplayHistories(
      { workflowBundle: await workflowBundle('orders'), dataConverter: { payloadCodecs: service.deps.temporal.codecs } },
      histories,
    ))
      results.push(error);
    expect(results).toEqual([undefined, undefined]);
  });

  describe('POST /codec/decode', () => {
    const studioUrl = () => `http://127.0.0.1:${service.api.studioPort}/codec/decode`;
    const decodeRequest = async (body: unknown, token = service.adminToken, headers: Record<string, string> = {}) => {
      const reply = await request(studioUrl(), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return {
        status: reply.statusCode,
        headers: reply.headers,
        json: (await reply.body.json()) as { payloads?: { metadata: Record<string, string>; data: string }[]; error?: { code: string } },
      };
    };
    const token = async (role: string) =>
      (await service.studio().post('/tokens', { name: `codec ${role}`, role })).json.data.token as string;
    const text = (base64 = '') => Buffer.from(base64, 'base64').toString();

    it('decodes payloads of a history for the office', async () => {
      const ref = await desk.placeOrder();
      const { History } = temporal.api.history.v1;
      const { events } = History.toObject(History.fromObject(await historyOf(orderWorkflowId(ref.orderId))), {
        bytes: String,
        longs: String,
      }) as { events: { workflowExecutionStartedEventAttributes?: { input: { payloads: unknown[] } } }[] };
      const sent = events[0]?.workflowExecutionStartedEventAttributes?.input.payloads ?? [];
      const plain = { metadata: { encoding: Buffer.from('json/plain').toString('base64') }, data: Buffer.from('1').toString('base64') };
      const reply = await decodeRequest({ payloads: [...sent, plain] }, await token('office'));
      expect(reply.status).toBe(200);
      const [decoded, passed] = reply.json.payloads ?? [];
      expect(text(decoded?.metadata.encoding)).toBe('json/plain');
      expect(JSON.parse(text(decoded?.data))).toMatchObject({ orderId: ref.orderId, state: { orderNumber: ref.orderNumber } });
      expect(passed).toEqual(plain);
    });

    it('refuses the floor, unknown callers and bodies without a list of payloads, and encodes nothing', async () => {
      expect((await decodeRequest({ payloads: [] }, await token('floor'))).status).toBe(403);
      expect((await decodeRequest({ payloads: [] }, 'lps_0')).status).toBe(401);
      expect(await decodeRequest({ payloads: 'x' })).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_ERROR' } } });
      expect(
        (
          await decodeRequest({
            payloads: [{ metadata: { encoding: 5 } }, null, 'x', { metadata: { encoding: 'YmluYXJ5L2VuY3J5cHRlZA==' } }],
          })
        ).status,
      ).toBe(200);
      const encode = await request(studioUrl().replace('decode', 'encode'), {
        method: 'POST',
        headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'application/json' },
        body: '{"payloads":[]}',
      });
      expect(encode.statusCode).toBe(404);
      await encode.body.dump();
    });

    it('pages of the Web UI may send requests, and others may not', async () => {
      const preflight = async (origin: string) => {
        const reply = await request(studioUrl(), {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization,content-type,x-namespace,traceparent',
          },
        });
        await reply.body.dump();
        return {
          status: reply.statusCode,
          allowed: reply.headers['access-control-allow-origin'],
          headers: reply.headers['access-control-allow-headers'],
        };
      };
      expect(await preflight('https://temporal.example')).toEqual({
        status: 204,
        allowed: 'https://temporal.example',
        headers: 'authorization, content-type, x-namespace, traceparent',
      });
      expect(await preflight('https://evil.example')).toMatchObject({ status: 204, allowed: undefined });
      expect((await decodeRequest({ payloads: [] }, service.adminToken, { origin: 'https://temporal.example' })).headers).toMatchObject({
        'access-control-allow-origin': 'https://temporal.example',
      });
      expect(
        (await decodeRequest({ payloads: [] }, service.adminToken, { origin: 'https://evil.example' })).headers[
          'access-control-allow-origin'
        ],
      ).toBeUndefined();
    });
  });
});

it('a key is rotated while orders run: the old one, in second place, still decodes', async () => {
  const service = await startService({ env: { TEMPORAL_CODEC_KEY: k1 } });
  let rotated: Dependencies | null = null;
  try {
    const desk = new OrderDriver(service);
    const ref = await desk.placeOrder();
    await desk.apply(ref, aMilestone('production_started'));
    await service.worker?.stop();
    const deps = await createDependencies(loadConfig({ ...service.env, TEMPORAL_CODEC_KEY: `${k2},${k1}` }), 'worker', {
      taskQueue: service.taskQueue,
      webhooksTaskQueue: `${service.taskQueue}-webhooks`,
      logger: service.deps.logger,
      session: LONG_TIMEOUTS,
      temporalTimeouts: LONG_TEMPORAL_TIMEOUTS,
    });
    rotated = deps;
    const connection = await NativeConnection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' });
    const settings = { connection, shutdownGraceMs: 500 };
    const workers = await Promise.all([
      createOrdersWorker(deps, { ...settings, taskQueue: service.taskQueue }),
      createWebhooksWorker(deps, { ...settings, taskQueue: `${service.taskQueue}-webhooks` }),
    ]);
    const done = Promise.all(workers.map((worker) => worker.run()));
    await sendAsStudio({ deps }, ref.orderId, aMilestone('printed'));
    await sendAsStudio({ deps }, ref.orderId, aMilestone('completed'));
    expect(await desk.row(ref)).toMatchObject({ status: 'completed', printed: true, version: 4 });
    const { events } = await deps.temporal.client.workflow.getHandle(orderWorkflowId(ref.orderId)).fetchHistory();
    expect((events ?? []).filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
    for (const worker of workers) worker.shutdown();
    await done;
    await connection.close();
    await expect(createDependencies(loadConfig({ ...service.env, TEMPORAL_CODEC_KEY: k1 }), 'worker')).rejects.toThrow('"k2"');
    const leaving = await createDependencies(loadConfig({ ...service.env, TEMPORAL_CODEC_KEY: `plain,${k2},${k1}` }), 'worker');
    await leaving.close();
  } finally {
    await rotated?.close();
    await service.stop();
  }
});

it('without a key Temporal stores plain payloads', async () => {
  const service = await sharedService();
  try {
    const desk = new OrderDriver(service);
    const ref = await desk.placeOrder();
    expect(historyText(await desk.handle(ref).fetchHistory())).toContain(`"orderId":"${ref.orderId}"`);
    const plainly = new Client({ connection: await connectLazily(service.deps.config.temporal) });
    expect(await plainly.workflow.getHandle(orderWorkflowId(ref.orderId)).query('orderState')).toMatchObject({
      orderNumber: ref.orderNumber,
    });
    await plainly.connection.close();
  } finally {
    await service.stop();
  }
});
