import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createActivities } from '../../../activities';
import { decideChange, type OrderMessage } from '../../../src/domain/order-messages';
import { openDatabase } from '../../../src/db/database';
import { projectRoot } from '../../../src/platform/project-root';
import { anIdempotencyKeyHeader, aQuote, aQuoteRequest, declareArtwork, sendArtwork } from '../../support/baskets';
import { HttpClient, type Reply } from '../../support/client';
import { RoundTrips } from '../../support/round-trips';
import { useFixture, useService } from '../../support/fixtures';
import { OrderFactory, sendMilestone } from '../http/studio/support';

/** The round trips of one request. */
interface Counts {
  total: number;
  admission: number;
}

type Answered = Pick<Reply, 'status'>;

/** Statements of authentication and rate limits. */
const ADMISSION = /admit_request|admit_hit/;
/** Statements that the API runs besides requests. */
const BACKGROUND = /^(UPDATE orders SET workflow_(claimed_until|checked_at) =|WITH deleted AS \(\s*DELETE FROM change_feed)/;

/** The table "Round trips" of bench/README.md, by request. */
function readTable(): Map<string, Counts> {
  const page = readFileSync(path.join(projectRoot, 'bench/README.md'), 'utf8');
  const [, section = ''] = page.split('\n## Round trips\n');
  const rows = [
    ...section
      .split('\n## ', 1)
      .join('')
      .matchAll(/^\| `([^`]+)` \| (\d+) \| (\d+) \|/gm),
  ];
  return new Map(rows.map(([, name = '', total, admission]) => [name, { total: Number(total), admission: Number(admission) }]));
}

describe('round trips to PostgreSQL', () => {
  let trips: RoundTrips;
  let databaseUrl: string;
  const service = useService(() => ({
    apiDatabaseUrl: async (url) => {
      databaseUrl = url;
      trips = await RoundTrips.to(url);
      return trips.url;
    },
  }));
  afterAll(() => trips?.close());

  const trade = useFixture(() => service.trade(service.account.liveKey));
  const studio = useFixture(() => service.studio());
  const browser = useFixture(() => new HttpClient(service.studio().baseUrl));
  const orders = useFixture(() => new OrderFactory(service));
  let cookie = '';

  async function signIn(): Promise<string> {
    const reply = await browser.post('/session', { token: service.adminToken });
    return String(reply.headers['set-cookie']).split(';', 1).join('');
  }

  /**
   * Counts the round trips of the request that `prepare` returns. The first run fills caches and opens connections. Other statements of the API
   * can fall into any run and only add to it. So the run is repeated while it has more than `expected`, and the fewest count.
   */
  async function count(prepare: () => Promise<() => Promise<Answered>>, expected: Counts | undefined): Promise<Counts> {
    let least: Counts = { total: Number.POSITIVE_INFINITY, admission: 0 };
    for (let run = 0; run < 2 || (run < 10 && least.total > (expected?.total ?? 0)); run += 1) {
      const send = await prepare();
      trips.take();
      const reply = await send();
      const found = trips.take().filter(({ statements }) => !statements.some((text) => BACKGROUND.test(text)));
      if (reply.status >= 300) throw new Error(`status ${reply.status}`);
      const admission = found.filter(({ statements }) => statements.some((text) => ADMISSION.test(text))).length;
      if (run > 0 && found.length < least.total) least = { total: found.length, admission };
    }
    return least;
  }

  const get = (client: HttpClient, address: string) => async () => () => client.get(address);
  const ofOrder = (send: (orderId: string) => Promise<Reply>) => async () => {
    const { orderId } = await orders.place();
    return () => send(orderId);
  };

  const REQUESTS: Record<string, () => Promise<() => Promise<Answered>>> = {
    'GET /v1/account': get(trade, '/account'),
    'GET /v1/catalogue': get(trade, '/catalogue'),
    'POST /v1/uploads': async () => () => trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 }),
    'GET /v1/uploads/{id}': async () => {
      const { uploadId } = await declareArtwork(trade);
      return () => trade.get(`/uploads/${uploadId}`);
    },
    'PUT {uploadUrl}': async () => {
      const { uploadUrl } = await declareArtwork(trade);
      return () => sendArtwork(uploadUrl);
    },
    'POST /v1/quotes': async () => {
      const request = await aQuoteRequest(trade);
      return () => trade.post('/quotes', request);
    },
    'GET /v1/quotes/{id}': async () => {
      const { quoteId } = await aQuote(trade);
      return () => trade.get(`/quotes/${quoteId}`);
    },
    'POST /v1/orders': async () => {
      const { quoteId } = await aQuote(trade);
      return () => trade.post('/orders', { quoteId }, anIdempotencyKeyHeader());
    },
    'GET /v1/orders': get(trade, '/orders'),
    'GET /v1/orders/{id}': ofOrder((orderId) => trade.get(`/orders/${orderId}`)),
    'PATCH /v1/orders/{id}': ofOrder((orderId) =>
      trade.send('PATCH', `/orders/${orderId}`, { specialInstructions: 'matt' }, anIdempotencyKeyHeader()),
    ),
    'POST /v1/orders/{id}/cancel': ofOrder((orderId) => trade.post(`/orders/${orderId}/cancel`)),
    'GET /v1/orders/{id}/invoice': ofOrder((orderId) => trade.get(`/orders/${orderId}/invoice`)),
    'GET /v1/events': get(trade, '/events'),
    'GET /v1/events?after=': async () => {
      await orders.place();
      const { json } = await trade.get('/events/latest');
      return () => trade.get(`/events?after=${json.data.id}`);
    },
    'GET /studio/v1/orders': get(studio, '/orders'),
    'GET /studio/v1/orders?late=true': get(studio, '/orders?late=true'),
    'GET /studio/v1/orders?q=': get(studio, '/orders?q=hanging'),
    'GET /studio/v1/orders/{id}': ofOrder((orderId) => studio.get(`/orders/${orderId}`)),
    'GET /studio/v1/orders/{number}': async () => {
      const { orderNumber } = await orders.place();
      return () => studio.get(`/orders/${orderNumber}`);
    },
    'GET /studio/v1/orders/{id} by cookie': async () => {
      const { orderId } = await orders.place();
      cookie ||= await signIn();
      const headers = { cookie, 'service-unattended': 'true' };
      return () => browser.get(`/orders/${orderId}`, headers);
    },
    'POST /studio/v1/orders/{id}/milestones': ofOrder((orderId) => sendMilestone(studio, orderId, 'production_started')),
    'POST /studio/v1/orders/{id}/payments': ofOrder((orderId) =>
      studio.post(`/orders/${orderId}/payments`, { paymentId: 'bank-1', amountCents: 100, reference: 'March' }),
    ),
    'GET /studio/v1/invoices': get(studio, '/invoices'),
    'GET /studio/v1/payments': get(studio, '/payments'),
    'GET /studio/v1/accounts': get(studio, '/accounts'),
    'GET /studio/v1/accounts/{id}/statement': async () => () => studio.get(`/accounts/${service.account.accountId}/statement`),
    'GET /studio/v1/today': get(studio, '/today'),
    'GET /studio/v1/stats': get(studio, '/stats'),
    'GET /studio/v1/session': get(studio, '/session'),
    'GET /studio/v1/settings': get(studio, '/settings'),
  };

  const worker = useFixture(
    async () => {
      const ownTrips = await RoundTrips.to(databaseUrl);
      return { trips: ownTrips, database: await openDatabase(ownTrips.url, 2) };
    },
    async (made) => {
      await made.database.close();
      await made.trips.close();
    },
  );
  const activities = useFixture(() => createActivities({ ...service.deps, database: worker.database }));

  /** Stores a message as the workflow of its order does. */
  async function applyMessage(orderId: string, message: OrderMessage): Promise<Counts> {
    const state = (await activities.loadOrder({ orderId }))?.state;
    if (state === undefined) throw new Error(`there is no order ${orderId}`);
    const { accountId, orderNumber, version: expectedVersion, facts } = state;
    const decision = decideChange(facts, message);
    worker.trips.take();
    const { outcome } = await activities.applyChange({ orderId, accountId, orderNumber, expectedVersion, message, sender: null, decision });
    const found = worker.trips.take();
    expect(outcome).toBe('applied');
    return { total: found.length, admission: 0 };
  }

  /** Each message follows those before it, on one order. */
  const MESSAGES: Record<string, OrderMessage> = {
    held: { type: 'held', milestoneId: 'm-1', reason: 'the address' },
    released: { type: 'released', milestoneId: 'm-2' },
    printed: { type: 'printed', milestoneId: 'm-3' },
    corrected: { type: 'corrected', corrects: 'm-3', milestoneId: 'correct:m-3', reason: 'wrong order' },
    artwork_rejected: { type: 'artwork_rejected', milestoneId: 'm-4', reason: 'blurred', line: 0 },
    payment_recorded: { type: 'payment_recorded', paymentId: 'p-1', amountCents: 100 },
    payment_reversed: { type: 'payment_reversed', paymentId: 'p-1', reason: 'bounced' },
    parcel_added: { type: 'parcel_added', parcelId: 'b-1', trackingNumber: 'AU1' },
    parcel_voided: { type: 'parcel_voided', parcelId: 'b-1' },
    credit_noted: { type: 'credit_noted', creditNoteId: 'c-1', amountCents: 100, reason: 'scratched' },
    cancelled: { type: 'cancelled', milestoneId: 'm-5' },
  };

  it('changes of an order', async () => {
    const { orderId } = await orders.place();
    const found: Record<string, Counts | undefined> = {};
    for (let run = 0; run < 2; run += 1) {
      const order = run === 0 ? orderId : (await orders.place()).orderId;
      for (const [name, message] of Object.entries(MESSAGES)) found[name] = await applyMessage(order, message);
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(MESSAGES).map((name) => [name, readTable().get(name)])));
  });

  it.each(Object.entries(REQUESTS))('%s', async (name, prepare) => {
    const expected = readTable().get(name);
    expect({ [name]: await count(prepare, expected) }).toEqual({ [name]: expected });
  });

  it('the table has no other requests', () => {
    expect([...readTable().keys()].filter((name) => !(name in REQUESTS || name in MESSAGES))).toEqual([]);
  });
});
