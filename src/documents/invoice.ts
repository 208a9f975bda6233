import type { CreditNoteDocumentRow, InvoiceDocumentRow } from '../db/repositories/invoice-documents';
import type { SellerRow } from '../db/rows';
import { formatAbn } from '../domain/abn';
import { buyerLines, type Buyer } from '../domain/account-record';
import { toInvoiceFigures, balancesOfInvoice } from '../domain/ledger';
import { lineDetail, type NameLookup } from './line-facts';
import type { PdfContent } from './pdf-renderer';
import { formatDayIn, formatMoney } from './formatting';

interface Sum {
  name: string;
  amount: string;
  strong: boolean;
}

/** A tax invoice with the seller's details at the time of issue. Test orders get a test invoice, which is no tax invoice. */
export function createInvoiceContent(
  bill: InvoiceDocumentRow,
  nameOf: NameLookup,
  methodName: string | null,
  timeZone: string,
): PdfContent {
  const { seller, currency } = bill;
  const due = formatDayIn(timeZone, bill.due_at);
  const isPayable = bill.environment === 'live' && bill.voided_at === null;
  const isOpen = isPayable && balancesOfInvoice(toInvoiceFigures(bill)).outstandingCents > 0;
  return {
    template: 'invoice',
    data: {
      ...createHead(bill, bill.invoice_number, { test: 'Test invoice', withoutSeller: 'Invoice', withSeller: 'Tax invoice' }),
      notices: noticesOf(bill),
      facts: [
        [
          ['Order', bill.order_number],
          ...(bill.reference === null ? [] : [['Your reference', bill.reference]]),
          ['Issued', formatDayIn(timeZone, bill.issued_at)],
        ],
        [...(isPayable ? [['Due', due]] : []), ['Amounts in', currency]],
      ],
      lines: bill.lines.map((line, at) => ({
        product: line.productName,
        detail: lineDetail(at, bill.jobs[at]?.selections, nameOf),
        reference: line.externalReference ?? '',
        quantity: String(line.quantity),
        each: formatMoney(line.unitPriceCents, currency),
        amount: formatMoney(line.amountCents, currency),
      })),
      reason: null,
      sums: createSums(bill, methodName),
      sumNote: gstNote(bill.gst_cents, currency),
      bank: isOpen ? (seller?.bank ?? null) : null,
      paymentReference: `Please quote invoice number ${bill.invoice_number}. Due on ${due}.`,
    },
  };
}

export function createCreditNoteContent(note: CreditNoteDocumentRow, timeZone: string): PdfContent {
  const { currency } = note;
  return {
    template: 'invoice',
    data: {
      ...createHead(note, note.credit_note_number, {
        test: 'Test credit note',
        withoutSeller: 'Credit note',
        withSeller: 'Adjustment note',
      }),
      notices: [...reversalNotices(note, timeZone), ...taxNotices(note)],
      facts: [
        [
          ['Invoice', note.invoice_number],
          ['Order', note.order_number],
        ],
        [
          ['Issued', formatDayIn(timeZone, note.created_at)],
          ['Amounts in', currency],
        ],
      ],
      lines: [],
      reason: note.reason,
      sums: [{ name: 'Credited', amount: formatMoney(note.amount_cents, currency), strong: true }],
      sumNote: gstNote(note.gst_cents, currency),
      bank: null,
      paymentReference: null,
    },
  };
}

type HeadSource = Pick<InvoiceDocumentRow, 'environment' | 'seller' | 'buyer'>;

/** Titles for test orders, and for live orders without and with the seller's details. */
type HeadingNames = Record<'test' | 'withoutSeller' | 'withSeller', string>;

function createHead({ environment, seller, buyer }: HeadSource, number: string, names: HeadingNames) {
  const heading = environment === 'test' ? names.test : seller === null ? names.withoutSeller : names.withSeller;
  return {
    title: `${heading} ${number}`,
    footer: seller === null ? number : `${number} · ${seller.name} · ABN ${formatAbn(seller.abn)}`,
    isTest: environment === 'test',
    heading,
    number,
    seller: sellerOf(seller),
    buyer: printedBuyer(buyer),
  };
}

/** The lines below "To". */
export const printedBuyer = (buyer: Buyer): string[] => [
  ...buyerLines(buyer),
  ...(buyer.abn === null ? [] : [`ABN ${formatAbn(buyer.abn)}`]),
  buyer.email,
];

export const sellerOf = (seller: SellerRow | null) =>
  seller === null ? null : { name: seller.name, abn: formatAbn(seller.abn), address: [seller.address] };

const NO_SELLER_NOTICE = "The studio's name and ABN were not on record when this was issued. This is not a tax invoice.";

export const NOTHING_SOLD = 'Nothing was sold and no payment is required.';

/** Returns a notice if the document is not a tax invoice, because it is a test or because the seller is unknown. */
function taxNotices({ seller, environment }: HeadSource): string[] {
  if (environment === 'test') return [`This is a test, not a tax invoice. ${NOTHING_SOLD}`];
  return seller === null ? [NO_SELLER_NOTICE] : [];
}

const reversalNotices = ({ reversed_at: at }: CreditNoteDocumentRow, timeZone: string): string[] =>
  at === null ? [] : [`Reversed on ${formatDayIn(timeZone, at)}.`];

const noticesOf = (bill: InvoiceDocumentRow): string[] => [
  ...(bill.voided_at === null ? [] : ['Void: the order was cancelled.']),
  ...taxNotices(bill),
];

/**
 * Lists the amounts from the subtotal to the amount due. Subtotal, total and amount due each equal the sum of the rows above. Test invoices
 * have no amount due. Amounts of zero are omitted.
 */
function createSums(bill: InvoiceDocumentRow, methodName: string | null): Sum[] {
  const { outstandingCents, creditCents } = balancesOfInvoice(toInvoiceFigures(bill));
  const sum = bill.lines.reduce((total, { amountCents }) => total + amountCents, 0);
  const row = (name: string, cents: number, strong = false): Sum => ({ name, amount: formatMoney(cents, bill.currency), strong });
  const rowUnlessZero = (name: string, cents: number): Sum[] => (cents === 0 ? [] : [row(name, cents)]);
  return [
    ...rowUnlessZero('Minimum order surcharge', bill.subtotal_cents - sum),
    row('Subtotal', bill.subtotal_cents),
    ...rowUnlessZero('Discount', -bill.discount_cents),
    row(methodName === null ? 'Shipping' : `Shipping: ${methodName}`, bill.shipping_cents),
    ...rowUnlessZero('Rush', bill.rush_fee_cents),
    row('Total', bill.amount_cents, true),
    ...rowUnlessZero('Paid', -bill.paid_cents),
    ...rowUnlessZero('Credited', -bill.credited_cents),
    ...rowUnlessZero('Void', -bill.voided_cents),
    ...rowUnlessZero('Added to your credit', creditCents),
    ...(bill.environment === 'test' ? [] : [row('Amount due', outstandingCents, true)]),
  ];
}

const gstNote = (cents: number, currency: string): string =>
  cents === 0 ? 'No GST is included.' : `GST of ${formatMoney(cents, currency)} is included.`;
