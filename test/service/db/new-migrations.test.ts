import { MIGRATIONS, type MigrationInterface, type QueryRunner } from '../../../src/db/data-source';
import { openDatabase, NO_TIMEOUTS } from '../../../src/db/database';
import { seed } from '../../../src/db/seed';
import { createDatabase, type TestDatabase } from '../../support/database';
import { checkMigration } from './migration-check';

/** They create the tables, so none of them has rows. */
const INITIAL_MIGRATIONS = [
  'CreateAccounts1763700000001',
  'CreateCatalogueAndPrices1763700000002',
  'CreateQuotesAndOrders1763700000003',
  'CreateArtwork1763700000004',
  'CreateMoney1763700000005',
  'CreateWebhooks1763700000006',
  'CreateStudio1763700000007',
];

const migrationOf = (statements: readonly string[], transaction?: boolean) =>
  class implements MigrationInterface {
    transaction = transaction;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    async down(): Promise<void> {
      throw new Error('drop the database instead');
    }
  };

describe('a migration on filled tables', () => {
  let own: TestDatabase;
  beforeAll(async () => {
    own = await createDatabase({ empty: true });
    const database = await openDatabase(own.url, 2, NO_TIMEOUTS);
    await database.migrate({ migrations: MIGRATIONS.filter(({ name }) => INITIAL_MIGRATIONS.includes(name)) });
    await seed(database, new Date());
    await database.run(
      `INSERT INTO accounts (id, name, email, trade_discount_bps, created_at)
       SELECT 'acc_' || number, 'Gallery North', 'gallery@example.com', 0, now() FROM generate_series(1, 1000) AS number`,
    );
    // Its columns are in no trigger and no index, unlike those of accounts.
    await database.run('CREATE TABLE filled (id integer PRIMARY KEY, name text, count integer)');
    await database.run("INSERT INTO filled SELECT number, 'a', number FROM generate_series(1, 1000) AS number");
    await database.close();
  });
  afterAll(() => own?.drop());

  it.each<[string, string[], RegExp]>([
    ['a type that is stored differently', ['ALTER TABLE filled ALTER COLUMN name TYPE varchar(50)'], /filled is rewritten/],
    ['a type of another size', ['ALTER TABLE filled ALTER COLUMN count TYPE bigint'], /filled is rewritten/],
    ['an index', ['CREATE INDEX accounts_name ON accounts (name)'], /accounts is read whole under ShareLock/],
    ['NOT NULL', ['ALTER TABLE filled ALTER COLUMN name SET NOT NULL'], /filled is read whole under AccessExclusiveLock/],
    ['a volatile default', ['ALTER TABLE accounts ADD COLUMN a uuid DEFAULT gen_random_uuid()'], /accounts is rewritten/],
    ['a generated column', ["ALTER TABLE accounts ADD COLUMN a text GENERATED ALWAYS AS (name || 'a') STORED"], /accounts is rewritten/],
    ['a check', ["ALTER TABLE accounts ADD CONSTRAINT a CHECK (name <> '')"], /accounts is read whole/],
    [
      'a foreign key',
      ['CREATE TABLE a (id text PRIMARY KEY)', 'ALTER TABLE api_keys ADD CONSTRAINT b FOREIGN KEY (last_four) REFERENCES a'],
      /api_keys is read whole/,
    ],
    ['a unique constraint', ['ALTER TABLE accounts ADD CONSTRAINT a UNIQUE (id, name)'], /accounts is read whole/],
    ['a backfill', ["UPDATE filled SET name = 'b'"], /1000 rows are written in one transaction/],
    ['another timeout', ['SET lock_timeout = 0', "SET statement_timeout = '1h'"], /leaves/],
  ])('is refused with %s', async (_what, statements, problem) => {
    const problems = await checkMigration(own.url, migrationOf(statements));
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it.each<[string, string[]]>([
    ['a column', ['ALTER TABLE accounts ADD COLUMN a text']],
    ['a column with a constant default', ["ALTER TABLE orders ADD COLUMN a text NOT NULL DEFAULT 'none'"]],
    ['a table with an index', ['CREATE TABLE a (id text PRIMARY KEY, b text)', 'CREATE INDEX a_b ON a (b)']],
    ['a check that is not validated', ["ALTER TABLE accounts ADD CONSTRAINT a CHECK (name <> '') NOT VALID"]],
    [
      'a foreign key that is not validated',
      ['CREATE TABLE a (id text PRIMARY KEY)', 'ALTER TABLE api_keys ADD CONSTRAINT b FOREIGN KEY (last_four) REFERENCES a NOT VALID'],
    ],
    ['a dropped column', ['ALTER TABLE filled DROP COLUMN name']],
    ['a few rows', ["UPDATE accounts SET name = 'Gallery South' WHERE id = 'acc_7'"]],
  ])('is accepted with %s', async (_what, statements) => {
    expect(await checkMigration(own.url, migrationOf(statements))).toEqual([]);
  });

  describe('in steps', () => {
    it('is accepted: a check, its validation in another transaction, then NOT NULL without a scan', async () => {
      const database = await openDatabase(own.url, 1, NO_TIMEOUTS);
      await database.run('ALTER TABLE accounts ADD CONSTRAINT named CHECK (email IS NOT NULL) NOT VALID');
      const validate = ['ALTER TABLE accounts VALIDATE CONSTRAINT named'];
      expect(await checkMigration(own.url, migrationOf(validate))).toEqual([]);
      for (const statement of ['ALTER TABLE accounts ALTER COLUMN email DROP NOT NULL', ...validate]) await database.run(statement);
      await database.close();
      expect(await checkMigration(own.url, migrationOf(['ALTER TABLE accounts ALTER COLUMN email SET NOT NULL']))).toEqual([]);
    });

    it('is accepted: an index that is built concurrently, outside of a transaction', async () => {
      const statements = ['DROP INDEX CONCURRENTLY IF EXISTS accounts_name', 'CREATE INDEX CONCURRENTLY accounts_name ON accounts (name)'];
      expect(await checkMigration(own.url, migrationOf(statements, false))).toEqual([]);
    });

    it('is refused: an index or a column outside of a transaction, because its lock blocks writes', async () => {
      const statements = ['CREATE INDEX accounts_email ON accounts (email)', 'ALTER TABLE orders ADD COLUMN a text'];
      expect(await checkMigration(own.url, migrationOf(statements, false))).toEqual([
        'accounts waits for ShareLock',
        'orders waits for AccessExclusiveLock',
      ]);
    });
  });

  it('of this release delays no request', async () => {
    const found: Record<string, string[]> = {};
    for (const Migration of MIGRATIONS.filter(({ name }) => !INITIAL_MIGRATIONS.includes(name))) {
      const problems = await checkMigration(own.url, Migration);
      if (problems.length > 0) found[Migration.name] = problems;
      const database = await openDatabase(own.url, 1, NO_TIMEOUTS);
      const upTo = MIGRATIONS.slice(0, MIGRATIONS.indexOf(Migration) + 1);
      await database.migrate({ migrations: upTo });
      await database.close();
    }
    expect(found).toEqual({});
  });
});
