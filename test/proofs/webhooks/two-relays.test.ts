import { anIdempotencyKeyHeader, placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver } from '../../support/webhook-receiver';
import { forEachLimited, createQuotes } from '../../service/webhooks/support/quotes';
import { startRelayProcess } from '../faults/support/relay-process';
import { repeatWhileOverloaded } from '../../support/repeat';

const ORDERS = 60;

it('two relays that send to one failing endpoint disable it at exactly twenty failures, and hold the rest', async () => {
  const receiver = await startReceiver();
  try {
    receiver.respondWith((_, response) => void response.writeHead(500).end());
    const env = { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '1ms', RATE_LIMIT_FACTOR: '10' };
    const service = await startService({ env });
    try {
      const second = await startRelayProcess(service);
      try {
        await disableByFailures(service, receiver.url);
      } finally {
        await second.kill();
      }
    } finally {
      await service.stop();
    }
  } finally {
    await receiver.close();
  }
});

async function disableByFailures(service: TestService, url: string): Promise<void> {
  const { account, deps } = service;
  const { id } = await anEndpoint(deps.database, account.accountId, url);
  const trade = service.trade(account.testKey);
  await forEachLimited(await createQuotes(service, account, ORDERS), 8, async (quoteId) => {
    const header = anIdempotencyKeyHeader();
    const placed = await repeatWhileOverloaded(() => placeOrder(trade, quoteId, header));
    expect(placed.status).toBe(201);
  });
  const counts = () => deps.database.rows('SELECT state, count(*)::int AS count FROM webhook_deliveries GROUP BY state ORDER BY state');
  const ended = [
    { state: 'failed', count: 20 },
    { state: 'held', count: ORDERS - 20 },
  ];
  await waitFor(`${ORDERS} deliveries, none pending`, async () => {
    const left = await deps.database.row<{ ended: number }>(
      `SELECT count(*) FILTER (WHERE state <> 'pending')::int AS ended FROM webhook_deliveries`,
    );
    return left?.ended === ORDERS;
  });
  expect(await counts()).toEqual(ended);
  const endpoint = await deps.database.row(
    `SELECT e.state, h.consecutive_failures FROM webhook_endpoints e JOIN webhook_endpoint_health h ON h.endpoint_id = e.id WHERE e.id = $1`,
    [id],
  );
  expect(endpoint).toEqual({ state: 'disabled', consecutive_failures: 20 });
}
