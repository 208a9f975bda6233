import { longestUnseen, markSeen } from '../../src/db/repositories/order-turns';
import { number } from '../report';
import type { Stage } from '../stage';
import { storedOrders } from '../stored-orders';

/** The orders of one run of the sweeper, and of one of its statements. */
const PER_RUN = 5_000;
const PER_STATEMENT = 250;

/** The sweeper's time in PostgreSQL while all stored orders are open. */
export async function sweeper(stage: Stage, isSmoke: boolean): Promise<string[]> {
  const { database } = stage;
  const { count } = await storedOrders(stage, isSmoke);
  await stage.temporal.schedule.getHandle('sweeper').pause();
  await database.run(`UPDATE orders SET settled_at = NULL, workflow_seen_at = now() - random() * interval '17 hours'`);
  await database.run('VACUUM ANALYZE orders');
  const startedAt = performance.now();
  for (let seen = 0; seen < PER_RUN; seen += PER_STATEMENT) {
    const orders = await longestUnseen(database, new Date(), PER_STATEMENT);
    if (orders.length === 0) throw new Error('the sweeper found no open order');
    const ids = orders.map(({ id }) => id);
    await markSeen(database, ids, new Date());
  }
  const seconds = number((performance.now() - startedAt) / 1000);
  return [`${seconds} s of PostgreSQL for a run over ${PER_RUN} of ${count.toLocaleString('en')} open orders`];
}
