import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/db/data-source';
import { PricingTermsReader } from '../../src/db/repositories/pricing-terms';
import { anAccount } from '../support/accounts';
import { createDatabase, type TestDatabase } from '../support/database';

describe('which price book prices', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    dataSource = await createDataSource(database.url, 2).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('is the one that took effect last, also when another was published later for an earlier day', async () => {
    const { accountId } = await anAccount(dataSource);
    // Version 2 is scheduled for June; version 3 is published afterwards and takes effect in March.
    for (const [version, effectiveAt] of [
      [2, '2030-06-01'],
      [3, '2030-03-01'],
    ]) {
      await dataSource.query(
        `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at)
         SELECT $1, document, sha256, $2, 'test', now() FROM price_books WHERE version = 1`,
        [version, effectiveAt],
      );
    }
    const versionAt = async (day: string) => (await new PricingTermsReader().read(dataSource.manager, accountId, new Date(day))).version;
    expect(await versionAt('2030-02-01')).toBe(1);
    expect(await versionAt('2030-04-01')).toBe(3);
    expect(await versionAt('2030-07-01')).toBe(2);
  });
});
