import { anAccount } from '../../../support/accounts';
import type { HttpClient } from '../../../support/client';
import type { TestService } from '../../../support/service';
import { waitFor } from '../../../support/wait-for';
import { isSignedBy, type ReceivedWebhook, type WebhookReceiver } from '../../../support/webhook-receiver';
import { OrderFactory } from './support';

/** Creates an account with one endpoint for test orders, so tests that share a service do not interfere. */
export interface WebhookShop {
  accountId: string;
  endpointId: string;
  secret: string;
  /** The same headers in the format of Standard Webhooks. */
  standardSecret: string;
  orders: OrderFactory;
  /** Places orders without events for its endpoint. */
  liveOrders: OrderFactory;
  /** Requests at the receiver that this endpoint's first secret signed. */
  received(): ReceivedWebhook[];
}

export async function aWebhookShop(service: TestService, office: HttpClient, receiver: WebhookReceiver): Promise<WebhookShop> {
  const account = await anAccount(service.deps.database);
  const made = await office.post(`/accounts/${account.accountId}/webhook-endpoints`, {
    environment: 'test',
    url: `${receiver.url}?token=hush`,
  });
  if (made.status !== 201) throw new Error(`endpoint: ${made.text}`);
  const { id, secret, standardSecret } = made.json.data;
  return {
    accountId: account.accountId,
    endpointId: id,
    secret,
    standardSecret,
    orders: new OrderFactory({ ...service, account }, 'test'),
    liveOrders: new OrderFactory({ ...service, account }, 'live'),
    received: () => receiver.received.filter((request) => isSignedBy(request, secret)),
  };
}

/** The endpoint's deliveries, newest first, once `count` of them are in this state. */
export function waitForDeliveries(office: HttpClient, endpointId: string, state: string, count = 1): Promise<any[]> {
  return waitFor(`${count} deliveries ${state}`, async () => {
    const found = (await office.get(`/deliveries?endpointId=${endpointId}&state=${state}&limit=100`)).json.data;
    return found.length === count ? found : null;
  });
}
