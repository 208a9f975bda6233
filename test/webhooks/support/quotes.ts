import { aQuote } from '../../support/baskets';
import type { TestAccount } from '../../support/accounts';
import type { TestService } from '../../support/service';

/** Ids of `count` open quotes of this account: one priced, the others copies of it, which costs no rate budget. */
export async function quotesOf(service: TestService, account: TestAccount, count: number): Promise<string[]> {
  const { quoteId } = await aQuote(service.trade(account.testKey));
  const copies: { id: string }[] = await service.deps.database.rows(
    `
    INSERT INTO quotes SELECT (jsonb_populate_record(q, jsonb_build_object('id', 'quo_' || replace(gen_random_uuid()::text, '-', '')))).*
      FROM quotes q, generate_series(2, $2::integer) WHERE q.id = $1 RETURNING id`,
    [quoteId, count],
  );
  return [quoteId, ...copies.map(({ id }) => id)];
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
