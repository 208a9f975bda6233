import { createSettings, type ClientOptions } from './options.js';
import {
  AccountResource,
  CatalogueResource,
  EventsResource,
  OrdersResource,
  PricesResource,
  QuotesResource,
  TestResource,
  UploadsResource,
  WebhookDeliveriesResource,
  WebhookEndpointsResource,
} from './resources.js';
import { Transport } from './transport.js';

/**
 * Client of the trade print ordering API, bound to one API key. Create one instance and share it: it keeps no connection and no state
 * between calls.
 */
export class TradePrint {
  readonly account: AccountResource;
  readonly catalogue: CatalogueResource;
  readonly uploads: UploadsResource;
  readonly prices: PricesResource;
  readonly quotes: QuotesResource;
  readonly orders: OrdersResource;
  readonly events: EventsResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly webhookDeliveries: WebhookDeliveriesResource;
  readonly test: TestResource;

  /** @throws TypeError if an option has an invalid value */
  constructor(options: ClientOptions) {
    const transport = new Transport(createSettings(options));
    this.account = new AccountResource(transport);
    this.catalogue = new CatalogueResource(transport);
    this.uploads = new UploadsResource(transport);
    this.prices = new PricesResource(transport);
    this.quotes = new QuotesResource(transport);
    this.orders = new OrdersResource(transport);
    this.events = new EventsResource(transport);
    this.webhookEndpoints = new WebhookEndpointsResource(transport);
    this.webhookDeliveries = new WebhookDeliveriesResource(transport);
    this.test = new TestResource(transport);
  }
}
