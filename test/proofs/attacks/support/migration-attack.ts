import { MIGRATIONS, type MigrationInterface, type QueryRunner } from '../../../../src/db/data-source';
import { openDatabase, NO_TIMEOUTS } from '../../../../src/db/database';
import { holdLock } from '../../../support/held-lock';
import type { Attack } from './world';

const ATTEMPTS = 3;

/** Each run has its own column, so each has something to apply. */
const addColumn = (number: number): new () => MigrationInterface => {
  const name = `AddColumn${1_990_000_000_000 + number}`;
  return {
    [name]: class implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(`ALTER TABLE orders ADD COLUMN attacked_${number} text`);
      }

      async down(): Promise<void> {
        throw new Error('drop the database instead');
      }
    },
  }[name] as new () => MigrationInterface;
};

const pending: (new () => MigrationInterface)[] = [];

/** Runs `trade-print migrate` while `pg_dump` reads every table. */
export const MIGRATION_ATTACK: Attack = {
  name: 'a migration while a backup holds ACCESS SHARE',
  async run({ stack }) {
    const url = stack.env.DATABASE_URL ?? '';
    const [backup, owner] = await Promise.all([openDatabase(url, 1, NO_TIMEOUTS), openDatabase(url, 1)]);
    pending.push(addColumn(pending.length));
    const held = await holdLock(backup, 'LOCK TABLE accounts, api_keys, orders, rate_windows IN ACCESS SHARE MODE');
    let waits = 0;
    let released: Promise<void> | undefined;
    const onWait = () => {
      waits += 1;
      if (waits === ATTEMPTS) released = held.release();
    };
    try {
      const applied = await owner.migrate({ migrations: [...MIGRATIONS, ...pending], retryMs: 1000, onWait });
      return `${applied.length} applied`;
    } finally {
      await (released ?? held.release());
      await Promise.all([backup.close(), owner.close()]);
    }
  },
  expected: '1 applied',
};
