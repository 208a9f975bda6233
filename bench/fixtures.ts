import { orderIdOfQuote } from '../src/domain/quote-state';
import { findOrderById } from '../src/db/repositories/orders';
import { aKey, anAccount } from '../test/support/accounts';
import { aLine, anAddress, uploadArtwork } from '../test/support/baskets';
import { HttpClient } from '../test/support/client';
import { copiesOfQuote, copyRow } from '../test/support/copies';
import { call } from './http';
import { untilIdle } from './idle';
import { atOnce } from './machines/send';
import type { Stage } from './stage';

export interface Buyer {
  accountId: string;
  key: string;
}

/** A key may ask for sixty quotes and thirty orders a minute: this many orders can be placed under one within a minute. */
export const ORDERS_PER_KEY = 25;
const MADE_AT_ONCE = 12;

/** So many accounts with one test key each. */
export async function someBuyers({ database }: Stage, count: number): Promise<Buyer[]> {
  const made: Buyer[] = [];
  await atOnce(10, count, async () => {
    const { accountId, testKey } = await anAccount(database);
    made.push({ accountId, key: testKey });
  });
  return made;
}

/** So many keys of one account. */
export async function oneBuyer({ database }: Stage, keys: number): Promise<Buyer[]> {
  const { accountId } = await anAccount(database);
  return moreKeys(database, accountId, keys);
}

export async function moreKeys(database: Stage['database'], accountId: string, keys: number): Promise<Buyer[]> {
  const made = await Promise.all(Array.from({ length: keys }, () => aKey(database, accountId)));
  return made.map((key) => ({ accountId, key }));
}

export const tradeOf = (stage: Stage, key: string): HttpClient => new HttpClient(`${stage.tradeUrl}/v1`, key);

/**
 * Ids of `count` open quotes, the n-th of the n-th buyer in turn: each asked for over HTTP, and its hold started; what that set
 * going has ended when they are answered.
 */
export async function someQuotes(stage: Stage, buyers: readonly Buyer[], count: number): Promise<string[]> {
  const ids = await askForQuotes(stage, buyers, count);
  await untilIdle(stage);
  return ids;
}

/** The same, whatever it has set going. */
export async function askForQuotes(stage: Stage, buyers: readonly Buyer[], count: number, url: string = stage.tradeUrl): Promise<string[]> {
  const bodies = new Map<string, Promise<string>>();
  const bodyOf = ({ accountId, key }: Buyer): Promise<string> => {
    const body = bodies.get(accountId) ?? quoteRequest(new HttpClient(`${url}/v1`, key));
    bodies.set(accountId, body);
    return body;
  };
  const ids = Array.from({ length: count }, () => '');
  await atOnce(MADE_AT_ONCE, count, async (index) => {
    const buyer = buyers[index % buyers.length] as Buyer;
    const reply = await call(stage, { method: 'POST', url, path: '/v1/quotes', credential: buyer.key, body: await bodyOf(buyer) });
    ids[index] = (JSON.parse(reply) as { data: { quoteId: string } }).data.quoteId;
  });
  return ids;
}

async function quoteRequest(trade: HttpClient): Promise<string> {
  return JSON.stringify({
    items: [aLine(await uploadArtwork(trade))],
    shippingMethodId: 'studio-collection',
    shippingAddress: anAddress(),
  });
}

/** Settled copies of one order, each with a copy of its quote, in the account of `buyer`, for reading only. Answers their ids. */
export async function someOrders({ database }: Stage, { accountId }: Buyer, orderId: string, count: number): Promise<string[]> {
  const [order, now] = [await findOrderById(database, orderId), new Date()];
  const own = { account_id: accountId, consumed_at: now, hold_started_at: now };
  const quotes = await copiesOfQuote(database, order?.quote_id ?? '', count, own);
  const ids = quotes.map(orderIdOfQuote);
  const settled = { account_id: accountId, settled_at: now, workflow_seen_at: now };
  const copies = quotes.map((quoteId, index) => ({ ...settled, id: ids[index] ?? '', quote_id: quoteId, order_number: `B-${ids[index]}` }));
  await copyRow(database, 'orders', orderId, copies);
  return ids;
}
