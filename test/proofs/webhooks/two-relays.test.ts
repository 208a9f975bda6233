import { placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver } from '../../support/webhook-receiver';
import { inParallel, quotesOf } from '../../service/webhooks/support/quotes';
import { startRelayProcess } from '../faults/support/relay-process';

const ORDERS = 60;

it('two relays that send to one failing endpoint disable it at exactly twenty failures; the rest is held', async () => {
  const receiver = await startReceiver();
  const service = await startService({
    env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '1ms', RATE_LIMIT_FACTOR: '10' },
  });
  const second = await startRelayProcess(service);
  const { account, deps } = service;
  try {
    receiver.answerWith((_, response) => void response.writeHead(500).end());
    const { id } = await anEndpoint(deps.database, account.accountId, receiver.url);
    const trade = service.trade(account.testKey);
    await inParallel(await quotesOf(service, account, ORDERS), 8, async (quoteId) => void (await placeOrder(trade, quoteId)));
    const states = (): Promise<{ state: string; count: string }[]> =>
      deps.database.rows('SELECT state, count(*) AS count FROM webhook_deliveries GROUP BY state ORDER BY state');
    await waitFor('no delivery pending', async () => (await states()).every(({ state }) => state !== 'pending'));
    expect(await states()).toEqual([
      { state: 'failed', count: '20' },
      { state: 'held', count: '40' },
    ]);
    const found = await deps.database.row(
      `SELECT e.state, h.consecutive_failures FROM webhook_endpoints e JOIN webhook_endpoint_health h ON h.endpoint_id = e.id WHERE e.id = $1`,
      [id],
    );
    expect(found).toEqual({ state: 'disabled', consecutive_failures: 20 });
  } finally {
    await second.kill();
    await service.stop();
    await receiver.close();
  }
});
