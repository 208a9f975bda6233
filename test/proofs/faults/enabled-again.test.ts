import { claimFirstAttempts, holdClaimed } from '../../../src/db/repositories/relay';
import { sendAttempt } from '../../../src/relay/attempt';
import { EndpointCache } from '../../../src/relay/endpoint-cache';
import { aTrader } from '../../service/http/support';
import { aQuote, placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService } from '../../support/service';
import { startReceiver } from '../../support/webhook-receiver';

it('a re-enabled endpoint gets later events from a relay that has just seen it disabled', async () => {
  const receiver = await startReceiver();
  const service = await startService({ worker: false, env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
  const { database } = service.deps;
  const endpointCache = new EndpointCache(database, service.deps.secretBox);
  try {
    const { trade, accountId } = await aTrader(service);
    const { id } = await anEndpoint(database, accountId, receiver.url);
    const { quoteId } = await aQuote(trade);
    await service.studio().post(`/webhook-endpoints/${id}/disable`, {});
    jest.spyOn(performance, 'now').mockReturnValue(performance.now()); // all within the second for which a row counts as fresh
    await endpointCache.get(id);
    await service.studio().post(`/webhook-endpoints/${id}/enable`, { skipPing: true });
    await placeOrder(trade, quoteId);
    const [delivery] = await claimFirstAttempts(database, { endpoints: [], defaultCapacity: 4, maxTotal: 4 });
    if (delivery === undefined) throw new Error('nothing was claimed');
    // Same order of calls as in Relay.attempt.
    const attempted = await sendAttempt(
      { ...service.deps, endpointCache },
      { delivery, requestedAtMs: performance.now() },
      1,
      new AbortController().signal,
    );
    if ('switchedOff' in attempted) await holdClaimed(database, delivery);
    const found = await database.row<{ state: string }>('SELECT state FROM webhook_deliveries WHERE endpoint_id = $1', [id]);
    expect(found?.state).toMatch(/pending|delivered/);
  } finally {
    jest.restoreAllMocks();
    endpointCache.close();
    await service.stop();
    await receiver.close();
  }
});
