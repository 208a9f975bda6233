import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributePair } from '@temporalio/common';
import { cancelObstacles } from '../src/domain/cancel-rules';
import { effectiveStatus, paidCents, type OrderFacts } from '../src/domain/order-status';
import type { OrderState } from './messages';

/** How ops find orders in the Temporal Web UI; registered by the migration command. */
export const SEARCH_ATTRIBUTES = {
  orderNumber: defineSearchAttributeKey('OrderNumber', SearchAttributeType.KEYWORD),
  orderStatus: defineSearchAttributeKey('OrderStatus', SearchAttributeType.KEYWORD),
  tradeAccount: defineSearchAttributeKey('TradeAccount', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('OrderEnvironment', SearchAttributeType.KEYWORD),
};

export function statusAttribute(facts: OrderFacts): SearchAttributePair {
  return { key: SEARCH_ATTRIBUTES.orderStatus, value: effectiveStatus(facts) };
}

/** The lines ops read as "current details": status, facts and whether the account may still cancel. */
export function describeOrder({ facts, version }: OrderState): string {
  const obstacles = cancelObstacles(facts);
  return [
    `**Status** ${effectiveStatus(facts)} (base ${facts.baseStatus}${facts.heldFrom ? `, held from ${facts.heldFrom}` : ''})`,
    `**Printed** ${facts.printed ? 'yes' : 'no'}`,
    `**Live parcels** ${facts.liveParcels.join(', ') || 'none'}`,
    `**Paid** ${paidCents(facts)} of ${facts.totalCents} cents`,
    `**Account may cancel** ${obstacles.length === 0 && facts.baseStatus !== 'cancelled' ? 'yes' : `no (${obstacles.join(', ') || 'cancelled'})`}`,
    `**Changes stored** ${version}`,
  ].join('\n\n');
}
