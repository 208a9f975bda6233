import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** How ops find orders and deliveries in the Temporal Web UI; registered by the migration command. */
export const SEARCH_ATTRIBUTES = {
  orderNumber: defineSearchAttributeKey('OrderNumber', SearchAttributeType.KEYWORD),
  orderStatus: defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD),
  tradeAccount: defineSearchAttributeKey('TradeAccount', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('OrderEnvironment', SearchAttributeType.KEYWORD),
  deliveryState: defineSearchAttributeKey('DeliveryState', SearchAttributeType.KEYWORD),
  webhookEndpoint: defineSearchAttributeKey('WebhookEndpoint', SearchAttributeType.KEYWORD),
};
