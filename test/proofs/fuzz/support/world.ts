import { STORED_SECTIONS, rowId } from '../../../../src/domain/catalogue';
import { SCOPES } from '../../../../src/domain/limits';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { newId } from '../../../../src/security/ids';
import { aKey } from '../../../support/accounts';
import { aKeyHeader, aLine, anAddress, aQuote, placeOrder, uploadArtwork } from '../../../support/baskets';
import { anEndpoint } from '../../../support/endpoints';
import type { HttpClient } from '../../../support/client';
import type { TestService } from '../../../support/service';
import type { WebhookReceiver } from '../../../support/webhook-receiver';
import { aTrader, copyOfQuote, sql, type Trader } from '../../../service/http/support';
import { aToken } from '../../../service/http/studio/support';

export type Environment = 'test' | 'live';

/** Stand in texts of the second account, of the first one's live orders, and of the studio: seen in the wrong answer they are a leak. */
export const MARKS = { stranger: 'MARK-OF-ANOTHER-ACCOUNT', live: 'MARK-OF-A-LIVE-ORDER', studio: 'MARK-OF-THE-STUDIO' } as const;

/** What exists when the fuzzing begins, by the kind that requests name it by: `@@orders:17@@` is one of `orders`. */
export interface World {
  mine: Trader;
  pools: Map<string, string[]>;
  /** Ids of the second account, whole: none may be in an answer that did not ask with it. */
  strangersIds: string[];
  tokens: Record<'floor' | 'office' | 'admin', string>;
  badKeys: string[];
  /** Text in which every `@@pool:n@@` is an id that exists; `@@fresh-quote@@` one that can be ordered in this environment. */
  resolved(text: string, environment: Environment): Promise<string>;
  /** A key of the first account for one more request under this name: each is used less often than any budget allows. */
  keyFor(environment: Environment, name: string): Promise<string>;
}

const idsOf = async (service: TestService, table: 'uploads' | 'order_events', accounts: string[]): Promise<string[]> =>
  (await sql<{ id: string }>(service, `SELECT id FROM ${table} WHERE account_id = ANY ($1) ORDER BY created_at`, [accounts])).map(
    ({ id }) => id,
  );

export async function createWorld(service: TestService, receiver: WebhookReceiver): Promise<World> {
  const { database } = service.deps;
  const [mine, stranger, victim] = [await aTrader(service), await aTrader(service), await aTrader(service)];
  for (const { accountId } of [mine, stranger]) await anEndpoint(database, accountId, receiver.url);
  const office = service.studio(await aToken(service, 'office', { name: `office ${MARKS.studio}` }));
  await sql(service, `UPDATE accounts SET name = $2, email = $3 WHERE id = $1`, [
    stranger.accountId,
    `Gallery ${MARKS.stranger}`,
    `${MARKS.stranger}@example.com`,
  ]);

  const [testOrder, liveOrder] = [await ordersOf(service, mine, 'test', 'plain'), await ordersOf(service, mine, 'live', MARKS.live)];
  const theirs = await ordersOf(service, stranger, 'test', MARKS.stranger);
  for (const { orderId } of [testOrder[0], liveOrder[0], theirs[0]].filter((order) => order !== undefined)) {
    await office.post(`/orders/${orderId}/milestones`, { milestoneId: 'before-1', type: 'production_started', note: MARKS.studio });
    await office.post(`/orders/${orderId}/parcels`, {
      parcelId: 'parcel-1',
      trackingNumber: orderId === theirs[0]?.orderId ? MARKS.stranger : 'TR1',
    });
    await office.post(`/orders/${orderId}/payments`, { paymentId: 'payment-1', amountCents: 1, reference: MARKS.studio });
  }
  const copies = [await copiedQuotes(service, mine, 'plain'), await copiedQuotes(service, stranger, MARKS.stranger)];
  const orders = [...testOrder, ...liveOrder].map(({ orderId }) => orderId);
  const deliveries = (await sql<{ id: string }>(service, 'SELECT id FROM webhook_deliveries')).map(({ id }) => id);
  const victims = [
    await anEndpoint(database, victim.accountId, receiver.url),
    await anEndpoint(database, victim.accountId, receiver.url),
  ].map(({ id }) => id);
  for (const name of ['one', 'two', 'three']) await aToken(service, 'floor', { name: `${name} ${MARKS.studio}` });

  const strangersRows = await sql<{ id: string }>(
    service,
    `
    SELECT unnest(ARRAY[q.id, q.shipping_address->>'name']) AS id FROM quotes q WHERE account_id = $1
    UNION SELECT unnest(ARRAY[id, order_number]) FROM orders WHERE account_id = $1 UNION SELECT id FROM api_keys WHERE account_id = $1
    UNION SELECT unnest(ARRAY[id, url, storage_key]) FROM uploads WHERE account_id = $1 UNION SELECT id FROM order_events WHERE account_id = $1
    UNION SELECT id FROM webhook_endpoints WHERE account_id = $1 UNION SELECT $1`,
    [stranger.accountId],
  );
  const pools = new Map<string, string[]>(
    Object.entries({
      orders: [...orders, ...theirs.slice(0, 2).map(({ orderId }) => orderId)],
      orderNumbers: [...testOrder, ...liveOrder].map(({ orderNumber }) => orderNumber),
      quotes: [...(copies[0] ?? []), ...(copies[1] ?? []).slice(0, 1)],
      uploads: [await uploadArtwork(mine.trade)],
      'upload-ids': await idsOf(service, 'uploads', [mine.accountId, stranger.accountId]),
      events: await idsOf(service, 'order_events', [mine.accountId, stranger.accountId]),
      strangersUploads: [await uploadArtwork(stranger.trade)],
      // Their keys are never used: what the fuzzing does to them does not stop it.
      accounts: [victim.accountId],
      keys: (await sql<{ id: string }>(service, 'SELECT id FROM api_keys WHERE account_id = $1', [victim.accountId])).map(({ id }) => id),
      'tokens-to-delete': (
        await sql<{ id: string }>(service, `SELECT id FROM studio_tokens WHERE role = 'floor' AND name LIKE '%' || $1`, [MARKS.studio])
      ).map(({ id }) => id),
      'webhook-endpoints': victims.slice(1),
      'webhook-endpoints-to-delete': victims.slice(0, 1),
      deliveries,
      parcels: ['parcel-1', 'none'],
      payments: ['payment-1', 'none'],
      milestones: ['before-1', 'none'],
      catalogue: [...STORED_SECTIONS],
      'price-books': ['1', '2'],
      // Not among what the fuzzing quotes: withdrawn, they stop no quote.
      rows: STORED_SECTIONS.filter((section) => section !== 'products').flatMap((section) =>
        SEED_CATALOGUE[section].slice(-1).map((row) => `${section}/${rowId(section, row)}`),
      ),
      // Of lists of each account, environment and API: good for one list, refused by every other.
      cursors: await cursorsOf(
        [mine.trade, service.trade(mine.liveKey), stranger.trade],
        ['/orders?limit=1'],
        [office],
        ['/orders?limit=1', '/deliveries?limit=1', '/accounts?limit=1'],
      ),
      hooks: [receiver.url, `${receiver.origin}/other`],
    }),
  );

  const tokens = { floor: await aToken(service, 'floor'), office: await aToken(service, 'office'), admin: await aToken(service, 'admin') };
  const badKeys = [
    await aKey(database, mine.accountId, { revoked: true }),
    await aKey(database, mine.accountId, { expiresAt: new Date(0) }),
  ];
  const keyring = new Keyring((environment) => aKey(database, mine.accountId, { environment, scopes: [...SCOPES] }));
  return {
    mine,
    pools,
    tokens,
    badKeys,
    strangersIds: strangersRows.map(({ id }) => id).filter((id) => id.length > 8),
    keyFor: (environment, name) => keyring.take(environment, name),
    async resolved(text, environment) {
      let rest = text;
      for (const [placeholder] of text.matchAll(/@@fresh-quote@@/g))
        rest = rest.replace(placeholder, await freshQuote(service, copies[0] ?? [], environment));
      return rest.replaceAll(/@@([\w-]+):(\d+)@@/g, (_all, pool: string, at: string) => {
        const ids = pools.get(pool) ?? pools.get(pool.replace(/-to-delete$/, '')) ?? [];
        return ids[Number(at) % Math.max(1, ids.length)] ?? 'none';
      });
    },
  };
}

async function cursorsOf(trade: HttpClient[], tradeLists: string[], studio: HttpClient[], studioLists: string[]): Promise<string[]> {
  const asked = [
    ...trade.flatMap((client) => tradeLists.map((list) => client.get(list))),
    ...studio.flatMap((client) => studioLists.map((list) => client.get(list))),
  ];
  return (await Promise.all(asked)).flatMap(({ json }) => json.nextCursor ?? []);
}

interface PlacedOrder {
  orderId: string;
  orderNumber: string;
}

async function ordersOf(service: TestService, trader: Trader, environment: Environment, mark: string): Promise<PlacedOrder[]> {
  const trade = service.trade(environment === 'test' ? trader.testKey : trader.liveKey);
  const imageUrl = await uploadArtwork(trade);
  const orders: PlacedOrder[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { quoteId } = await aQuote(trade, {
      items: [aLine(imageUrl, { externalReference: mark })],
      shippingAddress: anAddress({ name: `Ada ${mark}`, line1: mark, company: mark }),
    });
    const reply = await placeOrder(trade, quoteId, aKeyHeader(), { specialInstructions: mark });
    orders.push(reply.json.data);
  }
  return orders;
}

/** Unspent quotes like this one, which may be read, and ordered once. */
async function copiedQuotes(service: TestService, { trade }: Trader, mark: string): Promise<string[]> {
  const { quoteId } = await aQuote(trade, { items: [aLine(await uploadArtwork(trade), { externalReference: mark })] });
  const ids = Array.from({ length: 3 }, () => newId('quo'));
  for (const id of ids) await copyOfQuote(service, quoteId, id);
  return [quoteId, ...ids];
}

async function freshQuote(service: TestService, [template = '']: string[], environment: Environment): Promise<string> {
  const id = newId('quo');
  await copyOfQuote(service, template, id, { environment, expires_at: new Date(Date.now() + 86_400_000) });
  return id;
}

/** The smallest budget is 30 a minute. */
const USES_OF_A_KEY = 25;

class Keyring {
  private readonly uses = new Map<string, number>();
  private readonly keys = new Map<string, Promise<string>>();

  constructor(private readonly mint: (environment: Environment) => Promise<string>) {}

  take(environment: Environment, endpoint: string): Promise<string> {
    const name = `${environment} ${endpoint}`;
    const used = this.uses.get(name) ?? 0;
    this.uses.set(name, used + 1);
    const slot = `${name} ${Math.floor(used / USES_OF_A_KEY)}`;
    const known = this.keys.get(slot) ?? this.mint(environment);
    this.keys.set(slot, known);
    return known;
  }
}
