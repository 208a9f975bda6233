import { newId } from '../src/security/ids';
import { aKey, anAccount } from '../test/support/accounts';
import { aQuote } from '../test/support/baskets';
import { HttpClient } from '../test/support/client';
import type { Stage } from './stage';

export interface Buyer {
  accountId: string;
  key: string;
}

/** So many accounts with one test key each. */
export async function someBuyers({ dataSource }: Stage, count: number): Promise<Buyer[]> {
  const made = await Promise.all(Array.from({ length: count }, () => anAccount(dataSource)));
  return made.map(({ accountId, testKey }) => ({ accountId, key: testKey }));
}

/** So many keys of one account. */
export async function oneBuyer({ dataSource }: Stage, keys: number): Promise<Buyer[]> {
  const { accountId } = await anAccount(dataSource);
  const made = await Promise.all(Array.from({ length: keys }, () => aKey(dataSource, accountId)));
  return made.map((key) => ({ accountId, key }));
}

export const tradeOf = (stage: Stage, key: string): HttpClient => new HttpClient(`${stage.tradeUrl}/v1`, key);

/**
 * Ids of `count` open quotes, the n-th of the n-th buyer in turn: one is priced by the service, the others are copies of its
 * row. Copies have no hold workflow, and count as having one, so that the sweeper starts none.
 */
export async function someQuotes(stage: Stage, buyers: readonly Buyer[], count: number): Promise<string[]> {
  const [first] = buyers;
  if (first === undefined) throw new Error('no buyers');
  const { quoteId } = await aQuote(tradeOf(stage, first.key)) as { quoteId: string };
  const ids = Array.from({ length: count }, () => newId('quo'));
  const accounts = ids.map((_, index) => buyers[index % buyers.length]?.accountId);
  await stage.dataSource.query(`
    INSERT INTO quotes SELECT (jsonb_populate_record(q, jsonb_build_object('id', n.id, 'account_id', n.account_id, 'hold_started_at', now()))).*
      FROM quotes q, unnest($2::text[], $3::text[]) AS n(id, account_id) WHERE q.id = $1`, [quoteId, ids, accounts]);
  return ids;
}

/** Settled copies of one order, each with a quote of its own, in the account of `buyer`. Answers their ids. */
export async function someOrders(stage: Stage, buyer: Buyer, orderId: string, count: number): Promise<string[]> {
  const quotes = await someQuotes(stage, [buyer], count);
  const ids = quotes.map((quoteId) => `ord_${quoteId.slice('quo_'.length)}`);
  await stage.dataSource.query(`
    INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', n.id, 'quote_id', n.quote_id, 'account_id', $4::text,
        'order_number', 'B-' || n.id, 'settled_at', now()))).*
      FROM orders o, unnest($2::text[], $3::text[]) AS n(id, quote_id) WHERE o.id = $1`, [orderId, ids, quotes, buyer.accountId]);
  return ids;
}
