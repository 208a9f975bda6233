import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Search attributes for orders and deliveries in the Temporal Web UI. The migration command registers them. */
export const SEARCH_ATTRIBUTES = {
  orderNumber: defineSearchAttributeKey('OrderNumber', SearchAttributeType.KEYWORD),
  orderStatus: defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD),
  tradeAccount: defineSearchAttributeKey('TradeAccount', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('OrderEnvironment', SearchAttributeType.KEYWORD),
  deliveryState: defineSearchAttributeKey('DeliveryState', SearchAttributeType.KEYWORD),
  webhookEndpoint: defineSearchAttributeKey('WebhookEndpoint', SearchAttributeType.KEYWORD),
};
