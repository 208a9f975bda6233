import type { AccountRow, OrderWithRelations } from '../db/rows';
import { addressLines } from '../domain/address-lines';
import type { ShippingAddress } from '../domain/basket/quote-request';
import { mailText } from './mail-text';
import type { Mail } from './index';

export const confirmationMailId = (orderId: string): string => `confirmation-${orderId}`;

/**
 * Creates the confirmation for the recipient of an order without white label. It has no prices, because the recipient buys from the
 * account.
 */
export function createConfirmationMail(order: OrderWithRelations, address: ShippingAddress, account: AccountRow): Mail {
  const lines = order.lines.map(
    (line) => `  ${line.quantity} x ${line.productName}${line.externalReference ? ` (${line.externalReference})` : ''}`,
  );
  const readyLines = order.promised_ready_date === null ? [] : ['', `It will be ready on ${order.promised_ready_date}.`];
  return {
    id: confirmationMailId(order.id),
    to: { address: address.email },
    subject: `Your order ${order.order_number} has been placed`,
    text: mailText([
      `Dear ${address.name},`,
      '',
      `Thank you for your order. ${account.name} has placed it with us:`,
      '',
      ...lines,
      ...readyLines,
      '',
      ...(order.is_collection
        ? [`You collect it at our studio. Please quote ${order.order_number}.`]
        : ['We will ship it to:', '', ...addressLines(address).map((line) => `  ${line}`)]),
      '',
      `If anything is wrong, please contact ${account.name} and quote ${order.order_number}.`,
      '',
    ]),
  };
}
