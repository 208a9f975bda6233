import type { SellerRow } from '../db/rows';
import type { UnpaidInvoice } from '../db/repositories/reminders';
import { formatDayIn, formatMoney } from '../documents/formatting';
import { documentMailId } from './documents';
import type { Mail } from './index';
import { mailText } from './mail-text';

interface ReminderInput {
  accountName: string;
  invoices: readonly UnpaidInvoice[];
  creditCents: number;
  /** The overdue amount after the credit. */
  amountCents: number;
  timeZone: string;
  /** The studio's details; null before it enters them. */
  seller: SellerRow | null;
}

/** Lists the overdue invoices with the amounts that are due now. */
export function createReminderMail(
  { id, recipient, subject, message }: { id: string; recipient: string; subject: string; message: string },
  { accountName, invoices, creditCents, amountCents, timeZone, seller }: ReminderInput,
): Mail {
  const money = (cents: number): string => formatMoney(cents, invoices[0]?.currency ?? 'AUD');
  const rows = invoices.map(
    ({ invoice_number: number, order_number: order, due_at: dueAt, due_cents: cents }) =>
      `  ${number} (order ${order}), due on ${formatDayIn(timeZone, dueAt)}: ${money(cents)}`,
  );
  return {
    id: documentMailId(id),
    to: { address: recipient },
    subject,
    text: mailText([
      `Dear ${accountName},`,
      '',
      ...message.split('\n'),
      '',
      ...rows,
      ...(creditCents > 0 ? [`  Your credit: ${money(-creditCents)}`] : []),
      '',
      `Amount overdue: ${money(amountCents)}`,
      ...(seller === null
        ? []
        : ['', 'Please pay to:', ...seller.bank.split('\n').map((line) => `  ${line}`), '', 'Kind regards', seller.name]),
      '',
    ]),
  };
}
