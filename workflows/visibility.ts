import { cancelBlockers, toCancelFacts, cancelObstacles } from '../src/domain/cancel-rules';
import { formatCents } from '../src/domain/money';
import { effectiveStatus, paidCents, type OrderState } from '../src/domain/order-status';
import { stateMark } from '../src/domain/state-mark';
import { SEARCH_ATTRIBUTES } from './search-attributes';

/** The search attributes of an order's workflow. */
export function orderSearchAttributes({ orderNumber, accountId, environment, facts }: OrderState) {
  return [
    { key: SEARCH_ATTRIBUTES.orderNumber, value: orderNumber },
    { key: SEARCH_ATTRIBUTES.tradeAccount, value: accountId },
    { key: SEARCH_ATTRIBUTES.environment, value: environment },
    { key: SEARCH_ATTRIBUTES.orderStatus, value: effectiveStatus(facts) },
  ];
}

/** The part of the memo that changes with the order. */
export const orderMemo = (state: OrderState): { state: string } => ({ state: stateMark(state) });

/** The "current details" in the Web UI: number, status, facts, and whether the account may still cancel. */
export function describeOrder({ orderNumber, environment, facts, version }: OrderState): string {
  const cancelState = toCancelFacts(facts);
  return [
    `**Order** ${orderNumber} (${environment})`,
    `**Status** ${effectiveStatus(facts)} (base ${facts.baseStatus}${facts.heldFrom ? `, held from ${facts.heldFrom}` : ''})`,
    `**Printed** ${facts.printed ? 'yes' : `${facts.printedLines.length} of ${facts.lineCount} lines`}`,
    `**Live parcels** ${facts.liveParcels.join(', ') || 'none'}`,
    `**Paid** ${formatCents(paidCents(facts))} of ${formatCents(facts.totalCents)}`,
    `**Account may cancel** ${cancelBlockers(cancelState).length === 0 ? 'yes' : `no (${cancelObstacles(cancelState).join(', ') || 'cancelled'})`}`,
    `**Changes stored** ${version}`,
  ].join('\n\n');
}
