import { aQuote, placeOrder } from '../../support/baskets';
import { holdLock } from '../../support/held-lock';
import { startService } from '../../support/service';

describe('shutdown', () => {
  it('stops accepting requests, finishes the current order, and leaves no process behind', async () => {
    const service = await startService();
    const trade = service.trade(service.account.testKey);
    const { quoteId } = await aQuote(trade);
    // The account's row is locked, so the submission cannot finish.
    const lock = await holdLock(service.deps.database, 'SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [service.account.accountId]);
    const inHand = placeOrder(trade, quoteId);
    await untilBlocked();
    const closing = service.api.close();
    await expect(trade.get('/catalogue')).rejects.toThrow(/ECONNREFUSED|other side closed|socket/);
    await lock.release();
    expect((await inHand).status).toBe(201);
    await closing;
    await service.stop();

    async function untilBlocked(): Promise<void> {
      for (;;) {
        const found = await service.deps.database.row<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'object'`,
        );
        if ((found?.waiting ?? 0) > 0) return;
      }
    }
  });
});
