import type { SellerRow } from '../db/rows';
import type { Buyer } from '../domain/account-record';
import { MAX_STATEMENT_INVOICES, type EntryType } from '../domain/ledger';
import { entryLines, type EntryLine, type PresentedEntry, type PresentedStatement } from '../presenters/statement';
import { NOTHING_SOLD, printedBuyer, sellerOf } from './invoice';
import type { PdfContent } from './pdf-renderer';
import { countLetters, MAX_PRINTED_LETTERS } from './printed-letters';
import { formatDay, formatDayIn, isNonEmpty, formatMoney, formatShortDay, formatShortDayIn } from './formatting';

interface StatementInput {
  statement: PresentedStatement;
  /** The account's current details. */
  buyer: Buyer;
  /** The studio's current details; null before they are set. */
  studio: SellerRow | null;
  timeZone: string;
  printedAt: Date;
}

interface Row {
  date: string;
  description: string;
  amount: string;
  balance: string;
  strong: boolean;
}

/**
 * These limits keep a statement within the renderer's time and memory. Each entry and each open invoice is a row, which takes about 75 kB
 * and 0.3 ms. A letter that the first typeface lacks takes 0.2 ms more.
 */
const MAX_PRINTED_ROWS = 4_000;
export const MAX_PRINTED_ENTRIES = MAX_PRINTED_ROWS - MAX_STATEMENT_INVOICES;

/** The index of the first entry beyond the limit; -1 if all entries fit. */
export function findFirstUnprintable(entries: readonly PresentedEntry[]): number {
  let letters = 0;
  return entries.findIndex(
    (entry, at) => (letters += countLetters(describeEntry(entry))) > MAX_PRINTED_LETTERS || at >= MAX_PRINTED_ENTRIES,
  );
}

/** An account's ledger for a period, from the opening to the closing balance. */
export function createStatementContent({ statement, buyer, studio, timeZone, printedAt }: StatementInput): PdfContent {
  const { currency, from, to, entries, openingCents, closingCents, closingOutstandingCents } = statement;
  const period = `${formatDay(from)} to ${formatDay(to)}`;
  const isTest = statement.environment === 'test';
  const heading = isTest ? 'Test statement' : 'Statement';
  return {
    template: 'statement',
    data: {
      title: `${heading} ${period}`,
      footer: `${statement.accountName} · ${period}`,
      isTest,
      heading,
      notices: isTest ? [`This is a test. ${NOTHING_SOLD}`] : [],
      period,
      seller: sellerOf(studio),
      buyer: printedBuyer(buyer),
      facts: [
        [
          ['Opening balance', formatMoney(openingCents, currency)],
          ['Closing balance', formatMoney(closingCents, currency)],
          ...(isTest ? [] : [['Amount due', formatMoney(closingOutstandingCents, currency)]]),
        ],
        [
          ['Printed', formatDayIn(timeZone, printedAt)],
          ['Amounts in', currency],
        ],
      ],
      entries: [
        balanceRow('Opening balance', from, openingCents, currency),
        ...entryLines(entries).map((line) => toRow(line, currency)),
        balanceRow('Closing balance', to, closingCents, currency),
      ],
      ...(isTest ? NO_OPEN_INVOICES : openInvoiceData(statement, timeZone)),
      bank: isTest || (closingOutstandingCents === 0 && closingCents <= 0) ? null : (studio?.bank ?? null),
    },
  };
}

const NO_OPEN_INVOICES = { open: [], sums: [], note: '' };

/** The unpaid invoices and the credit at the end of the period. Credit is never applied automatically. */
function openInvoiceData(
  { currency, openInvoices, closingCents, closingOutstandingCents, closingCreditCents }: PresentedStatement,
  timeZone: string,
) {
  const listedCents = openInvoices.reduce((cents, { dueCents }) => cents + dueCents, 0);
  const sum = (name: string, cents: number, strong = false) => ({ name, amount: formatMoney(cents, currency), strong });
  const sumUnlessZero = (name: string, cents: number) => (cents === 0 ? [] : [sum(name, cents)]);
  return {
    open: openInvoices.map(({ invoiceNumber, orderNumber, issuedAt, dueDate, amountCents, dueCents }) => ({
      invoice: invoiceNumber,
      order: orderNumber,
      issued: formatShortDayIn(timeZone, new Date(issuedAt)),
      due: formatShortDay(dueDate),
      amount: formatMoney(amountCents, currency),
      toPay: formatMoney(dueCents, currency),
    })),
    sums: [
      ...sumUnlessZero(`Further invoices beyond these ${openInvoices.length}`, closingOutstandingCents - listedCents),
      sum('Amount due', closingOutstandingCents, true),
      ...sumUnlessZero(closingCreditCents < 0 ? 'Payments returned by the bank' : 'Your credit', -closingCreditCents),
      sum('Closing balance', closingCents, true),
    ],
    note: closingCreditCents > 0 ? HOW_TO_USE_CREDIT : '',
  };
}

const HOW_TO_USE_CREDIT = 'Credit is never applied automatically. Tell us which invoices it should pay, or ask us for a refund.';

const balanceRow = (description: string, date: string, cents: number, currency: string): Row => ({
  date: formatShortDay(date),
  description,
  amount: '',
  balance: formatMoney(cents, currency),
  strong: true,
});

/** The shares of a payment are below its whole amount. */
function toRow({ entry, shares }: EntryLine, currency: string): Row {
  const shareLines = shares.map((share) => `${share.invoiceNumber ?? 'Credit'}: ${formatMoney(share.amountCents, currency)}`);
  return {
    date: formatShortDay(entry.bookedOn),
    description: [describeEntry(entry, shares.length > 0), ...shareLines].join('\n'),
    amount: formatMoney(entry.amountCents, currency),
    balance: formatMoney(entry.balanceCents, currency),
    strong: false,
  };
}

function describeEntry(entry: PresentedEntry, hasShares = false): string {
  const words = [entryName(entry), ...(hasShares ? [] : entryReferences(entry))].join(' ');
  // The date of the row is that of recording.
  const moved = [
    ['received', entry.receivedOn],
    ['sent', entry.refundedOn],
  ] as const;
  const days = moved.map(([verb, day]) => (day === null || day === entry.bookedOn ? null : `${verb} ${formatShortDay(day)}`));
  // Only the studio sees the reason of a reversal. The reversal of a payment has the payment's reference.
  const isReason = entry.type === 'reversal' && (entry.refundId !== null || entry.creditNoteNumber !== null);
  return [words, ...days, isReason ? null : entry.reference].filter(isNonEmpty).join(' · ');
}

const ENTRY_NAMES: Readonly<Record<Exclude<EntryType, 'reversal'>, string>> = {
  invoice: 'Invoice',
  void: 'Void of invoice',
  payment: 'Payment',
  credit_note: 'Credit note',
  refund: 'Refund',
};

function entryName({ type, creditNoteNumber, refundId }: PresentedEntry): string {
  if (type !== 'reversal') return ENTRY_NAMES[type];
  const reversed = creditNoteNumber !== null ? 'credit_note' : refundId !== null ? 'refund' : 'payment';
  return `${ENTRY_NAMES[reversed]} reversed`;
}

/**
 * The numbers of the documents that the account has received. Ids of payments and refunds are omitted, because only the studio uses them.
 */
function entryReferences({ type, amountCents, creditCents, invoiceNumber, creditNoteNumber }: PresentedEntry): string[] {
  if (type === 'invoice' || type === 'void') return [invoiceNumber].filter(isNonEmpty);
  const isPayment = type === 'payment';
  return [
    isPayment && invoiceNumber === null ? 'held as credit' : null,
    isPayment && amountCents === 0 && creditCents !== 0 ? 'from credit' : null,
    creditNoteNumber,
    invoiceNumber === null ? null : `for ${invoiceNumber}`,
  ].filter(isNonEmpty);
}
