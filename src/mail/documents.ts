import { formatDay, formatMoney } from '../documents/formatting';
import type { Mail } from './index';
import { mailText } from './mail-text';

/** The id of a mail with a document, and the local part of its Message-ID. */
export const documentMailId = (sendId: string): string => `send-${sendId}`;

export interface Draft {
  subject: string;
  message: string;
}

/** The studio's name below the text; null before the studio enters it. */
type Studio = string | null;

const letter = (accountName: string, lines: readonly string[], studio: Studio): string =>
  mailText([`Dear ${accountName},`, '', ...lines, ...(studio === null ? [] : ['', 'Kind regards', studio])]);

const from = (studio: Studio): string => (studio === null ? '' : ` from ${studio}`);

interface InvoiceFigures {
  invoiceNumber: string;
  orderNumber: string;
  accountName: string;
  dueCents: number;
  dueDate: string;
  overdue: boolean;
  currency: string;
}

export function draftInvoice(
  { invoiceNumber, orderNumber, accountName, dueCents, dueDate, overdue, currency }: InvoiceFigures,
  studio: Studio,
): Draft {
  const request = overdue ? `It was due on ${formatDay(dueDate)}.` : `Please pay it by ${formatDay(dueDate)}.`;
  const due = dueCents > 0 ? [`The amount due is ${formatMoney(dueCents, currency)}. ${request}`] : [];
  return {
    subject: `Invoice ${invoiceNumber}${from(studio)}`,
    message: letter(accountName, [`Attached is invoice ${invoiceNumber} for your order ${orderNumber}.`, ...due], studio),
  };
}

interface CreditNoteFigures {
  creditNoteNumber: string;
  invoiceNumber: string;
  accountName: string;
  amountCents: number;
  currency: string;
}

export function draftCreditNote(
  { creditNoteNumber, invoiceNumber, accountName, amountCents, currency }: CreditNoteFigures,
  studio: Studio,
): Draft {
  const text = `Attached is credit note ${creditNoteNumber} of ${formatMoney(amountCents, currency)} for invoice ${invoiceNumber}.`;
  return { subject: `Credit note ${creditNoteNumber}${from(studio)}`, message: letter(accountName, [text], studio) };
}

interface StatementPeriod {
  accountName: string;
  from: string;
  to: string;
}

export function draftStatement({ accountName, from: first, to }: StatementPeriod, studio: Studio): Draft {
  const text = `Attached is your statement from ${formatDay(first)} to ${formatDay(to)}, with the invoices that are open.`;
  return { subject: `Statement to ${formatDay(to)}${from(studio)}`, message: letter(accountName, [text], studio) };
}

interface DocumentMail {
  id: string;
  recipient: string;
  subject: string;
  message: string;
}

/** The mail as the office sees it in the preview, with its document. */
export const createDocumentMail = (
  { id, recipient, subject, message }: DocumentMail,
  attachment: { filename: string; content: Buffer },
): Mail => ({
  id: documentMailId(id),
  to: { address: recipient },
  subject,
  text: `${mailText(message.split('\n'))}\n`,
  attachments: [attachment],
});
