import { readPricingTerms } from '../../../src/db/repositories/price-book-reader';
import { anAccount } from '../../support/accounts';
import { useDatabase } from '../../support/fixtures';

describe('the current price book', () => {
  const { database } = useDatabase(2);

  it('is the last one to take effect, also if another was published later for an earlier day', async () => {
    const { accountId } = await anAccount(database);
    // Version 2 is scheduled for June; version 3 is published afterwards and takes effect in March.
    for (const [version, effectiveAt] of [
      [2, '2030-06-01'],
      [3, '2030-03-01'],
    ]) {
      await database.run(
        `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at)
         SELECT $1, document, sha256, $2, 'test', now() FROM price_books WHERE version = 1`,
        [version, effectiveAt],
      );
    }
    const versionAt = async (day: string) => (await readPricingTerms(database, accountId, new Date(day))).version;
    expect(await versionAt('2030-02-01')).toBe(1);
    expect(await versionAt('2030-04-01')).toBe(3);
    expect(await versionAt('2030-07-01')).toBe(2);
  });
});
