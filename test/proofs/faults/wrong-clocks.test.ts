import { webhooks } from '@trade-print/client';
import { request } from 'undici';
import { milestone, orderWorkflowId } from '../../../workflows/messages';
import { expectRefusal } from '../../service/http/support';
import { findEventTypes } from '../../service/http/studio/support';
import { anIdempotencyKeyHeader, anOrder, aQuote, placeOrder } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { useReceiver, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const CLOCK_OFFSETS: [string, number][] = [
  ['an hour ahead', HOUR],
  ['an hour behind', -HOUR],
];
const DAY = 24 * HOUR;

/** The service's clock is fixed unless a test moves it. All other clocks are an hour off. */
describe('clocks an hour off', () => {
  const receiver = useReceiver();
  const service = useService(() => ({
    clock: { now: () => new Date(nowMs) },
    env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '100ms,100ms' },
  }));
  let trade: HttpClient;
  let floor: HttpClient;
  let secret: string;
  const began = Math.floor(Date.now() / SECOND) * SECOND;
  let nowMs = began;
  const iso = (ms: number) => new Date(ms).toISOString();
  /** The time of a client's clock. */
  const dateHeader = (off: number): Record<string, string> => ({ date: new Date(nowMs + off).toUTCString() });

  beforeAll(async () => {
    ({ secret } = await anEndpoint(service.deps.database, service.account.accountId, receiver.url, 'live'));
    trade = service.trade(service.account.testKey);
    floor = service.studio();
  });
  afterEach(() => {
    nowMs = began;
  });

  describe.each(CLOCK_OFFSETS)('a client %s', (_case, off) => {
    it('gets the same catalogue, quote and order as other clients, and the same bytes on a replay', async () => {
      const plain = await trade.get('/catalogue');
      expect((await trade.get('/catalogue', { ...dateHeader(off), 'if-modified-since': new Date(nowMs + off).toUTCString() })).text).toBe(
        plain.text,
      );
      const { quoteId, expiresAt } = await aQuote(trade);
      expect((await trade.get(`/quotes/${quoteId}`, dateHeader(off))).json.data).toMatchObject({ quoteId, expiresAt });
      expect(expiresAt).toBe(iso(nowMs + DAY));
      const key = anIdempotencyKeyHeader();
      const placed = await placeOrder(trade, quoteId, { ...key, ...dateHeader(off) });
      expect([placed.status, placed.json.data.createdAt]).toEqual([201, iso(nowMs)]);
      expect((await placeOrder(trade, quoteId, key)).text).toBe(placed.text);
      expect((await placeOrder(trade, quoteId, { ...key, ...dateHeader(-off) })).text).toBe(placed.text);
    });

    it("may order until the service's clock says that the quote has expired, and not after", async () => {
      const [good, late] = [await aQuote(trade), await aQuote(trade)];
      nowMs = began + DAY - SECOND;
      expect((await placeOrder(trade, good.quoteId, { ...anIdempotencyKeyHeader(), ...dateHeader(off) })).status).toBe(201);
      nowMs = began + DAY;
      expectRefusal(await placeOrder(trade, late.quoteId, { ...anIdempotencyKeyHeader(), ...dateHeader(off) }), 409, 'QUOTE_EXPIRED', {
        expiresAt: iso(began + DAY),
      });
    });

    it("may upload until the service's clock says that the URL has expired, and not after", async () => {
      const { uploadUrl } = (
        await trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 4 }, dateHeader(off))
      ).json.data;
      const put = async () => {
        const reply = await request(uploadUrl, {
          method: 'PUT',
          body: 'dune',
          headers: { 'content-type': 'image/jpeg', ...dateHeader(off) },
        });
        return { status: reply.statusCode, text: await reply.body.text() };
      };
      nowMs = began + 15 * 60 * SECOND - SECOND;
      expect((await put()).status).toBe(200);
      nowMs += 2 * SECOND;
      expect(await put()).toEqual({ status: 403, text: expect.stringContaining('UPLOAD_EXPIRED') });
    });
  });

  describe.each(CLOCK_OFFSETS)('a floor system %s', (_case, off) => {
    it('has its times stored, and order, sequence and status follow the arrival', async () => {
      const { orderId } = await anOrder(trade);
      const [early, late] = [nowMs + off, nowMs - off].map(iso);
      const tell = async (path: string, body: object) =>
        expect((await floor.post(`/orders/${orderId}/${path}`, body, dateHeader(off))).json.error).toBeNull();
      await tell('milestones', { milestoneId: 'm1', type: 'production_started', occurredAt: early });
      await service.deps.temporal.client.workflow
        .getHandle(orderWorkflowId(orderId))
        .signal(milestone, { milestoneId: 'm2', type: 'printed', occurredAt: late });
      await tell('payments', { paymentId: 'pay', amountCents: 100, receivedAt: late });
      await tell('parcels', { parcelId: 'p1', trackingNumber: 'TN-1', shippedAt: early });
      await tell('milestones', { milestoneId: 'm3', type: 'completed', occurredAt: late });
      const job = (await floor.get(`/orders/${orderId}`)).json.data;
      expect(job).toMatchObject({
        status: 'shipped',
        baseStatus: 'completed',
        parcels: [{ shippedAt: early }],
        payments: [{ receivedAt: late }],
      });
      expect(
        job.timeline.map(({ milestoneId, occurredAt, recordedAt }: Record<string, string>) => [milestoneId, occurredAt, recordedAt]),
      ).toEqual([
        ['m1', early, iso(nowMs)],
        ['m2', late, iso(nowMs)],
        ['payment:pay', iso(nowMs), iso(nowMs)],
        ['parcel:p1', iso(nowMs), iso(nowMs)],
        ['m3', late, iso(nowMs)],
      ]);
      expect(await findEventTypes(service, orderId)).toEqual(['order.received', 'order.in_production', 'order.shipped']);
      const events = await service.deps.database.rows<{ sequence: number; body: string }>(
        'SELECT sequence, body FROM order_events WHERE order_id = $1 AND part = 0 ORDER BY sequence',
        [orderId],
      );
      expect(events.map(({ sequence, body }) => [sequence, JSON.parse(body).createdAt])).toEqual(
        [1, 2, 3].map((sequence) => [sequence, iso(nowMs)]),
      );
      expect(await service.deps.database.rows('SELECT settled_at FROM orders WHERE id = $1', [orderId])).toEqual([
        { settled_at: new Date(nowMs) },
      ]);
    });
  });

  it.each<[string, number, string]>([
    ['an hour ahead', HOUR, 'timestamp_too_old'],
    ['an hour behind', -HOUR, 'timestamp_in_future'],
  ])(
    'a receiver %s refuses a valid delivery with the reason, and accepts the next attempt when its clock is correct',
    async (_case, off, reason) => {
      let clockOff = off;
      const verdicts: unknown[] = [];
      receiver.respondWith(async ({ rawBody, headers }, response) => {
        const verdict = await webhooks.check(rawBody, headers, secret, { now: new Date(nowMs + clockOff) });
        verdicts.push(verdict);
        clockOff = 0;
        response.writeHead(verdict.ok ? 204 : 400).end();
      });
      const { orderId } = await anOrder(service.trade(service.account.liveKey));
      await waitFor('the delivery', async () => {
        const delivery = await service.deps.database.row<{ state: string }>('SELECT state FROM webhook_deliveries WHERE order_id = $1', [
          orderId,
        ]);
        return delivery?.state === 'delivered';
      });
      expect(verdicts).toEqual([
        { ok: false, reason },
        { ok: true, timestamp: nowMs / SECOND },
      ]);
    },
  );
});
