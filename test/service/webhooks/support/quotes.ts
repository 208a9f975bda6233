import { aQuote } from '../../../support/baskets';
import type { TestAccount } from '../../../support/accounts';
import { copiesOfQuote } from '../../../support/copies';
import type { TestService } from '../../../support/service';

/** Ids of `count` open quotes of this account: one priced, the others copies of it, which costs no rate budget. */
export async function quotesOf(service: TestService, account: TestAccount, count: number): Promise<string[]> {
  const { quoteId } = await aQuote(service.trade(account.testKey));
  return [quoteId, ...(await copiesOfQuote(service.deps.database, quoteId, count - 1))];
}

/** Runs `work` for every item, so many at a time, in order. */
export async function inParallel<T>(items: readonly T[], atATime: number, work: (item: T, index: number) => Promise<void>): Promise<void> {
  const left = items.entries();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const [index, item] of left) await work(item, index);
    }),
  );
}
