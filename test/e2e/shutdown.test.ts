import { aQuote, placeOrder } from '../support/baskets';
import { startService } from '../support/service';

describe('shutdown', () => {
  it('stops accepting, finishes the order in hand, and leaves nothing behind', async () => {
    const service = await startService();
    const trade = service.trade(service.account.testKey);
    const { quoteId } = await aQuote(trade);
    // The account's row is held, so the submission is under way and cannot finish.
    const holder = service.deps.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [service.account.accountId]);
    const inHand = placeOrder(trade, quoteId);
    await untilBlocked();
    const closing = service.api.close();
    await expect(trade.get('/catalogue')).rejects.toThrow(/ECONNREFUSED|other side closed|socket/);
    await holder.rollbackTransaction();
    await holder.release();
    expect((await inHand).status).toBe(201);
    await closing;
    await service.stop();

    async function untilBlocked(): Promise<void> {
      for (;;) {
        const [{ waiting }] = await service.deps.dataSource.query(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if (waiting > 0) return;
      }
    }
  });
});
