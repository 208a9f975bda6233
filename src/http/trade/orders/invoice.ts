import { findInvoice } from '../../../db/repositories/invoices';
import { findOrder } from '../../../db/repositories/orders';
import { findEffectiveVersion } from '../../../db/repositories/price-book-reader';
import { studioDayOf } from '../../../db/repositories/studio-calendar';
import { notFoundError } from '../../../domain/errors';
import { INVOICE_STATES } from '../../../domain/ledger';
import { presentOwnInvoice } from '../../../presenters/invoices';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { BUYER, CURRENCY, environmentSchema } from '../../openapi/resources';
import { pathId, requireFound } from '../../path-id';
import { respondWithInvoicePdf, PDF_RESPONSE } from '../../pdf';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { loadOrder } from './orders';

const INVOICE = json.resource<ReturnType<typeof presentOwnInvoice>>('OwnInvoice', {
  invoiceNumber: [json.string('the number for the payment reference: `INV-…`, or `TINV-…` for test orders'), 'TINV-1041'],
  orderId: [json.id('ord', 'the invoiced order'), ORDER_EXAMPLE.orderId],
  orderNumber: [json.string('its number'), ORDER_EXAMPLE.orderNumber],
  reference: [json.nullable(json.string("the order's reference")), ORDER_EXAMPLE.reference],
  environment: [environmentSchema, 'test'],
  state: [
    json.openEnum(
      INVOICE_STATES,
      'the first that applies: void, credited (by credit notes alone), paid, part_paid (or partly credited), open',
    ),
    'open',
  ],
  currency: [CURRENCY, 'AUD'],
  amountCents: [json.cents("the order's total"), 8425],
  gstCents: [json.cents('the tax contained in the amount'), 766],
  paidCents: [json.cents('the amount of payments that are not reversed'), 0],
  creditedCents: [json.cents('the amount of credit notes that are not reversed'), 0],
  dueCents: [json.cents('the unpaid amount'), 8425],
  issuedAt: [json.time('the time of the order'), ORDER_EXAMPLE.createdAt],
  dueDate: [json.date("the date on the studio's calendar, as printed"), '2026-04-01'],
  overdue: [json.boolean('whether an amount is unpaid and `dueDate` has passed'), false],
  voidedAt: json.nullable(json.time('the time of the cancellation')),
  buyer: BUYER,
});

export const ORDER_INVOICE_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/orders/:id/invoice',
    scope: 'orders:read',
    perMinute: 120,
    id: 'getOrderInvoice',
    summary: 'Retrieve the invoice of an order',
    response: INVOICE,
    handler: getInvoice,
  },
  {
    method: 'GET',
    path: '/orders/:id/invoice.pdf',
    scope: 'orders:read',
    perMinute: 120,
    queue: 'slow',
    ...PDF_RESPONSE,
    id: 'printOrderInvoice',
    summary: 'Download the tax invoice as PDF',
    description:
      'The invoice shows the name, ABN and bank account that the studio had on the day of issue. For a test order it is not a tax invoice and asks for no money.',
    handler: getPdf,
  },
];

async function getInvoice(request: TradeRequest): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const orderId = pathId(request, 'ord');
  const now = deps.clock.now();
  const [order, invoice, version] = await deps.database.snapshot((sql) =>
    Promise.all([
      findOrder(sql, caller.accountId, caller.environment, orderId),
      findInvoice(sql, { orderId }),
      findEffectiveVersion(sql, now),
    ]),
  );
  requireFound(request, 'ord', order);
  if (invoice === null) throw notFoundError('invoice');
  const book = version === null ? null : await deps.priceBooks.read(deps.database, version);
  return { data: presentOwnInvoice(invoice, studioDayOf(book, now)) };
}

async function getPdf(request: TradeRequest): Promise<HandlerResponse> {
  const { id: orderId } = await loadOrder(request);
  return respondWithInvoicePdf(request, { orderId });
}
