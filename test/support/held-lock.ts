import type { Database } from '../../src/db/database';

export interface HeldLock {
  /** Rolls back what holds it. */
  release(): Promise<void>;
}

class LockReleased extends Error {}

/** Holds what `statement` locks, in a transaction of its own, until released; always release in `finally`. */
export function holdLock(database: Database, statement: string, parameters: unknown[] = []): Promise<HeldLock> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(async (sql) => {
      // The service's own transactions are ended when they do nothing; somebody's console is not.
      await sql.run('SET LOCAL idle_in_transaction_session_timeout = 0');
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
