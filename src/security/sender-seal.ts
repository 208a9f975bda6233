import { createHmac } from 'node:crypto';
import { isIdentifier } from '../domain/identifiers';
import { messageContent, messageKey } from '../domain/message-key';
import type { OrderMessage } from '../domain/order-message-types';
import { equalInConstantTime } from './fingerprint';

/**
 * Computes the seal of a message. The seal proves that the message came through the studio API with its token and request ids, which any
 * Temporal client could write into an update. It is valid only for this order and content.
 */
export function computeSeal(secret: string, orderId: string, message: OrderMessage): string {
  const content = [orderId, message.tokenId ?? '', message.requestId ?? '', messageKey(message), messageContent(message)];
  return createHmac('sha256', secret).update(JSON.stringify(content)).digest('hex');
}

export function sealMessage(secret: string, orderId: string, message: OrderMessage): OrderMessage {
  return { ...message, seal: computeSeal(secret, orderId, message) };
}

/**
 * Returns the message as it is stored, with its verified sender. If it was sent with an account's API key, the sender is the account. Other
 * callers cannot forge this.
 */
export function attributeSender(secret: string, orderId: string, sent: OrderMessage): OrderMessage {
  const message = withoutForgedSender(secret, orderId, sent);
  if (!isIdentifier('key', message.tokenId ?? '')) return message;
  const { tokenId: _key, requestId: _request, seal: _seal, ...withoutSender } = message;
  return { ...withoutSender, actor: 'account' } as OrderMessage;
}

/** Removes the token and request ids of a message whose seal is invalid or missing. */
function withoutForgedSender(secret: string, orderId: string, message: OrderMessage): OrderMessage {
  const { tokenId: _token, requestId: _request, seal, ...withoutSender } = message;
  if (message.tokenId === undefined || seal === undefined) return withoutSender as OrderMessage;
  return equalInConstantTime(seal, computeSeal(secret, orderId, message)) ? message : (withoutSender as OrderMessage);
}
