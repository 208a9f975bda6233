import { createWebhookSender } from '../../../src/webhooks/send';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';

describe('the relay', () => {
  let receiver: WebhookReceiver;
  let service: TestService;
  let endpointId: string;
  const start = async (env: Record<string, string> = {}, worker = true) => {
    receiver = await startReceiver();
    // Receivers hang on purpose. An attempt that times out on a slow machine would be another request.
    const webhookSender = createWebhookSender({ allowedOrigins: [receiver.origin], timeoutMs: 50_000 });
    service = await startService({ worker, webhookSender, env });
    ({ id: endpointId } = await anEndpoint(service.deps.database, service.account.accountId, receiver.url));
  };
  afterEach(async () => {
    await service.stop();
    await receiver.close();
  });
  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const untilInState = (state: string, count: number) =>
    waitFor(`${count} ${state}`, async () => (await sql('SELECT 1 FROM webhook_deliveries WHERE state = $1', [state])).length === count);
  const place = () => anOrder(service.trade(service.account.testKey));

  it('finds deliveries without a notification of the commit', async () => {
    await start({ DATABASE_DIRECT_URL: 'postgres://nobody:nothing@127.0.0.1:1/none' });
    await place();
    await receiver.waitFor(1);
    await untilInState('delivered', 1);
  });

  it('holds pending deliveries of an endpoint that was being disabled, and sends nothing', async () => {
    await start({}, false);
    await place();
    await sql(`UPDATE webhook_endpoints SET state = 'disabled', updated_at = now() WHERE id = $1`, [endpointId]);
    await service.startWorker();
    await untilInState('held', 1);
    expect(receiver.received).toEqual([]);
  });

  it('sends each event once over kept connections, one at a time', async () => {
    await start({}, false);
    for (let index = 0; index < 12; index += 1) await place();
    await service.startWorker();
    await untilInState('delivered', 12);
    expect(receiver.received).toHaveLength(12);
    expect(receiver.eventIds().size).toBe(12);
    expect(await sql(`SELECT count(*)::int AS n FROM webhook_attempts WHERE timings->>'connectMs' IS NULL`)).not.toEqual([{ n: 0 }]);
  });

  it('reports that it is running, until it has stopped', async () => {
    await start();
    const readRelayCheck = async () =>
      (await fetch(`http://127.0.0.1:${service.api.studioPort}/readyz`).then((reply) => reply.json() as any)).data.checks.relay;
    await waitFor('its hello', async () => (await readRelayCheck()) === 'ok');
    await service.worker?.stop();
    await waitFor('its end', async () => String(await readRelayCheck()).includes('start the relay'));
  });

  it('finishes attempts in progress when it stops, returns the rest, and the next relay sends them', async () => {
    await start({}, false);
    for (let index = 0; index < 10; index += 1) await place();
    const open: (() => void)[] = [];
    receiver.respondWith((_, response) => void open.push(() => response.writeHead(204).end()));
    await service.startWorker();
    await receiver.waitFor(4);
    const stopped = service.worker?.stop();
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    for (const answer of open) answer();
    await stopped;
    expect(await sql(`SELECT count(*)::int AS n FROM webhook_deliveries WHERE claimed_until IS NOT NULL`)).toEqual([{ n: 0 }]);
    await service.startWorker();
    await untilInState('delivered', 10);
    expect(receiver.received).toHaveLength(10);
  });

  it('abandons attempts to a receiver that hangs when it stops, and the next relay repeats them', async () => {
    await start({ WEBHOOK_RETRY_SCHEDULE: '1ms' }, false);
    receiver.respondWith((_, response) => void (receiver.received.length === 1 && response.writeHead(500).end()));
    await place();
    await service.startWorker();
    await receiver.waitFor(2);
    await place();
    await receiver.waitFor(3);
    await service.worker?.stop(0);
    expect(await sql('SELECT error_code FROM webhook_attempts')).toEqual([{ error_code: 'bad_status' }]);
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    await service.startWorker();
    await untilInState('delivered', 2);
    expect(await sql('SELECT number, error_code FROM webhook_attempts ORDER BY number, error_code')).toEqual([
      { number: 1, error_code: 'bad_status' },
      { number: 1, error_code: null },
      { number: 2, error_code: null },
    ]);
  });
});

describe('recovery', () => {
  it('the same call during a recovery returns the count of the first, and later starts a new one', async () => {
    const receiver = await startReceiver();
    const webhookSender = createWebhookSender({ allowedOrigins: [receiver.origin], timeoutMs: 50_000 });
    const service = await startService({ webhookSender });
    try {
      const { id } = await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
      const postAction = (verb: string, body: object = {}) => service.studio().post(`/webhook-endpoints/${id}/${verb}`, body);
      await postAction('disable');
      for (let index = 0; index < 6; index += 1) await anOrder(service.trade(service.account.testKey));
      await postAction('enable', { skipPing: true });
      const open: (() => void)[] = [];
      receiver.respondWith((_, response) => void open.push(() => response.writeHead(204).end()));
      const since = '2020-01-01T00:00:00Z';
      const countRecoverable = async (bodies: object[]) =>
        Promise.all(bodies.map(async (body) => (await postAction('recover', body)).json.data.count));
      expect(
        await countRecoverable([
          { since, states: ['held', 'failed'] },
          { since, states: ['failed', 'held'] },
          { since: '2020-01-01T10:00:00+10:00' },
        ]),
      ).toEqual([6, 6, 6]);
      expect(await countRecoverable([{ since, states: ['held'] }])).toEqual([0]); // another call: no delivery is held now
      const audited = await service.deps.database.rows(
        `SELECT count(*)::int AS n FROM audit_log WHERE action = 'endpoint.recover' AND after->'states' @> '["failed"]'`,
      );
      expect(audited).toEqual([{ n: 1 }]);
      await receiver.waitFor(4);
      receiver.respondWith((_, response) => void response.writeHead(204).end());
      for (const answer of open) answer();
      await waitFor(
        'all delivered',
        async () => (await service.deps.database.rows(`SELECT 1 FROM webhook_deliveries WHERE state = 'delivered'`)).length === 6,
      );
      expect(receiver.received).toHaveLength(6);
      expect(await countRecoverable([{ since }])).toEqual([0]);
    } finally {
      await service.stop();
      await receiver.close();
    }
  });
});
