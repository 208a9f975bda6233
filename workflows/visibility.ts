import { cancelBlockers, toCancelFacts, cancelObstacles } from '../src/domain/cancel-rules';
import { assertNever } from '../src/domain/errors';
import { formatCents } from '../src/domain/money';
import { effectiveStatus, paidCents, type OrderState } from '../src/domain/order-status';
import { isMilestone, type OrderMessage } from '../src/domain/order-message-types';
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

/** The "current details" in the Web UI: number, status, facts, and whether the account may still cancel. */
export function describeOrder({ orderNumber, environment, facts, version }: OrderState): string {
  const cancelState = toCancelFacts(facts);
  return [
    `**Order** ${orderNumber} (${environment})`,
    `**Status** ${effectiveStatus(facts)} (base ${facts.baseStatus}${facts.heldFrom ? `, held from ${facts.heldFrom}` : ''})`,
    `**Printed** ${facts.printed ? 'yes' : 'no'}`,
    `**Live parcels** ${facts.liveParcels.join(', ') || 'none'}`,
    `**Paid** ${formatCents(paidCents(facts))} of ${formatCents(facts.totalCents)}`,
    `**Account may cancel** ${cancelBlockers(cancelState).length === 0 ? 'yes' : `no (${cancelObstacles(cancelState).join(', ') || 'cancelled'})`}`,
    `**Changes stored** ${version}`,
  ].join('\n\n');
}

/** Describes a message for the order's history: "printed", "parcel CC-20041". Contains ids only. */
export function describeMessage(message: OrderMessage): string {
  if (isMilestone(message)) return message.type.replace('_', ' ');
  switch (message.type) {
    case 'parcel_added':
      return `parcel ${message.parcelId}`;
    case 'parcel_voided':
      return `parcel ${message.parcelId} voided`;
    case 'payment_recorded':
      return `payment ${message.paymentId}`;
    case 'payment_reversed':
      return `payment ${message.paymentId} reversed`;
    case 'corrected':
      return `${message.corrects} corrected`;
    case 'credit_noted':
      return `credit note ${message.creditNoteId}`;
    case 'credit_note_reversed':
      return `credit note ${message.creditNoteId} reversed`;
    case 'changed':
      return `changed ${message.changeId}`;
    case 'artwork_replaced':
      return `artwork of line ${message.line} replaced by ${message.uploadId}`;
    default:
      return assertNever(message);
  }
}
