import type { ServerResponse } from 'node:http';
import { WEBHOOK_URL_ISSUES } from '../../../../src/security/public-address';
import { unknownId } from '../../../support/baskets';
import type { HttpClient, Reply } from '../../../support/client';
import { startService } from '../../../support/service';
import { useFixture, useReceiver, useService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { isSignedBy, startReceiver } from '../../../support/webhook-receiver';
import { findAuditEntries, aToken, validationPathsOf, sendMilestone } from './support';
import { aWebhookShop, waitForDeliveries, type WebhookShop } from './webhook-support';

const LONG_AGO = '2020-01-01T00:00:00Z';
const ACTIONS: [string, object | undefined][] = [
  ['enable', {}],
  ['disable', {}],
  ['rotate-secret', {}],
  ['ping', undefined],
  ['recover', { since: LONG_AGO }],
];

describe('webhook endpoints', () => {
  const receiver = useReceiver();
  const service = useService(() => ({
    env: {
      WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
      WEBHOOK_RETRY_SCHEDULE: '100ms,100ms,100ms,100ms,100ms,100ms',
      RATE_LIMIT_FACTOR: '50',
    },
  }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  let shop: WebhookShop;
  beforeEach(async () => {
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    shop = await aWebhookShop(service, office, receiver);
  });

  const accountEndpointsPath = () => `/accounts/${shop.accountId}/webhook-endpoints`;
  const postAction = (action: string, body?: unknown) => office.post(`/webhook-endpoints/${shop.endpointId}/${action}`, body);
  const readEndpoint = async () => (await office.get(`/webhook-endpoints/${shop.endpointId}`)).json.data;
  const patch = (body: unknown, id = shop.endpointId) => office.send('PATCH', `/webhook-endpoints/${id}`, body);
  const remove = (id = shop.endpointId) => office.send('DELETE', `/webhook-endpoints/${id}`);
  const sql = (text: string, parameters: unknown[] = []): Promise<any[]> => service.deps.database.rows(text, parameters);
  const answer500 = () => receiver.respondWith((_, response) => void response.writeHead(500).end('broken'));
  const statusAndCode = ({ status, json }: Reply) => [status, json.error?.code];

  describe('Auth', () => {
    it('every endpoint is 401 without a token and 403 for the floor, and changes nothing', async () => {
      const before = await readEndpoint();
      const calls = (studio: HttpClient) => [
        studio.post(accountEndpointsPath(), { environment: 'test', url: receiver.url }),
        studio.get(accountEndpointsPath()),
        studio.get(`/webhook-endpoints/${shop.endpointId}`),
        studio.send('PATCH', `/webhook-endpoints/${shop.endpointId}`, { url: receiver.origin }),
        studio.send('DELETE', `/webhook-endpoints/${shop.endpointId}`),
        ...ACTIONS.map(([action, body]) => studio.post(`/webhook-endpoints/${shop.endpointId}/${action}`, body)),
      ];
      const statuses = async (studio: HttpClient) => new Set((await Promise.all(calls(studio))).map(({ status }) => status));
      expect(await statuses(service.studio(''))).toEqual(new Set([401]));
      expect(await statuses(floor)).toEqual(new Set([403]));
      expect(await readEndpoint()).toEqual(before);
      expect(shop.received()).toEqual([]);
    });
  });

  describe('Validation', () => {
    it.each<[string, keyof typeof WEBHOOK_URL_ISSUES]>([
      ['hooks.example.com/orders', 'not_a_url'],
      ['http://hooks.example.com/', 'not_https'],
    ])('%s is refused, new and as a change: %s', async (url, fault) => {
      const replies = await Promise.all([office.post(accountEndpointsPath(), { environment: 'live', url }), patch({ url })]);
      for (const reply of replies) {
        expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['url']]);
        const told = fault === 'not_https' ? `, or have an origin in WEBHOOK_ALLOWED_ORIGINS (${receiver.origin})` : '';
        expect(reply.json.error?.details.issues).toEqual([{ path: 'url', message: WEBHOOK_URL_ISSUES[fault] + told }]);
      }
      expect((await office.get(accountEndpointsPath())).json.data).toHaveLength(1);
    });
    it('a name that does not resolve is refused with a remedy', async () => {
      const reply = await office.post(accountEndpointsPath(), { environment: 'live', url: 'https://hooks.gallery.invalid/orders' });
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['url']]);
      expect(reply.json.error?.message).toContain('publish an A or AAAA record');
    });
    it.each<[string, object, string[]]>([
      ['recover', { since: LONG_AGO, until: '2019-01-01T00:00:00Z' }, ['since']],
      ['recover', { since: '2990-01-01T00:00:00Z' }, ['since']],
    ])('%s with %j is refused', async (action, body, paths) => {
      const reply = await postAction(action, body);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, paths]);
    });
  });

  describe('Errors', () => {
    it.each(['whe_00', 'x', '%00', 'dlv_00'])('endpoint %s is 404', async (id) => {
      const replies = await Promise.all([
        office.get(`/webhook-endpoints/${id}`),
        patch({ url: receiver.url }, id),
        remove(id),
        ...ACTIONS.map(([action, body]) => office.post(`/webhook-endpoints/${id}/${action}`, body)),
        office.post(`/webhook-endpoints/${id}/recover`, { since: LONG_AGO, dryRun: true }),
      ]);
      expect(replies.map(statusAndCode)).toEqual(replies.map(() => [404, 'NOT_FOUND']));
    });
    it('an unknown account is 404', async () => {
      const path = `/accounts/${unknownId('acc')}/webhook-endpoints`;
      expect([(await office.get(path)).status, (await office.post(path, { environment: 'live', url: receiver.url })).status]).toEqual([
        404, 404,
      ]);
    });
    it('enabling pings first: an endpoint that responds with 500 stays disabled, unless the ping is skipped', async () => {
      await postAction('disable', {});
      answer500();
      const refused = await postAction('enable', {});
      expect(statusAndCode(refused)).toEqual([409, 'ENDPOINT_UNREACHABLE']);
      expect(refused.json.error?.details).toEqual({ status: 500, errorCode: 'bad_status' });
      expect((await readEndpoint()).state).toBe('disabled');
      expect(shop.received().map(({ type }) => type)).toEqual(['ping']);
      expect((await postAction('enable', { skipPing: true })).json.data.state).toBe('enabled');
      expect(shop.received()).toHaveLength(1);
    });
    it('a disabled endpoint cannot be recovered, but a dry run works', async () => {
      await postAction('disable', {});
      const refused = await postAction('recover', { since: LONG_AGO });
      expect(statusAndCode(refused)).toEqual([409, 'ENDPOINT_DISABLED']);
      expect(refused.json.error?.message).toContain('enable it first');
      expect((await postAction('recover', { since: LONG_AGO, dryRun: true })).json.data).toEqual({ count: 0 });
    });
  });

  describe('Success', () => {
    it('shows the secret once, and never in a list, another response, the audit log or the log', async () => {
      const made = await office.post(accountEndpointsPath(), { environment: 'live', url: receiver.url });
      expect(made.status).toBe(201);
      const { secret, standardSecret, ...endpoint } = made.json.data;
      expect(secret).toMatch(/^lpw_[0-9a-f]{64}$/);
      expect(standardSecret).toBe(`whsec_${Buffer.from(secret).toString('base64')}`);
      expect(endpoint).toEqual({
        id: expect.stringMatching(/^whe_/),
        eventTypes: null,
        accountId: shop.accountId,
        environment: 'live',
        url: receiver.url,
        state: 'enabled',
        disabledReason: null,
        consecutiveFailures: 0,
        secretOverlapUntil: null,
        deliveries: { held: 0, failed: 0 },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      const shown = await office.get(`/webhook-endpoints/${endpoint.id}`);
      const listed = await office.get(accountEndpointsPath());
      expect(shown.json.data).toEqual(endpoint);
      expect(listed.json.data.map(({ id }: any) => id)).toEqual([endpoint.id, shop.endpointId]);
      for (const text of [shown.text, listed.text, JSON.stringify(await findAuditEntries(service, endpoint.id)), service.logLines.join()])
        expect(text).not.toMatch(/lpw_|whsec_/);
    });
    it('the list pages through the endpoints once, and its cursor is refused for another account', async () => {
      await office.post(accountEndpointsPath(), { environment: 'live', url: receiver.url });
      const all = (await office.get(accountEndpointsPath())).json;
      const first = (await office.get(`${accountEndpointsPath()}?limit=1`)).json;
      const rest = (await office.get(`${accountEndpointsPath()}?limit=1&cursor=${first.nextCursor}`)).json;
      expect([[...first.data, ...rest.data], rest.nextCursor]).toEqual([all.data, null]);
      const other = await office.get(`/accounts/${service.account.accountId}/webhook-endpoints?cursor=${first.nextCursor}`);
      expect(validationPathsOf(other)).toEqual(['query.cursor']);
    });
    it('the next request uses a changed URL, and the audit log has only origins', async () => {
      const second = await startReceiver();
      const moved = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: `${receiver.origin},${second.origin}` } });
      try {
        const studio = moved.studio();
        const other = await aWebhookShop(moved, studio, receiver);
        const changed = await studio.send('PATCH', `/webhook-endpoints/${other.endpointId}`, { url: `${second.url}?token=hush` });
        expect(changed.json.data.url).toBe(`${second.url}?token=hush`);
        await studio.post(`/webhook-endpoints/${other.endpointId}/ping`);
        expect([second.received.map(({ type }) => type), other.received()]).toEqual([['ping'], []]);
        const entries = await findAuditEntries(moved, other.endpointId);
        expect(entries[1]).toMatchObject({
          action: 'endpoint.change',
          before: { origin: receiver.origin },
          after: { origin: second.origin, urlChanged: true },
        });
        expect(JSON.stringify(entries)).not.toContain('hush');
      } finally {
        await moved.stop();
        await second.close();
      }
    });
    it('a ping is signed and returns the response, also of a disabled endpoint, and does not count as a delivery', async () => {
      await postAction('disable', {});
      answer500();
      expect((await postAction('ping')).json.data).toEqual({
        ok: false,
        status: 500,
        errorCode: 'bad_status',
        totalMs: expect.any(Number),
        replyExcerpt: 'broken',
      });
      receiver.respondWith((_, response) => void response.writeHead(200).end('pong'));
      expect((await postAction('ping')).json.data).toEqual({
        ok: true,
        status: 200,
        errorCode: null,
        totalMs: expect.any(Number),
        replyExcerpt: 'pong',
      });
      expect(shop.received()).toMatchObject([
        { type: 'ping' },
        { type: 'ping', headers: { 'service-event-type': 'ping' }, body: { environment: 'test', data: { endpointId: shop.endpointId } } },
      ]);
      expect(await readEndpoint()).toMatchObject({ state: 'disabled', consecutiveFailures: 0, deliveries: { held: 0, failed: 0 } });
      expect((await findAuditEntries(service, shop.endpointId)).at(-1)).toMatchObject({
        action: 'endpoint.ping',
        after: { ok: true, status: 200 },
      });
    });
    it('failed pings are counted in the audit log: the first at once, the others as one entry', async () => {
      answer500();
      await service.deps.failureAudit.flush(); // no earlier failure ends its minute meanwhile
      for (let ping = 0; ping < 3; ping += 1) expect((await postAction('ping')).json.data.ok).toBe(false);
      await service.deps.failureAudit.flush();
      const failed = (await findAuditEntries(service, shop.endpointId)).filter(({ action }) => action === 'ping.failed');
      expect(failed).toMatchObject([
        { actor: 'Books', after: { status: 500, errorCode: 'bad_status', count: 1 } },
        { actor: 'Books', after: { status: 500, errorCode: 'bad_status', count: 2, since: expect.any(String) } },
      ]);
    });
    it('within the overlap both secrets sign, afterwards the new one only', async () => {
      const { secret } = (await postAction('rotate-secret', {})).json.data;
      expect(secret).toMatch(/^lpw_[0-9a-f]{64}$/);
      expect(Date.parse((await readEndpoint()).secretOverlapUntil) - Date.parse((await readEndpoint()).updatedAt)).toBe(
        24 * 60 * 60 * 1000,
      );
      const findSigners = async () => {
        await postAction('ping');
        const last = receiver.received.findLast(({ body }) => body.data.endpointId === shop.endpointId);
        return [shop.secret, secret].map((each) => last !== undefined && isSignedBy(last, each));
      };
      expect(await findSigners()).toEqual([true, true]);
      await sql(`UPDATE webhook_endpoints SET previous_secret_until = now() - interval '1 second' WHERE id = $1`, [shop.endpointId]);
      expect(await findSigners()).toEqual([false, true]);
      expect((await readEndpoint()).secretOverlapUntil).toBeNull();
      expect(JSON.stringify(await findAuditEntries(service, shop.endpointId))).not.toContain('lpw_');
    });
    it('within an overlap, only a rotation without one is possible', async () => {
      const { secret, secretOverlapUntil } = (await postAction('rotate-secret', {})).json.data;
      const refused = await postAction('rotate-secret', { overlapHours: 1 });
      expect(statusAndCode(refused)).toEqual([409, 'ROTATION_REFUSED']);
      expect(refused.json.error).toMatchObject({
        message: expect.stringContaining(`${secretOverlapUntil}; rotate after that, or send overlapHours 0`),
        details: { secretOverlapUntil },
      });
      await postAction('ping');
      const last = receiver.received.findLast(({ body }) => body.data.endpointId === shop.endpointId);
      expect([shop.secret, secret].map((each) => last !== undefined && isSignedBy(last, each))).toEqual([true, true]);
      expect((await postAction('rotate-secret', { overlapHours: 0 })).json.data.secretOverlapUntil).toBeNull();
    });
    it('without an overlap the old secret stops at once', async () => {
      const { secret, secretOverlapUntil } = (await postAction('rotate-secret', { overlapHours: 0 })).json.data;
      await postAction('ping');
      const last = receiver.received.findLast(({ body }) => body.data.endpointId === shop.endpointId);
      expect(last !== undefined && [isSignedBy(last, shop.secret), isSignedBy(last, secret), secretOverlapUntil]).toEqual([
        false,
        true,
        null,
      ]);
    });
    it('enabling resets the count of failures, and the audit log has both values', async () => {
      await postAction('disable', { reason: 'they asked' });
      expect(await readEndpoint()).toMatchObject({ state: 'disabled', disabledReason: 'they asked' });
      expect((await postAction('disable', {})).json.data.disabledReason).toBe('they asked');
      await sql(`UPDATE webhook_endpoint_health SET consecutive_failures = 20 WHERE endpoint_id = $1`, [shop.endpointId]);
      expect((await postAction('enable', {})).json.data).toMatchObject({ state: 'enabled', disabledReason: null, consecutiveFailures: 0 });
      expect(shop.received().map(({ type }) => type)).toEqual(['ping']);
      const entries = await findAuditEntries(service, shop.endpointId);
      expect(entries.map(({ action, actor }) => [action, actor])).toEqual(
        ['create', 'disable', 'disable', 'enable'].map((verb) => [`endpoint.${verb}`, 'Books']),
      );
      expect(entries.at(-1)).toMatchObject({
        before: { state: 'disabled', disabledReason: 'they asked' },
        after: { state: 'enabled', skipPing: false },
      });
    });

    describe('a delivery in progress', () => {
      let waiting: Promise<ServerResponse>;
      beforeEach(() => {
        waiting = new Promise((resolve) => receiver.respondWith((_, response) => resolve(response)));
      });
      const holdAfterFailure = async () => {
        (await waiting).writeHead(500).end();
        const [{ id }] = await waitForDeliveries(office, shop.endpointId, 'held');
        return waitFor('the attempt in the log', async () => {
          const delivery = (await office.get(`/deliveries/${id}`)).json.data;
          return delivery.attempts.length > 0 && delivery;
        });
      };

      it('is held when its endpoint is disabled, and its chain stops', async () => {
        await shop.orders.place();
        await waiting;
        expect((await postAction('disable', {})).json.data.deliveries).toEqual({ held: 1, failed: 0 });
        expect(await holdAfterFailure()).toMatchObject({
          state: 'held',
          nextAttemptAt: null,
          attempts: [{ ok: false, nextAttemptAt: null }],
        });
        expect(shop.received()).toHaveLength(1);
      });
      it('is held when its endpoint is deleted, which is then hidden, and a second deletion has no effect', async () => {
        await shop.orders.place();
        await waiting;
        const gone = await remove();
        expect(gone.json.data).toMatchObject({ id: shop.endpointId, deletedAt: expect.any(String), deliveries: { held: 1, failed: 0 } });
        expect((await remove()).text).toBe(gone.text);
        expect([
          (await office.get(`/webhook-endpoints/${shop.endpointId}`)).status,
          (await office.get(accountEndpointsPath())).json.data,
        ]).toEqual([404, []]);
        await holdAfterFailure();
        await shop.orders.place();
        expect((await office.get(`/deliveries?endpointId=${shop.endpointId}`)).json.data).toHaveLength(1);
        expect((await findAuditEntries(service, shop.endpointId)).map(({ action }) => action)).toEqual([
          'endpoint.create',
          'endpoint.delete',
        ]);
      });
    });

    describe('recovery', () => {
      const placeHeldOrders = async (count: number) => {
        await postAction('disable', {});
        for (let order = 0; order < count; order += 1) await shop.orders.place();
        const held = await waitForDeliveries(office, shop.endpointId, 'held', count);
        await postAction('enable', { skipPing: true });
        return held;
      };
      const eventIds = (found: { eventId: string }[]) => found.map(({ eventId }) => eventId).toSorted();

      it('a dry run counts and sends nothing, and a real run delivers held events with the same ids', async () => {
        const held = await placeHeldOrders(2);
        expect((await postAction('recover', { since: LONG_AGO, dryRun: true })).json.data).toEqual({ count: 2 });
        expect((await readEndpoint()).deliveries).toEqual({ held: 2, failed: 0 });
        expect(shop.received()).toEqual([]);
        const reply = await postAction('recover', { since: LONG_AGO });
        expect([reply.status, reply.json.data]).toEqual([200, { count: 2 }]);
        const delivered = await waitForDeliveries(office, shop.endpointId, 'delivered', 2);
        expect(delivered.map(({ trigger }) => trigger)).toEqual(['recover', 'recover']);
        expect(
          shop
            .received()
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(eventIds(held));
        expect((await findAuditEntries(service, shop.endpointId)).at(-1)).toMatchObject({
          action: 'endpoint.recover',
          after: { count: 2, states: ['failed', 'held'] },
        });
      });
      it('covers only the given period and states', async () => {
        const [newest, oldest] = await placeHeldOrders(2);
        const count = async (body: object) => (await postAction('recover', { dryRun: true, since: LONG_AGO, ...body })).json.data.count;
        expect(await count({ states: ['failed'] })).toBe(0);
        expect(await count({ states: ['held'] })).toBe(2);
        expect(await count({ since: newest.createdAt })).toBe(1);
        expect(await count({ until: oldest.createdAt })).toBe(0);
        await postAction('recover', { since: LONG_AGO, until: newest.createdAt });
        const [delivered] = await waitForDeliveries(office, shop.endpointId, 'delivered');
        expect(delivered.id).toBe(oldest.id);
        expect((await readEndpoint()).deliveries).toEqual({ held: 1, failed: 0 });
      });
      it('includes failed deliveries', async () => {
        answer500();
        await shop.orders.place();
        const failed = await waitForDeliveries(office, shop.endpointId, 'failed');
        expect(await readEndpoint()).toMatchObject({ consecutiveFailures: 1, deliveries: { held: 0, failed: 1 } });
        receiver.respondWith((_, response) => void response.writeHead(204).end());
        expect((await postAction('recover', { since: LONG_AGO })).json.data).toEqual({ count: 1 });
        expect(eventIds(await waitForDeliveries(office, shop.endpointId, 'delivered'))).toEqual(eventIds(failed));
        expect((await readEndpoint()).consecutiveFailures).toBe(0);
      });
    });
  });

  it('an endpoint counts as failing while a failed delivery is retried, even if others succeeded since', async () => {
    const isListedAsFailing = async (): Promise<boolean> =>
      (await office.get(`/webhook-endpoints?failing=true&accountId=${shop.accountId}`)).json.data.length === 1;
    const [tried, held] = [new Set<string>(), new Map<string, ServerResponse>()];
    let troubled: string | undefined;
    receiver.respondWith(({ id, body }, response) => {
      troubled ??= body.data.orderId;
      if (body.data.orderId !== troubled) response.writeHead(204).end();
      else if (tried.has(id)) held.set(id, response);
      else response.writeHead(tried.add(id) && 500).end();
    });
    await shop.orders.place();
    await waitFor('a second attempt', async () => held.size > 0);
    const second = await shop.orders.place();
    const arrived = await waitForDeliveries(office, shop.endpointId, 'delivered');
    expect(arrived.map(({ orderId }) => orderId)).toEqual([second.orderId]);
    expect(await isListedAsFailing()).toBe(true);
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    for (const response of held.values()) response.writeHead(204).end();
    await waitFor('no failures', async () => !(await isListedAsFailing()));
  });

  it('an endpoint with only failed attempts counts as failing, and one without attempts does not', async () => {
    const isListedAsFailing = async (): Promise<boolean> =>
      (await office.get(`/webhook-endpoints?failing=true&accountId=${shop.accountId}`)).json.data.length === 1;
    expect(await isListedAsFailing()).toBe(false);
    answer500();
    await postAction('ping');
    expect(await isListedAsFailing()).toBe(true);
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    await postAction('ping');
    expect(await isListedAsFailing()).toBe(false);
  });

  it('all endpoints are listed with their health, by account and state', async () => {
    const order = await shop.orders.place();
    await waitForDeliveries(office, shop.endpointId, 'delivered');
    const one = async () => (await office.get(`/webhook-endpoints?accountId=${shop.accountId}`)).json.data;
    const isListedAsFailing = async (): Promise<string[]> =>
      (await office.get(`/webhook-endpoints?failing=true&accountId=${shop.accountId}`)).json.data.map(({ id }: { id: string }) => id);
    expect(await isListedAsFailing()).toEqual([]);
    expect(await one()).toEqual([
      {
        ...(await readEndpoint()),
        accountName: expect.any(String),
        health: { lastSuccessAt: expect.stringMatching(/Z$/), lastFailureAt: null, lastErrorCode: null, pending: 0 },
      },
    ]);
    answer500();
    await sendMilestone(office, order.orderId, 'production_started');
    await waitForDeliveries(office, shop.endpointId, 'failed');
    const [{ consecutiveFailures, deliveries, health }] = await one();
    expect([consecutiveFailures, deliveries.failed, health.lastErrorCode]).toEqual([1, 1, 'bad_status']);
    expect(health.lastFailureAt >= health.lastSuccessAt).toBe(true);
    expect(await isListedAsFailing()).toEqual([shop.endpointId]);
    await service.deps.database.run('UPDATE webhook_endpoint_health SET consecutive_failures = 0 WHERE endpoint_id = $1', [
      shop.endpointId,
    ]);
    expect(await isListedAsFailing()).toEqual([shop.endpointId]); // by its latest attempt
    await postAction('disable', {});
    expect(await isListedAsFailing()).toEqual([shop.endpointId]);
    const listed = async (query: string) => (await office.get(`/webhook-endpoints?${query}`)).json.data.map(({ id }: { id: string }) => id);
    expect((await listed('state=disabled'))[0]).toBe(shop.endpointId);
    expect(await listed(`state=enabled&accountId=${shop.accountId}`)).toEqual([]);
    expect(await listed(`environment=test&accountId=${shop.accountId}`)).toEqual([shop.endpointId]);
    expect(await listed(`environment=live&accountId=${shop.accountId}`)).toEqual([]);
    const own = async (environment: string) =>
      (await office.get(`/accounts/${shop.accountId}/webhook-endpoints?environment=${environment}`)).json.data;
    expect([await own('live'), await own('test')]).toEqual([[], [expect.objectContaining({ id: shop.endpointId })]]);
    const newer = await aWebhookShop(service, office, receiver);
    const { nextCursor } = (await office.get('/webhook-endpoints?limit=1')).json;
    expect([await listed('limit=1'), await listed(`limit=1&cursor=${nextCursor}`)]).toEqual([[newer.endpointId], [shop.endpointId]]);
  });
});
