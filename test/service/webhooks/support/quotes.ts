import { aQuote } from '../../../support/baskets';
import type { TestAccount } from '../../../support/accounts';
import { copyQuote } from '../../../support/row-copies';
import type { TestService } from '../../../support/service';

/** Ids of `count` open quotes of this account: one priced, the others copies of it without requests. */
export async function createQuotes(service: TestService, account: TestAccount, count: number): Promise<string[]> {
  const { quoteId } = await aQuote(service.trade(account.testKey));
  return [quoteId, ...(await copyQuote(service.deps.database, quoteId, count - 1))];
}

/** Runs `work` for every item in order, with a limited number at a time. */
export async function forEachLimited<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const remaining = items.entries();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const [index, item] of remaining) await work(item, index);
    }),
  );
}
