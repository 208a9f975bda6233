import { createHmac } from 'node:crypto';
import { isIdentifier } from '../domain/identifiers';
import { messageContent, messageKey } from '../domain/message-key';
import type { OrderMessage } from '../domain/order-message-types';
import { equalInConstantTime } from './fingerprint';

/**
 * Shows that a message to an order came by the studio API, from the token and in the request that it names: whoever may speak to Temporal
 * can write any token's id into an update, and read it from a history. It holds for this order and this content alone.
 */
export function computeSeal(secret: string, orderId: string, message: OrderMessage): string {
  const content = [orderId, message.tokenId ?? '', message.requestId ?? '', messageKey(message), messageContent(message)];
  return createHmac('sha256', secret).update(JSON.stringify(content)).digest('hex');
}

export function sealMessage(secret: string, orderId: string, message: OrderMessage): OrderMessage {
  return { ...message, seal: computeSeal(secret, orderId, message) };
}

/**
 * The message with who sent it, as it is stored. One by the key of an account is the account's own, as its cancel is; nobody else can pass
 * for it.
 */
export function attributeSender(secret: string, orderId: string, sent: OrderMessage): OrderMessage {
  const message = withoutForgedSender(secret, orderId, sent);
  if (!isIdentifier('key', message.tokenId ?? '')) return message;
  const { tokenId: _key, requestId: _request, seal: _seal, ...withoutSender } = message;
  return { ...withoutSender, actor: 'account' } as OrderMessage;
}

/** The message without a token and request that it has no seal for. */
function withoutForgedSender(secret: string, orderId: string, message: OrderMessage): OrderMessage {
  const { tokenId: _token, requestId: _request, seal, ...withoutSender } = message;
  if (message.tokenId === undefined || seal === undefined) return withoutSender as OrderMessage;
  return equalInConstantTime(seal, computeSeal(secret, orderId, message)) ? message : (withoutSender as OrderMessage);
}
