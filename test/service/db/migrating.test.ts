import { MIGRATIONS, type MigrationInterface, type QueryRunner } from '../../../src/db/data-source';
import { openDatabase, NO_TIMEOUTS } from '../../../src/db/database';
import { holdLock, type HeldLock } from '../../support/held-lock';
import { useDatabase, useFixture } from '../../support/fixtures';

class AddOrderColour1999999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN colour text');
    await runner.query('ALTER TABLE orders ADD COLUMN colour text');
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

describe('a migration while a backup reads every table', () => {
  let held: HeldLock;
  afterAll(() => held?.release()); // before the connections are closed
  const { own, database } = useDatabase(2);
  const backup = useFixture(
    () => openDatabase(`${own.url}?application_name=pg_dump`, 1, NO_TIMEOUTS),
    (opened) => opened.close(),
  );

  it('waits for its lock without delaying others, names the holder, and is applied after the backup', async () => {
    held = await holdLock(backup, 'LOCK TABLE accounts, orders IN ACCESS SHARE MODE');
    let resolveWait: (message: string) => void = () => undefined;
    const nextWait = () => new Promise<string>((resolve) => (resolveWait = resolve));
    const first = nextWait();
    const migrated = database.migrate({
      migrations: [...MIGRATIONS, AddOrderColour1999999999999],
      retryMs: 100,
      onWait: (message) => resolveWait(message),
    });
    try {
      // An attempt that lasts 200 ms may end before a busy machine has found the holder.
      let message = await first;
      while (!message.includes('process')) message = await nextWait();
      expect(message).toMatch(
        /^could not lock accounts \(process \d+ \(.+\) holds AccessShareLock, in a transaction of \d+ s\) within 200 ms; the next attempt is in 0\.1 s$/,
      );
      for (let attempts = 0; attempts < 3; attempts += 1) {
        const next = nextWait();
        // Each request waits behind the migration for less than the two seconds that a statement may wait.
        for (const table of ['accounts', 'orders']) await database.rows(`SELECT id FROM ${table} LIMIT 1`);
        await next;
      }
    } finally {
      await held.release();
    }
    expect(await migrated).toEqual(['AddOrderColour1999999999999']);
    expect(await database.rows('SELECT colour FROM orders')).toEqual([]);
  });

  it('waits for another migrate and names its process', async () => {
    held = await holdLock(backup, 'SELECT pg_advisory_xact_lock(7311201)');
    let migrated: Promise<string[]> | undefined;
    try {
      const message = await new Promise<string>((resolve, reject) => {
        migrated = database.migrate({ onWait: resolve });
        migrated.then(() => reject(new Error('it did not wait')), reject);
      });
      expect(message).toMatch(/^another migrate runs \(process \d+( from [\d.:a-f]+)?\); this one waits for its end$/);
    } finally {
      await held.release();
    }
    expect(await migrated).toEqual([]);
  });

  it('that fails for another reason is not repeated', async () => {
    class Broken1999999999998 extends AddOrderColour1999999999999 {
      override async up(runner: QueryRunner): Promise<void> {
        await runner.query('ALTER TABLE no_such_table ADD COLUMN colour text');
      }
    }
    await expect(database.migrate({ migrations: [...MIGRATIONS, Broken1999999999998] })).rejects.toThrow('no_such_table');
  });
});
