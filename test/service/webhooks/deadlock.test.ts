import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver } from '../../support/webhook-receiver';

it('disabling at the twentieth failure succeeds while other deliveries of the endpoint fail and the studio disables it', async () => {
  const receiver = await startReceiver();
  const service = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '1ms' } });
  try {
    receiver.respondWith((_, response) => void response.writeHead(500).end());
    const { id } = await anEndpoint(service.deps.database, service.account.accountId, receiver.url);
    await service.deps.database.run('UPDATE webhook_endpoint_health SET consecutive_failures = 18');
    const trade = service.trade(service.account.testKey);
    await Promise.all(Array.from({ length: 8 }, () => anOrder(trade)));
    await service.studio().post(`/webhook-endpoints/${id}/disable`, {});
    await waitFor(
      'no delivery pending',
      async () => (await service.deps.database.rows(`SELECT 1 FROM webhook_deliveries WHERE state = 'pending'`)).length === 0,
    );
    expect(await service.deps.database.rows('SELECT state FROM webhook_endpoints')).toEqual([{ state: 'disabled' }]);
    expect(await service.deps.database.rows(`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)).toEqual([
      { deadlocks: 0 },
    ]);
  } finally {
    await service.stop();
    await receiver.close();
  }
});
