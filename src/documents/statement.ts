import type { SellerRow } from '../db/rows';
import { MAX_STATEMENT_INVOICES, type EntryType } from '../domain/ledger';
import type { PresentedStatement } from '../presenters/statement';
import { NOTHING_SOLD, sellerOf } from './invoice';
import type { Draft } from './press';
import { day, dayIn, isGiven, money, shortDay, shortDayIn } from './wording';

interface PrintedStatement {
  statement: PresentedStatement;
  email: string;
  /** What the studio says of itself at present; null where it has said nothing. */
  studio: SellerRow | null;
  timeZone: string;
  printedAt: Date;
}

type Entry = PresentedStatement['entries'][number];
interface Row {
  date: string;
  what: string;
  amount: string;
  balance: string;
  strong: boolean;
}

/**
 * What one document may hold, so that it is set within the press's time and memory: a row takes 75 kB and 0.3 ms there, and each open
 * invoice is a row. Letters that the first typeface lacks are looked for in twenty others, which takes 0.2 ms each.
 */
const MAX_PRINTED_ROWS = 4_000;
export const MAX_PRINTED_ENTRIES = MAX_PRINTED_ROWS - MAX_STATEMENT_INVOICES;
export const MAX_PRINTED_LETTERS = 400_000;
const OTHER_SCRIPT = /[^\u0000-\u052f\u2000-\u203f]/gu;
const OTHER_SCRIPT_WEIGHT = 10;

/** Where in the entries those begin that one document does not hold; -1 where it holds all. */
export function firstUnprintable(entries: readonly Entry[]): number {
  let letters = 0;
  return entries.findIndex((entry, at) => (letters += weightOf(wordsOf(entry))) > MAX_PRINTED_LETTERS || at >= MAX_PRINTED_ENTRIES);
}

const weightOf = (words: string): number => words.length + (OTHER_SCRIPT_WEIGHT - 1) * (words.match(OTHER_SCRIPT)?.length ?? 0);

/** An account's ledger over some days, from what was owed to what is (ruling 52). */
export function printedStatement({ statement, email, studio, timeZone, printedAt }: PrintedStatement): Draft {
  const { currency, from, to, entries, openingCents, closingCents, closingOutstandingCents } = statement;
  const period = `${day(from)} to ${day(to)}`;
  const isTest = statement.environment === 'test';
  const heading = isTest ? 'Test statement' : 'Statement';
  return {
    template: 'statement',
    data: {
      title: `${heading} ${period}`,
      footer: `${statement.accountName} · ${period}`,
      isTest,
      heading,
      notices: isTest ? [`A test. ${NOTHING_SOLD}`] : [],
      period,
      seller: sellerOf(studio),
      buyer: [statement.accountName, email],
      facts: [
        [
          ['Opening balance', money(openingCents, currency)],
          ['Closing balance', money(closingCents, currency)],
          ...(isTest ? [] : [['To be paid', money(closingOutstandingCents, currency)]]),
        ],
        [
          ['Printed', dayIn(timeZone, printedAt)],
          ['Amounts in', currency],
        ],
      ],
      entries: [
        balanceRow('Opening balance', from, openingCents, currency),
        ...entries.map((entry) => rowOf(entry, currency)),
        balanceRow('Closing balance', to, closingCents, currency),
      ],
      ...(isTest ? NOTHING_OPEN : openPart(statement, timeZone)),
      bank: isTest || (closingOutstandingCents === 0 && closingCents <= 0) ? null : (studio?.bank ?? null),
    },
  };
}

const NOTHING_OPEN = { open: [], sums: [], note: '' };

/** What was to be paid on each invoice after the last day, and the credit, which is never applied automatically (ruling 53). */
function openPart(
  { currency, openInvoices, closingCents, closingOutstandingCents, closingCreditCents }: PresentedStatement,
  timeZone: string,
) {
  const listedCents = openInvoices.reduce((cents, { dueCents }) => cents + dueCents, 0);
  const sum = (name: string, cents: number, strong = false) => ({ name, amount: money(cents, currency), strong });
  const ifAny = (name: string, cents: number) => (cents === 0 ? [] : [sum(name, cents)]);
  return {
    open: openInvoices.map(({ invoiceNumber, orderNumber, issuedAt, dueDate, amountCents, dueCents }) => ({
      invoice: invoiceNumber,
      order: orderNumber,
      issued: shortDayIn(timeZone, new Date(issuedAt)),
      due: shortDay(dueDate),
      amount: money(amountCents, currency),
      toPay: money(dueCents, currency),
    })),
    sums: [
      ...ifAny(`Further invoices, after these ${openInvoices.length}`, closingOutstandingCents - listedCents),
      sum('To be paid', closingOutstandingCents, true),
      ...ifAny(closingCreditCents < 0 ? 'Payments returned by the bank' : 'Your credit', -closingCreditCents),
      sum('Closing balance', closingCents, true),
    ],
    note: closingCreditCents > 0 ? HOW_TO_USE_CREDIT : '',
  };
}

const HOW_TO_USE_CREDIT =
  'Credit is never applied automatically. Tell us which invoices it should pay before you pay the rest, or ask us to pay it back.';

const balanceRow = (what: string, date: string, cents: number, currency: string): Row => ({
  date: shortDay(date),
  what,
  amount: '',
  balance: money(cents, currency),
  strong: true,
});

function rowOf(entry: Entry, currency: string): Row {
  return {
    date: shortDay(entry.bookedOn),
    what: wordsOf(entry),
    amount: money(entry.amountCents, currency),
    balance: money(entry.balanceCents, currency),
    strong: false,
  };
}

const wordsOf = (entry: Entry): string =>
  [nameOf(entry), ...aboutOf(entry)].join(' ') + (isGiven(entry.reference) ? ` · ${entry.reference}` : '');

const NAMES: Readonly<Record<Exclude<EntryType, 'reversal'>, string>> = {
  invoice: 'Invoice',
  void: 'Void of invoice',
  payment: 'Payment',
  credit_note: 'Credit note',
  refund: 'Refund',
};

function nameOf({ type, creditNoteNumber, refundId }: Entry): string {
  if (type !== 'reversal') return NAMES[type];
  const reversed = creditNoteNumber !== null ? 'credit_note' : refundId !== null ? 'refund' : 'payment';
  return `${NAMES[reversed]} reversed`;
}

/** Numbers of documents that the account has. Ids of payments and refunds are the studio's own, and many are generated. */
function aboutOf({ type, amountCents, creditCents, invoiceNumber, creditNoteNumber }: Entry): string[] {
  if (type === 'invoice' || type === 'void') return [invoiceNumber].filter(isGiven);
  const isPayment = type === 'payment';
  return [
    isPayment && invoiceNumber === null ? 'kept as credit' : null,
    isPayment && amountCents === 0 && creditCents !== 0 ? 'from credit' : null,
    creditNoteNumber,
    invoiceNumber === null ? null : `for ${invoiceNumber}`,
  ].filter(isGiven);
}
