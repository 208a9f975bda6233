import { aKey, anAccount } from '../test/support/accounts';
import { aLine, anAddress, uploadArtwork } from '../test/support/baskets';
import { HttpClient } from '../test/support/client';
import { copyQuote } from '../test/support/row-copies';
import { call } from './http';
import { closedLoop, createSupply } from './load';
import type { Stage } from './stage';

const CONCURRENCY = 8;

export interface Buyer {
  accountId: string;
  key: string;
}

/** An open quote with its buyer. */
export interface OpenQuote extends Buyer {
  quoteId: string;
}

/** Creates `count` accounts with one test key each. */
export async function createBuyers({ database }: Stage, count: number): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  await closedLoop(count, CONCURRENCY, async () => {
    const { accountId, testKey } = await anAccount(database);
    buyers.push({ accountId, key: testKey });
  });
  return buyers;
}

/** Creates one account with `count` test keys. */
export async function createKeysOfOneAccount({ database }: Stage, count: number): Promise<Buyer[]> {
  const { accountId } = await anAccount(database);
  const keys = await Promise.all(Array.from({ length: count }, () => aKey(database, accountId)));
  return keys.map((key) => ({ accountId, key }));
}

export const tradeClientOf = (stage: Stage, key: string): HttpClient => new HttpClient(`${stage.tradeUrl}/v1`, key);

export const uploadArtworkOf = (stage: Stage, { key }: Buyer): Promise<string> => uploadArtwork(tradeClientOf(stage, key));

/** Creates a quote of one line over HTTP. @returns its id */
export async function requestQuote(stage: Stage, buyer: Buyer, imageUrl: string): Promise<string> {
  const body = { items: [aLine(imageUrl)], shippingMethodId: 'studio-collection', shippingAddress: anAddress() };
  const reply = await call(stage, { method: 'POST', url: stage.tradeUrl, path: '/v1/quotes', credential: buyer.key, body });
  return (JSON.parse(reply) as { data: { quoteId: string } }).data.quoteId;
}

/**
 * Creates open quotes, alternating between the buyers. The first quote of each account is created over HTTP; the others are copies without
 * a hold workflow, which takes no part in placing an order.
 */
export async function prepareOpenQuotes(stage: Stage, buyers: readonly Buyer[], count: number): Promise<() => OpenQuote> {
  const quotes: OpenQuote[][] = [];
  const copies = Math.ceil(count / buyers.length);
  const originals = new Map<string, Promise<string>>();
  await closedLoop(buyers.length, CONCURRENCY, async (index) => {
    const buyer = buyers[index] as Buyer;
    const original =
      originals.get(buyer.accountId) ?? uploadArtworkOf(stage, buyer).then((imageUrl) => requestQuote(stage, buyer, imageUrl));
    originals.set(buyer.accountId, original);
    const ids = await copyQuote(stage.database, await original, copies);
    quotes.push(ids.map((quoteId) => ({ ...buyer, quoteId })));
  });
  const alternating = Array.from({ length: copies }, (_, round) => quotes.flatMap((ofBuyer) => ofBuyer[round] ?? [])).flat();
  return createSupply(alternating);
}
