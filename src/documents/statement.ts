import type { SellerRow } from '../db/rows';
import type { EntryType } from '../domain/ledger';
import type { PresentedStatement } from '../presenters/statement';
import { NOTHING_SOLD, sellerOf } from './invoice';
import type { Draft } from './press';
import { day, dayIn, isGiven, money, shortDay } from './wording';

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
 * What one document may hold, so that it is set within the press's time and memory: an entry takes 75 kB and 0.3 ms there. Letters that
 * the first typeface lacks are looked for in twenty others, which takes 0.2 ms each.
 */
export const MAX_PRINTED_ENTRIES = 4_000;
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
  const { currency, from, to, entries, openingCents, closingCents } = statement;
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
      note: closingCents < 0 ? 'A balance below zero is credit of the account.' : '',
      bank: closingCents > 0 && !isTest ? (studio?.bank ?? null) : null,
    },
  };
}

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

const wordsOf = (entry: Entry): string => [`${nameOf(entry)} ${numberOf(entry)}`.trim(), entry.reference].filter(isGiven).join(' · ');

function nameOf({ type, creditNoteNumber, refundId }: Entry): string {
  if (type !== 'reversal') return NAMES[type];
  return creditNoteNumber !== null ? 'Credit note reversed' : refundId !== null ? 'Refund reversed' : NAMES.reversal;
}

const NAMES: Readonly<Record<EntryType, string>> = {
  invoice: 'Invoice',
  void: 'Void of invoice',
  payment: 'Payment',
  reversal: 'Payment reversed',
  credit_note: 'Credit note',
  refund: 'Refund',
};

function numberOf({ type, invoiceNumber, creditNoteNumber, paymentId, refundId }: Entry): string {
  if (type === 'invoice' || type === 'void') return invoiceNumber ?? '';
  const number = creditNoteNumber ?? refundId ?? paymentId;
  return [number, invoiceNumber === null ? null : `for ${invoiceNumber}`].filter(isGiven).join(' ');
}
