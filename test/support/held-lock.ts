import type { Database } from '../../src/db/database';

export interface HeldLock {
  /** Rolls back the transaction that holds it. */
  release(): Promise<void>;
}

class LockReleased extends Error {}

/** Holds the locks of `statement` in a separate transaction until released. Always release in `finally`. */
export function holdLock(database: Database, statement: string, parameters: unknown[] = []): Promise<HeldLock> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(async (sql) => {
      // PostgreSQL ends idle transactions of the service, but not those of other database clients.
      await sql.run('SET LOCAL idle_in_transaction_session_timeout = 0');
      // On a busy machine, the lock may be taken later than the service would wait for it.
      await sql.run('SET LOCAL lock_timeout = 0');
      await sql.run('SET LOCAL statement_timeout = 0');
      await sql.run(statement, parameters);
      await new Promise<void>((_, release) => {
        resolve({ release: () => (release(new LockReleased()), finished) });
      });
    });
    const finished = transaction.catch((error: unknown) => {
      if (!(error instanceof LockReleased)) reject(error);
    });
  });
}
