import type { PrintedCreditNote, PrintedInvoice } from '../db/repositories/printed';
import type { SellerRow } from '../db/rows';
import { formatAbn } from '../domain/abn';
import { figuresOf, standingOf } from '../domain/ledger';
import { lineDetail, type NameOf } from './making';
import type { Draft } from './press';
import { dayIn, money } from './wording';

interface Sum {
  name: string;
  amount: string;
  strong: boolean;
}

/** What was billed: a tax invoice, with what the studio said of itself on the day it was issued; of a test order none (ruling 64). */
export function invoice(bill: PrintedInvoice, nameOf: NameOf, methodName: string | null, timeZone: string): Draft {
  const { seller, currency } = bill;
  const due = dayIn(timeZone, bill.due_at);
  const asks = bill.environment === 'live' && bill.voided_at === null;
  const isOpen = asks && standingOf(figuresOf(bill)).outstandingCents > 0;
  return {
    template: 'invoice',
    data: {
      ...headOf(bill, bill.invoice_number, { test: 'Test invoice', plain: 'Invoice', full: 'Tax invoice' }),
      notices: noticesOf(bill),
      facts: [
        [
          ['Order', bill.order_number],
          ['Issued', dayIn(timeZone, bill.issued_at)],
        ],
        [...(asks ? [['Due', due]] : []), ['Amounts in', currency]],
      ],
      lines: bill.lines.map((line, at) => ({
        product: line.productName,
        detail: lineDetail(at, bill.jobs[at]?.selections, nameOf),
        reference: line.externalReference ?? '',
        quantity: String(line.quantity),
        each: money(line.unitPriceCents, currency),
        amount: money(line.amountCents, currency),
      })),
      reason: null,
      sums: sumsOf(bill, methodName),
      sumNote: gstNote(bill.gst_cents, currency),
      bank: isOpen ? (seller?.bank ?? null) : null,
      quote: `Please quote ${bill.invoice_number}. Due on ${due}.`,
    },
  };
}

export function creditNote(note: PrintedCreditNote, timeZone: string): Draft {
  const { currency } = note;
  return {
    template: 'invoice',
    data: {
      ...headOf(note, note.credit_note_number, { test: 'Test credit note', plain: 'Credit note', full: 'Adjustment note' }),
      notices: [...reversalOf(note, timeZone), ...standingNotices(note)],
      facts: [
        [
          ['Invoice', note.invoice_number],
          ['Order', note.order_number],
        ],
        [
          ['Issued', dayIn(timeZone, note.created_at)],
          ['Amounts in', currency],
        ],
      ],
      lines: [],
      reason: note.reason,
      sums: [{ name: 'Credited', amount: money(note.amount_cents, currency), strong: true }],
      sumNote: gstNote(note.gst_cents, currency),
      bank: null,
      quote: null,
    },
  };
}

type Headed = Pick<PrintedInvoice, 'environment' | 'seller' | 'account_name' | 'account_email'>;

/** What a money document is called: of a test order, of a seller that is not known, of one that is. */
type Names = Record<'test' | 'plain' | 'full', string>;

function headOf({ environment, seller, account_name, account_email }: Headed, number: string, names: Names) {
  const heading = environment === 'test' ? names.test : seller === null ? names.plain : names.full;
  return {
    title: `${heading} ${number}`,
    footer: seller === null ? number : `${number} · ${seller.name} · ABN ${formatAbn(seller.abn)}`,
    isTest: environment === 'test',
    heading,
    number,
    seller: sellerOf(seller),
    buyer: [account_name, account_email],
  };
}

export const sellerOf = (seller: SellerRow | null) =>
  seller === null ? null : { name: seller.name, abn: formatAbn(seller.abn), address: [seller.address] };

const NO_SELLER = "The studio's name and ABN were not told when this was issued: it is no tax invoice.";

export const NOTHING_SOLD = 'Nothing was sold, and nothing is to be paid.';

/** What it is not: of a test order, or of a seller that is not known. */
function standingNotices({ seller, environment }: Headed): string[] {
  if (environment === 'test') return [`A test, and no tax invoice. ${NOTHING_SOLD}`];
  return seller === null ? [NO_SELLER] : [];
}

const reversalOf = ({ reversed_at, reversal_reason }: PrintedCreditNote, timeZone: string): string[] =>
  reversed_at === null ? [] : [`Reversed on ${dayIn(timeZone, reversed_at)}: ${reversal_reason ?? ''}`];

const noticesOf = (bill: PrintedInvoice): string[] => [
  ...(bill.voided_at === null ? [] : ['Void: the order was cancelled.']),
  ...standingNotices(bill),
];

/** From the lines to what is due, adding up at each sum (rulings 27 and 53); a test order is asked for nothing. Zero rows are left out. */
function sumsOf(bill: PrintedInvoice, methodName: string | null): Sum[] {
  const { outstandingCents, creditCents } = standingOf(figuresOf(bill));
  const sum = bill.lines.reduce((total, { amountCents }) => total + amountCents, 0);
  const row = (name: string, cents: number, strong = false): Sum => ({ name, amount: money(cents, bill.currency), strong });
  const ifAny = (name: string, cents: number): Sum[] => (cents === 0 ? [] : [row(name, cents)]);
  return [
    ...ifAny('Up to the smallest order', bill.subtotal_cents - sum),
    row('Subtotal', bill.subtotal_cents),
    ...ifAny('Discount', -bill.discount_cents),
    row(methodName === null ? 'Shipping' : `Shipping: ${methodName}`, bill.shipping_cents),
    ...ifAny('Rush', bill.rush_fee_cents),
    row('Total', bill.amount_cents, true),
    ...ifAny('Paid', -bill.paid_cents),
    ...ifAny('Credited', -bill.credited_cents),
    ...ifAny('Void', -bill.voided_cents),
    ...ifAny('Moved to your credit', creditCents),
    ...(bill.environment === 'test' ? [] : [row('To be paid', outstandingCents, true)]),
  ];
}

const gstNote = (cents: number, currency: string): string =>
  cents === 0 ? 'No GST is contained.' : `GST of ${money(cents, currency)} is contained.`;
