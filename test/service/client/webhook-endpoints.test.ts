import { MilestoneRefusedError, webhooks, type Known, type OrderStatus, type TradePrint } from '@trade-print/client';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { aClient, aQuoteId, rejectionOf } from './support';

let service: TestService;
let receiver: WebhookReceiver;
let client: TradePrint;
let secret: string;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
  client = aClient(service);
  ({ secret } = await anEndpoint(service.deps.database, service.account.accountId, receiver.url, 'test'));
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

it('a test order moves through every status, and its webhooks are verified, listed and resent', async () => {
  const { orderId } = await client.orders.create({ quoteId: await aQuoteId(client) });
  const way: Known<OrderStatus>[] = ['in_production', 'on_hold', 'in_production', 'shipped'];
  for (const to of way) expect(await client.test.advance(orderId, { to })).toMatchObject({ status: to });
  const { shipments } = await client.orders.get(orderId);
  expect(await client.test.advance(orderId, { voidParcel: shipments[0]?.trackingNumber ?? '' })).toMatchObject({ shipments: [] });
  expect(await client.test.advance(orderId, { to: 'completed' })).toMatchObject({ status: 'completed' });
  expect(await rejectionOf(client.test.advance(orderId, { to: 'received' }))).toBeInstanceOf(MilestoneRefusedError);

  const told: string[] = [];
  for await (const { id } of client.events.list()) told.push(id);
  await waitFor('every webhook', async () => told.every((id) => receiver.eventIds().has(id)));
  for (const { rawBody, headers } of receiver.received)
    expect(await webhooks.verify(rawBody, headers, secret)).toMatchObject({ data: { orderId } });

  const endpoints = await client.webhookEndpoints.list().page();
  expect(endpoints.data).toMatchObject([{ url: receiver.url, state: 'enabled' }]);
  await waitFor('the deliveries', async () => (await client.webhookDeliveries.list({ state: 'pending' }).page()).data.length === 0);
  const delivered: string[] = [];
  for await (const { id } of client.webhookDeliveries.list({ state: 'delivered', limit: 2 })) delivered.push(id);
  expect(delivered).toHaveLength(told.length);

  const before = receiver.received.length;
  const again = await client.webhookDeliveries.resend(delivered[0] ?? '');
  expect(again).toMatchObject({ id: delivered[0], trigger: 'resend' });
  await waitFor('the webhook again', async () => receiver.received.length > before);
  expect(receiver.received.at(-1)?.id).toBe(again.eventId);
});
