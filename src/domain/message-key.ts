import { canonicalJson } from './canonical-json';
import { assertNever } from './errors';
import { isMilestone, type OrderMessage } from './order-message-types';

export const changeKey = (changeId: string): string => `change:${changeId}`;

/** Returns the key of a message. Messages with the same kind and id have the same key, whichever way they were sent (ruling 45). */
export function messageKey(message: OrderMessage): string {
  if (isMilestone(message)) return message.milestoneId;
  switch (message.type) {
    case 'parcel_added':
      return `parcel:${message.parcelId}`;
    case 'parcel_voided':
      return `parcel-void:${message.parcelId}`;
    case 'payment_recorded':
      return `payment:${message.paymentId}`;
    case 'payment_reversed':
      return `payment-reversal:${message.paymentId}`;
    case 'credit_noted':
      return `credit-note:${message.creditNoteId}`;
    case 'credit_note_reversed':
      return `credit-note-reversal:${message.reversalId}`;
    case 'corrected':
      return message.milestoneId;
    case 'changed':
      return changeKey(message.changeId);
    case 'artwork_replaced':
      return `artwork:${message.replacementId}`;
    default:
      return assertNever(message);
  }
}

/** The message without its id. */
function contentOf(message: OrderMessage) {
  const { milestoneId: _id, ...content } = message;
  return content;
}

/** The message without its id, as JSON text for the timeline. */
export const messageContent = (message: OrderMessage): string => canonicalJson(contentOf(message));

/**
 * Returns the part of a message that must be equal when the message is repeated. Excludes the note and time of parcels and payments, and
 * the reason of corrections.
 */
export function comparedContent(message: OrderMessage): string {
  if (isMilestone(message)) return messageContent(message);
  if (message.type === 'corrected') return canonicalJson({ type: message.type, corrects: message.corrects });
  const { note: _note, occurredAt: _at, ...content } = contentOf(message);
  return canonicalJson(content);
}
