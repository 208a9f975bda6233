import { listPayments } from '../../db/repositories/payments';
import { hasPayment } from '../../db/repositories/studio-orders';
import { PAYMENT_FIELDS, type NewPayment } from '../../domain/order-messages/payment-recorded';
import { EXISTING_PAYMENT_ID } from '../../domain/order-messages/payment-reversed';
import { PAYMENT_SOURCES } from '../../domain/account-payment';
import { PAYMENT_CSV } from '../../presenters/csv-columns';
import { presentPaymentRow } from '../../presenters/order-records';
import { ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { type BodyOf, bodySchema } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, INVOICE_NUMBER } from './support/examples';
import { dayOrTimestampField, messageFields } from './support/fields';
import { studioCurrency } from './support/book-in-force';
import { defineList } from './support/lists';
import { MONEY_FILTERS, resolveTimeRange, toMoneyFilter } from './support/query-filters';
import { sendOrderMessage } from './support/order-messages';
import { CURRENCY, ENVIRONMENT } from './support/resources';
import { PAYMENT_FIELDS as PAYMENT } from './support/invoice-resources';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const paymentRequest = bodySchema(messageFields<NewPayment>(PAYMENT_FIELDS));

const PAYMENT_FILTERS = {
  ...MONEY_FILTERS,
  recordedFrom: dayOrTimestampField().description(
    "only payments recorded then or later, whenever they were received: a time, or the beginning of a day on the studio's calendar",
  ),
} as const;

type PresentedPaymentRow = ReturnType<typeof presentPaymentRow>;

const PAYMENT_ROW = json.resource<PresentedPaymentRow>('PaymentRow', {
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
    method: 'DELETE',
    path: '/orders/:id/payments/:paymentId',
    role: 'office',
    id: 'reversePayment',
    summary: 'Reverse a payment',
    description:
      'On a cancelled order this removes the credit that the payment became. If that credit has been used, the credit becomes negative: the account owes it.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    handler: deletePayment,
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
        find: async ({ recordedFrom, ...filters }, page) => {
          const { from } = await resolveTimeRange(request, recordedFrom === undefined ? {} : { from: recordedFrom });
          return listPayments(database, { ...(await toMoneyFilter(request, filters)), ...(from && { recordedFrom: from }) }, page);
        },
        cursorOf: ({ received_at, place }) => ({ createdAt: received_at, id: place }),
        present: (payment) => presentPaymentRow(payment, currency),
      };
    },
    csv: { id: 'exportPayments', summary: 'Export payments as CSV', columns: PAYMENT_CSV },
  }),
];

function deletePayment(request: StudioRequest): Promise<HandlerResponse> {
  const paymentId = request.params.paymentId ?? '';
  return sendOrderMessage(
    request,
    { type: 'payment_reversed', paymentId },
    async (orderId) => EXISTING_PAYMENT_ID.issue(paymentId) === null && hasPayment(request.deps.database, orderId, paymentId),
  );
}
