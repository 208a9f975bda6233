import { Webhook } from 'standardwebhooks';
import { aToken } from '../http/studio/support';
import { aWebhookShop, waitForDeliveries, type WebhookShop } from '../http/studio/webhook-support';
import { useFixture, useReceiver, useService } from '../../support/fixtures';
import type { ReceivedWebhook } from '../../support/webhook-receiver';

/** Receivers that use a library of Standard Webhooks and no code of this project (ruling 63). */
describe('the public verifier of Standard Webhooks', () => {
  const receiver = useReceiver();
  const service = useService(() => ({
    env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '100ms,100ms', RATE_LIMIT_FACTOR: '50' },
  }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  let shop: WebhookShop;
  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    shop = await aWebhookShop(service, office, receiver);
  });

  const postAction = async (action: string, body?: unknown) =>
    (await office.post(`/webhook-endpoints/${shop.endpointId}/${action}`, body)).json.data;
  const headersOf = ({ headers }: ReceivedWebhook) =>
    Object.fromEntries(['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]));
  /** The result of the package. It throws for an invalid signature. */
  const verifyWebhook = (received: ReceivedWebhook, standardSecret: string) =>
    new Webhook(standardSecret).verify(received.rawBody, headersOf(received));
  const fromSecret = (secret: string) => `whsec_${Buffer.from(secret, 'latin1').toString('base64')}`;

  it('accepts first attempt, retry and resend of an event with one id and separate times, and a ping', async () => {
    let refusals = 1;
    receiver.respondWith((_, response) => void response.writeHead(refusals-- > 0 ? 500 : 204).end());
    await shop.orders.place();
    const [{ id, eventId }] = await waitForDeliveries(office, shop.endpointId, 'delivered');
    await office.post(`/deliveries/${id}/resend`);
    await receiver.waitFor(3);
    await postAction('ping');
    expect(receiver.received.map(({ type }) => type)).toEqual(['order.received', 'order.received', 'order.received', 'ping']);
    for (const received of receiver.received) {
      expect(verifyWebhook(received, shop.standardSecret)).toEqual(received.body);
      expect(headersOf(received)['webhook-id']).toBe(received.id);
      expect(`t=${headersOf(received)['webhook-timestamp']}`).toBe(received.signature.split(',')[0]);
    }
    expect(new Set(receiver.received.slice(0, 3).map(({ id: one }) => one))).toEqual(new Set([eventId]));
  });

  it('accepts either secret during a rotation, and only the new one afterwards', async () => {
    const { secret, standardSecret } = await postAction('rotate-secret', {});
    expect(standardSecret).toBe(fromSecret(secret));
    await shop.orders.place();
    const [during] = (await receiver.waitFor(1)) as [ReceivedWebhook];
    expect(headersOf(during)['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const either of [shop.standardSecret, standardSecret]) expect(verifyWebhook(during, either)).toEqual(during.body);
    const { secret: last, standardSecret: standardLast } = await postAction('rotate-secret', { overlapHours: 0 });
    await postAction('ping');
    const after = receiver.received.at(-1) as ReceivedWebhook;
    expect([standardLast, verifyWebhook(after, standardLast)]).toEqual([fromSecret(last), after.body]);
    for (const former of [shop.standardSecret, standardSecret]) expect(() => verifyWebhook(after, former)).toThrow('No matching signature');
  });

  it('refuses a changed body, a changed id, and another secret', async () => {
    await shop.orders.place();
    const [received] = (await receiver.waitFor(1)) as [ReceivedWebhook];
    const changed = { ...received, rawBody: received.rawBody.replace('"received"', '"completed"') };
    expect(() => verifyWebhook(changed, shop.standardSecret)).toThrow('No matching signature');
    const moved = { ...received, headers: { ...received.headers, 'webhook-id': 'evt_00' } };
    expect(() => verifyWebhook(moved, shop.standardSecret)).toThrow('No matching signature');
    expect(() => verifyWebhook(received, fromSecret(`lpw_${'0'.repeat(64)}`))).toThrow('No matching signature');
  });
});
