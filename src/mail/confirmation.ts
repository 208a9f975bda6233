import type { AccountRow, OrderWithParcels } from '../db/rows';
import type { ShippingAddress } from '../domain/basket/quote-request';
import { mailText } from './mail-text';
import type { Mail } from './index';

export const confirmationMailId = (orderId: string): string => `confirmation-${orderId}`;

/**
 * The customer's confirmation of an order in the studio's own packaging. Shows what was ordered, never prices: the
 * customer buys from the trade account, not from the studio.
 */
export function createConfirmationMail(order: OrderWithParcels, address: ShippingAddress, account: AccountRow): Mail {
  const lines = order.lines.map(
    (line) => `  ${line.quantity} x ${line.productName}${line.externalReference ? ` (${line.externalReference})` : ''}`,
  );
  const readyLines = order.promised_ready_date === null ? [] : ['', `We will have it ready on ${order.promised_ready_date}.`];
  return {
    id: confirmationMailId(order.id),
    to: { address: address.email },
    subject: `Your order ${order.order_number} is with the studio`,
    text: mailText([
      `Dear ${address.name},`,
      '',
      `thank you. ${account.name} has placed this order with us for you:`,
      '',
      ...lines,
      ...readyLines,
      '',
      'It will be sent to:',
      '',
      ...[
        address.name,
        address.company,
        address.line1,
        address.line2,
        `${address.city} ${address.state} ${address.postcode}`,
        address.country,
      ]
        .filter((part) => part !== undefined && part !== null && part !== '')
        .map((part) => `  ${part}`),
      '',
      `If anything is wrong, please write to ${account.name} and quote ${order.order_number}.`,
      '',
    ]),
  };
}
