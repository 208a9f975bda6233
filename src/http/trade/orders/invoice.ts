import { findInvoice } from '../../../db/repositories/invoices';
import { notFoundError } from '../../../domain/errors';
import { INVOICE_STATES } from '../../../domain/ledger';
import { presentOwnInvoice } from '../../../presenters/invoices';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { CURRENCY, environmentSchema } from '../../openapi/resources';
import { respondWithInvoicePdf, PDF_RESPONSE } from '../../pdf';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { loadOrder } from './orders';

const INVOICE = json.resource<ReturnType<typeof presentOwnInvoice>>('OwnInvoice', {
  invoiceNumber: [json.string('what to quote with the payment: `INV-…`, `TINV-…` for test orders'), 'TINV-1041'],
  orderId: [json.id('ord', 'the order that it bills'), ORDER_EXAMPLE.orderId],
  orderNumber: [json.string('its number'), ORDER_EXAMPLE.orderNumber],
  environment: [environmentSchema, 'test'],
  state: [
    json.openEnum(
      INVOICE_STATES,
      'the first that fits: void, credited (by credit notes alone), paid, part_paid (or partly credited), open',
    ),
    'open',
  ],
  currency: [CURRENCY, 'AUD'],
  amountCents: [json.cents("the order's total"), 8425],
  gstCents: [json.cents('tax contained in the amount'), 766],
  paidCents: [json.cents('payments that stand'), 0],
  creditedCents: [json.cents('credit notes that stand'), 0],
  dueCents: [json.cents('what is still to be paid'), 8425],
  issuedAt: [json.time('when the order was placed'), ORDER_EXAMPLE.createdAt],
  dueDate: [json.date("the studio's calendar date, as the invoice prints it"), '2026-04-01'],
  overdue: [json.boolean('something is to be paid, and `dueDate` has passed'), false],
  voidedAt: json.nullable(json.time('when the order was cancelled')),
});

export const ORDER_INVOICE_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/orders/:id/invoice',
    scope: 'orders:read',
    perMinute: 120,
    id: 'getOrderInvoice',
    summary: "An order's invoice: number, state, due date and amounts",
    response: INVOICE,
    handler: getInvoice,
  },
  {
    method: 'GET',
    path: '/orders/:id/invoice.pdf',
    scope: 'orders:read',
    perMinute: 120,
    isSlow: true,
    ...PDF_RESPONSE,
    id: 'printOrderInvoice',
    summary: "An order's tax invoice, as PDF",
    description:
      'With the name, ABN and bank account that the studio had on the day it was issued. Of a test order it is no tax invoice, and asks for no money.',
    handler: getPdf,
  },
];

/** Ruling 64. */
async function getInvoice(request: TradeRequest): Promise<HandlerResponse> {
  const { id: orderId } = await loadOrder(request);
  const { database, pricingTerms, clock } = request.deps;
  const invoice = await findInvoice(database, { orderId });
  if (invoice === null) throw notFoundError('invoice');
  return { data: presentOwnInvoice(invoice, await pricingTerms.studioDay(database, clock.now())) };
}

async function getPdf(request: TradeRequest): Promise<HandlerResponse> {
  const { id: orderId } = await loadOrder(request);
  return respondWithInvoicePdf(request, { orderId });
}
