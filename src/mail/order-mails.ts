import type { Contact, MailedOrder } from '../db/repositories/order-mails';
import { MAILED_ISSUE_CODES, toOrderIssue } from '../domain/order-issues';
import { sha256 } from '../security/fingerprint';
import { mailText } from './mail-text';
import type { Mail } from './index';

const readyMailId = (orderId: string): string => `order-ready-${orderId}-`;
const issueMailId = (orderId: string): string => `order-issue-${orderId}-`;

/** The beginnings of the ids of an order's mails. */
export const orderMailIds = (orderId: string): string[] => [readyMailId(orderId), issueMailId(orderId)];

/** Tells the customer or the account that an order can be collected. The customer's has no prices, as the confirmation. */
export function createReadyMail(order: MailedOrder, to: 'customer' | 'account', since: Date): Mail {
  const { order_number: number, account_name: account, account_email: accountEmail, shipping_address: address } = order;
  const lines = order.lines.map(({ quantity, productName }) => `  ${quantity} x ${productName}`);
  const isCustomer = to === 'customer';
  return {
    id: `${readyMailId(order.id)}${since.getTime()}`,
    to: { address: isCustomer ? address.email : accountEmail },
    subject: `Order ${number} is ready to collect`,
    text: mailText([
      `Dear ${isCustomer ? address.name : account},`,
      '',
      isCustomer ? `The order that ${account} has placed with us for you is ready to collect:` : `This order is ready to collect:`,
      '',
      ...lines,
      '',
      `Please quote ${number} when you collect it.`,
      ...(isCustomer ? [`If anything is wrong, please contact ${account}.`] : [`Recipient: ${address.name}`]),
      '',
    ]),
  };
}

/** Asks a contact for other artwork. */
export function createIssueMail(order: MailedOrder, contact: Contact, newestId: number): Mail {
  const issues = order.issues.filter(({ code }) => MAILED_ISSUE_CODES.includes(code)).map(toOrderIssue);
  return {
    id: `${issueMailId(order.id)}${newestId}-${sha256(contact.email.toLowerCase()).slice(0, 16)}`,
    to: { address: contact.email },
    subject: `Order ${order.order_number} needs other artwork`,
    text: mailText([
      `Dear ${contact.name},`,
      '',
      `We cannot print order ${order.order_number} yet:`,
      '',
      ...issues.map(({ message }) => `  ${message}`),
      '',
      'Please send the artwork in the way in which you placed the order. We continue when it arrives.',
      '',
    ]),
  };
}
