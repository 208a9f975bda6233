import { INVOICE_STATES } from '../../../domain/ledger';
import type { presentInvoiceRow, presentInvoiceDetail } from '../../../presenters/invoices';
import type { presentInvoice, presentPayment } from '../../../presenters/order-records';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, EXAMPLE_DUE_TIME, INVOICE_ID, INVOICE_NUMBER } from './examples';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { BUYER } from '../../openapi/resources';
import { ENVIRONMENT, CURRENCY } from './resources';

const INVOICE_STATE_DESCRIPTION =
  'the first that applies: void, credited (by credit notes alone), paid, part_paid (or partly credited), open';

export const PAYMENT_FIELDS: json.Fields<ReturnType<typeof presentPayment>> = {
  paymentId: [json.string("the caller's id; the share of a payment on account has an id of the service"), 'bank-2026-03-05/7'],
  amountCents: [json.cents(), 5000],
  receivedAt: [json.time('the time at which the bank received the money'), EXAMPLE_TIME],
  reference: [json.nullable(json.string('the reference of the bank, or your own')), 'Harbour Gallery March'],
  reversedAt: json.nullable(json.time()),
  reversalReason: json.nullable(json.string()),
};

export const PAYMENT = json.resource<ReturnType<typeof presentPayment>>('Payment', PAYMENT_FIELDS);

export type InvoiceRow = ReturnType<typeof presentInvoiceRow>;

/** The invoice's number, order and account, in rows of lists. */
export const INVOICE_REFERENCE_FIELDS = {
  invoiceNumber: [json.string(), INVOICE_NUMBER],
  orderId: [json.id('ord'), ORDER_EXAMPLE.orderId],
  orderNumber: [json.string(), ORDER_EXAMPLE.orderNumber],
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  environment: [ENVIRONMENT, 'live'],
  currency: [CURRENCY, 'AUD'],
} satisfies Partial<json.Fields<InvoiceRow>>;

export const INVOICE_ROW_FIELDS: json.Fields<InvoiceRow> = {
  invoiceId: [json.id('inv'), INVOICE_ID],
  ...INVOICE_REFERENCE_FIELDS,
  reference: [json.nullable(json.string("the client's reference of the order")), ORDER_EXAMPLE.reference],
  amountCents: [json.cents('the total of the order'), 8425],
  gstCents: [json.cents('the GST in the part that is not void'), 766],
  paidCents: [json.cents('the amount of payments that are not reversed'), 5000],
  creditedCents: [json.cents('the amount of credit notes that are not reversed'), 0],
  voidedCents: [json.cents('the part that was neither paid nor credited when the invoice was voided; 0 before'), 0],
  voidedGstCents: [json.cents('the GST in `voidedCents`; with `gstCents` it is the GST at issue'), 0],
  dueCents: [json.cents('the part that is neither paid nor credited; 0 for a void invoice'), 3425],
  state: [json.openEnum(INVOICE_STATES, INVOICE_STATE_DESCRIPTION), 'part_paid'],
  overdue: [json.boolean('whether an amount is unpaid and `dueDate` has passed'), false],
  issuedAt: [json.time(), EXAMPLE_TIME],
  dueAt: [json.time('the due time: `issuedAt` plus the payment terms of the account'), EXAMPLE_DUE_TIME],
  dueDate: [json.date("the day of `dueAt` on the studio's calendar, as printed; the invoice is overdue from the next day"), '2026-04-01'],
  voidedAt: json.nullable(json.time('the time of the cancellation that voided the invoice')),
};

const { invoiceNumber, amountCents, paidCents, creditedCents, state, issuedAt, dueAt } = INVOICE_ROW_FIELDS;

/** The invoice of an order. */
export const INVOICE = json.resource<ReturnType<typeof presentInvoice>>('Invoice', {
  invoiceNumber,
  amountCents,
  gstCents: [json.cents('the GST in the amount'), 766],
  paidCents,
  creditedCents,
  state,
  issuedAt,
  dueAt,
});

type InvoiceDetail = ReturnType<typeof presentInvoiceDetail>;

type CreditNote = InvoiceDetail['creditNotes'][number];

export const CREDIT_NOTE_FIELDS: json.Fields<CreditNote> = {
  id: [json.id('crn', 'the id in the path of the PDF'), 'crn_7a1c'],
  creditNoteId: [json.string("the caller's id; `cancel` if a cancellation issued the credit note"), 'complaint-17'],
  creditNoteNumber: [json.string('the number on the document: `CN-…`'), 'CN-10003'],
  amountCents: [json.cents('the credited amount, including GST'), 1000],
  gstCents: [json.cents('the GST in the amount'), 91],
  reason: [json.string('the reason, printed on the credit note'), 'scratched frame'],
  createdAt: [json.time('the time of issue'), EXAMPLE_TIME],
  reversedAt: json.nullable(json.time()),
  reversalReason: json.nullable(json.string()),
};

export const CREDIT_NOTE = json.resource<CreditNote>('CreditNote', CREDIT_NOTE_FIELDS);

export const INVOICE_DETAIL = json.resource<InvoiceDetail>('WholeInvoice', {
  ...INVOICE_ROW_FIELDS,
  buyer: BUYER,
  payments: json.list(PAYMENT, 'the oldest first, reversed ones included'),
  creditNotes: [json.list(CREDIT_NOTE, 'the oldest first, reversed ones included'), []],
});
