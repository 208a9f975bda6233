import { listPayments, sumPayments } from '../../db/repositories/payments';
import { hasRecord } from '../../db/repositories/studio-orders';
import { PAYMENT_FIELDS, type NewPayment } from '../../domain/order-messages/payment-recorded';
import { EXISTING_PAYMENT_ID, PAYMENT_REVERSAL_FIELDS } from '../../domain/order-messages/payment-reversed';
import { PAYMENT_SOURCES } from '../../domain/account-payment';
import { PAYMENT_CSV } from '../../presenters/csv-columns';
import { presentPaymentRow } from '../../presenters/order-records';
import { ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import type { Filters } from '../filters';
import { type BodyOf, bodySchema, oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, INVOICE_NUMBER } from './support/examples';
import { messageFields } from './support/fields';
import { moneyTotals, presentMoneyTotals } from './support/money-totals';
import { studioCurrency } from './support/book-in-force';
import { defineList } from './support/lists';
import { MONEY_FILTERS, RECORDED_FROM_FILTER, toMoneyFilter } from './support/query-filters';
import { sendOrderMessage } from './support/order-messages';
import { CURRENCY, ENVIRONMENT } from './support/resources';
import { PAYMENT_FIELDS as PAYMENT } from './support/invoice-resources';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const paymentRequest = bodySchema(messageFields<NewPayment>(PAYMENT_FIELDS));

/** The reversal of a payment on an order or on account. */
export const paymentReversalRequest = bodySchema(messageFields<{ reason: string }>(PAYMENT_REVERSAL_FIELDS));

export type PaymentReversalRequest = BodyOf<typeof paymentReversalRequest>;

export const PAYMENT_REVERSAL_EXAMPLE: PaymentReversalRequest = { reason: 'the bank returned it: account closed' };

const PAYMENT_FILTERS = {
  ...MONEY_FILTERS,
  ...RECORDED_FROM_FILTER,
  source: oneOfField(PAYMENT_SOURCES).description('`money`: only payments from the bank; `credit`: only payments from credit'),
} as const;

const PAYMENT_ROW = json.resource<ReturnType<typeof presentPaymentRow>>('PaymentRow', {
  ...PAYMENT,
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  environment: [ENVIRONMENT, 'live'],
  source: [json.openEnum(PAYMENT_SOURCES, '`money` came through the bank; `credit` did not'), 'money'],
  currency: [CURRENCY, 'AUD'],
  orderId: [json.nullable(json.id('ord', 'null for a payment on account')), ORDER_EXAMPLE.orderId],
  orderNumber: [json.nullable(json.string('null for a payment on account')), ORDER_EXAMPLE.orderNumber],
  invoiceNumber: [json.nullable(json.string('null for a payment on account')), INVOICE_NUMBER],
  createdAt: [json.time('the time of recording'), EXAMPLE_TIME],
});

export const PAYMENTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/payments',
    role: 'office',
    body: paymentRequest,
    id: 'recordPayment',
    summary: 'Record a payment for an order',
    description: 'Repeating the request with the same `paymentId` is safe.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { paymentId: 'bank-2026-03-05/7', amountCents: 8425, reference: 'Harbour Gallery March' },
    handler: (request: StudioRequest<BodyOf<typeof paymentRequest>>) =>
      sendOrderMessage(request, { ...request.body, type: 'payment_recorded' }),
  },
  {
    method: 'POST',
    path: '/orders/:id/payments/:paymentId/reverse',
    role: 'office',
    body: paymentReversalRequest,
    id: 'reversePayment',
    summary: 'Reverse a payment',
    description:
      'On a cancelled order this removes the credit that the payment became. If that credit has been used, the credit becomes negative: the account owes it. Repeating the request with the same `reason` is safe.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: PAYMENT_REVERSAL_EXAMPLE,
    handler: postPaymentReversal,
  },
  ...defineList({
    path: '/payments',
    role: 'office',
    filters: PAYMENT_FILTERS,
    id: 'listPayments',
    summary: 'List payments',
    description:
      'Lists payments of all accounts by the time of receipt, the newest first, of the live environment unless `environment` is `test`. It contains payments of single orders and payments on account, each once. `from` and `to` are days of receipt. Reversed payments are listed with their time.',
    entry: PAYMENT_ROW,
    list: async (request) => {
      const { database } = request.deps;
      const currency = await studioCurrency(request);
      return {
        find: async (filters, page) => listPayments(database, await toPaymentFilter(request, filters), page),
        cursorOf: ({ received_at, place }) => ({ createdAt: received_at, id: place }),
        present: (payment) => presentPaymentRow(payment, currency),
      };
    },
    csv: { id: 'exportPayments', summary: 'Export payments as CSV', columns: PAYMENT_CSV },
    totals: {
      id: 'sumPayments',
      summary: 'Sum payments',
      description: 'Counts and sums the payments that the list has with the same filters.',
      response: moneyTotals('PaymentTotals', { money: 'payments from the bank', credit: 'payments from credit' }),
      find: async (request, filters) => {
        const filter = await toPaymentFilter(request, filters);
        return presentMoneyTotals(filter.environment, await sumPayments(request.deps.database, filter));
      },
    },
  }),
];

const toPaymentFilter = async (request: StudioRequest, { source, ...filters }: Filters<typeof PAYMENT_FILTERS>) => ({
  ...(await toMoneyFilter(request, filters)),
  source: source ?? null,
});

function postPaymentReversal(request: StudioRequest<PaymentReversalRequest>): Promise<HandlerResponse> {
  const paymentId = request.params.paymentId ?? '';
  return sendOrderMessage(
    request,
    { ...request.body, type: 'payment_reversed', paymentId },
    async (orderId) => EXISTING_PAYMENT_ID.issue(paymentId) === null && hasRecord(request.deps.database, 'payments', orderId, paymentId),
  );
}
