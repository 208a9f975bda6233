import { newId } from '../../../src/security/ids';
import { anIdempotencyKeyHeader, aLine, anAddress, aQuote, placeOrder, uploadArtwork } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import type { TestService } from '../../support/service';
import type { WebhookReceiver } from '../../support/webhook-receiver';
import { aTrader, copyQuoteAs, sql, type Trader } from '../../service/http/support';
import { aToken } from '../../service/http/studio/support';

/** Markers in texts of the other account, of the caller's live orders, and of the studio. A marker in a response is a leak. */
const LEAK_MARKERS = { other: 'MARK-OF-ANOTHER-ACCOUNT', live: 'MARK-OF-A-LIVE-ORDER', studio: 'MARK-OF-THE-STUDIO' } as const;

/** The data before fuzzing. */
export interface FuzzWorld {
  mine: Trader;
  /** Ids of the caller and of the other account, by the field or path segment that takes them. */
  valuesByName: Record<string, string[]>;
  /** Texts that no response to the caller may contain unless the caller sent them: markers and data of the other account. */
  foreign: string[];
  /** The same for a test key. */
  live: string[];
}

export async function createWorld(service: TestService, receiver: WebhookReceiver): Promise<FuzzWorld> {
  const [mine, other] = [await aTrader(service), await aTrader(service)];
  const accounts = [mine.accountId, other.accountId];
  for (const accountId of accounts) await anEndpoint(service.deps.database, accountId, receiver.url);
  await sql(service, 'UPDATE accounts SET name = $2, email = $3 WHERE id = $1', [
    other.accountId,
    `Gallery ${LEAK_MARKERS.other}`,
    `${LEAK_MARKERS.other}@example.com`,
  ]);
  const clients = { test: mine.trade, live: service.trade(mine.liveKey), other: other.trade };
  const marks = { test: 'plain', live: LEAK_MARKERS.live, other: LEAK_MARKERS.other };
  const office = service.studio(await aToken(service, 'office', { name: `office ${LEAK_MARKERS.studio}` }));
  for (const whose of ['test', 'live', 'other'] as const) await createOrders(service, clients[whose], office, marks[whose]);

  const idsOf = async (table: string, whose = accounts, column = 'id'): Promise<string[]> =>
    (
      await sql<{ id: string }>(service, `SELECT ${column} AS id FROM ${table} WHERE account_id = ANY ($1) ORDER BY ${column}`, [whose])
    ).map(({ id }) => id);
  const lists = ['/orders?limit=1', '/webhook-deliveries?limit=1'];
  const pages = await Promise.all(Object.values(clients).flatMap((client) => lists.map((list) => client.get(list))));
  const theirs = await Promise.all([
    ...['orders', 'quotes', 'uploads', 'order_events', 'webhook_endpoints', 'api_keys'].map((table) => idsOf(table, [other.accountId])),
    idsOf('orders', [other.accountId], 'order_number'),
    idsOf('uploads', [other.accountId], 'url'),
  ]);
  return {
    mine,
    valuesByName: {
      '/orders': await idsOf('orders'),
      '/quotes': await idsOf('quotes'),
      '/uploads': await idsOf('uploads'),
      '/webhook-deliveries': (await sql<{ id: string }>(service, 'SELECT id FROM webhook_deliveries ORDER BY id')).map(({ id }) => id),
      '/webhook-endpoints': await idsOf('webhook_endpoints'),
      quoteId: await idsOf('quotes'),
      imageUrl: await idsOf('uploads', accounts, 'url'),
      after: await idsOf('order_events'),
      externalReference: Object.values(marks),
      cursor: pages.flatMap(({ json }) => json.nextCursor ?? []),
    },
    foreign: [LEAK_MARKERS.other, LEAK_MARKERS.studio, other.accountId, ...theirs.flat()],
    live: [LEAK_MARKERS.live],
  };
}

/** Six orders with this marker in their texts, studio data, and open quotes. */
async function createOrders(service: TestService, trade: HttpClient, office: HttpClient, mark: string): Promise<void> {
  const imageUrl = await uploadArtwork(trade);
  const basket = {
    items: [aLine(imageUrl, { externalReference: mark })],
    shippingAddress: anAddress({ name: `Ada ${mark}`, line1: mark, company: mark }),
  };
  const { quoteId } = await aQuote(trade, basket);
  const copies = Array.from({ length: 20 }, () => newId('quo'));
  for (const id of copies) await copyQuoteAs(service, quoteId, id);
  for (const id of copies.slice(0, 6)) {
    const { json } = await placeOrder(trade, id, anIdempotencyKeyHeader(), { specialInstructions: mark });
    const order = `/orders/${json.data.orderId}`;
    await office.post(`${order}/milestones`, { milestoneId: 'before-1', type: 'production_started', note: LEAK_MARKERS.studio });
    await office.post(`${order}/parcels`, { parcelId: 'parcel-1', trackingNumber: mark });
    await office.post(`${order}/payments`, { paymentId: 'payment-1', amountCents: 1, reference: LEAK_MARKERS.studio });
  }
}
