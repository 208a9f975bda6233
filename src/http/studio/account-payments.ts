import Joi from 'joi';
import type { Sql } from '../../db/database';
import { findAccountPayment, listAccountPayments, findPaidShares } from '../../db/repositories/account-payments';
import type { AccountPaymentRow } from '../../db/rows';
import { MAX_MONEY_CENTS, MAX_REQUESTED_INVOICES, type RequestedShare, PAYMENT_SOURCES, toSharesById } from '../../domain/account-payment';
import { canonicalJson } from '../../domain/canonical-json';
import { notFoundError, throwIdReused, throwAlreadyReversed, validationError } from '../../domain/errors';
import { textIssue } from '../../domain/field-formats';
import { ENVIRONMENTS, LIMITS } from '../../domain/limits';
import { formatCents } from '../../domain/money';
import { readNumber } from '../../domain/order-number';
import { NEW_ID, readField } from '../../domain/order-messages/fields';
import { PAYMENT_FIELDS, type NewPayment } from '../../domain/order-messages/payment-recorded';
import { bankTransactionOf, resolvePayableInvoices, recordAccountPayment, reverseAccountPayment } from '../../orders/account-payments';
import { findOpenRepeated } from '../../orders/money-attention';
import { auditedAccountPayment, presentAccountPayment, presentAccountPaymentRow } from '../../presenters/accounts';
import { sha256 } from '../../security/fingerprint';
import { newId } from '../../security/ids';
import * as json from '../openapi/json';
import { messageField } from '../schemas/message-field';
import { type BodyOf, bodySchema, integerField, singleLineTextField, oneOfField, optional } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { requireAccountId } from './accounts/accounts';
import { ACCOUNT_ID, EXAMPLE_TIME, INVOICE_ID, INVOICE_NUMBER } from './support/examples';
import { PAYMENT_REVERSAL_EXAMPLE, paymentReversalRequest, type PaymentReversalRequest } from './payments';
import { messageFields } from './support/fields';
import { cursorByAge } from '../paging';
import { defineList } from './support/lists';
import { auditedOnAccount } from './support/audited';
import { ACCOUNT_LIST_FILTERS } from './support/query-filters';
import { ATTENTION } from './support/order-resources';
import { ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const { receivedAt: receivedAtField, reference: referenceField } = messageFields<NewPayment>(PAYMENT_FIELDS);

const amountCentsField = integerField(1, MAX_MONEY_CENTS);

const shareField = bodySchema({
  invoiceId: singleLineTextField(1, LIMITS.identifierLength).description('the id or number of the invoice'),
  amountCents: amountCentsField.description('the part of the payment for this invoice'),
});

export const accountPaymentRequest = bodySchema({
  paymentId: messageField(NEW_ID).description('an id of your choice for the payment'),
  environment: oneOfField(ENVIRONMENTS).description('the environment of the invoices'),
  source: optional(oneOfField(PAYMENT_SOURCES)).description('`money`, the default, or `credit`, which uses the credit of the account'),
  amountCents: amountCentsField.description('the complete amount in cents'),
  receivedAt: receivedAtField,
  reference: referenceField,
  invoices: optional(Joi.array<RequestedShare[]>().items(shareField).max(MAX_REQUESTED_INVOICES)).description(
    'the amount for each invoice. Without `invoices` the oldest invoices are paid first. An empty list pays none. The rest becomes credit.',
  ),
});

type AccountPaymentRequest = BodyOf<typeof accountPaymentRequest>;

export const refundRequest = bodySchema({
  refundId: messageField(NEW_ID).description('an id of your choice for the refund'),
  environment: oneOfField(ENVIRONMENTS).description('the environment of the credit'),
  amountCents: amountCentsField.description('the amount in cents'),
  refundedAt: receivedAtField.description('when the bank sent the money; the default is now'),
  reference: referenceField,
});

export type RefundRequest = BodyOf<typeof refundRequest>;

type ListedAccountPayment = ReturnType<typeof presentAccountPaymentRow>;

const ACCOUNT_PAYMENT_FIELDS: json.Fields<ListedAccountPayment> = {
  paymentId: [json.string('as it was sent'), 'bank-2026-03-05/8'],
  accountId: [json.id('acc'), ACCOUNT_ID],
  environment: [ENVIRONMENT, 'live'],
  source: [json.openEnum(PAYMENT_SOURCES, '`money` came through the bank; `credit` used the credit of the account'), 'money'],
  amountCents: [json.cents('the complete amount, including `unappliedCents`'), 20_000],
  unappliedCents: [json.cents('the part that paid no invoice and became credit of the account'), 1575],
  receivedAt: [json.time('the time at which the bank received the money'), EXAMPLE_TIME],
  reference: [json.nullable(json.string('the reference of the bank, or your own')), 'Harbour Gallery March'],
  createdAt: [json.time('the time of recording'), EXAMPLE_TIME],
  reversedAt: json.nullable(json.time()),
  reversalReason: json.nullable(json.string()),
  invoiceCount: [json.integer('the number of invoices that it paid'), 2],
};

const ACCOUNT_PAYMENT_ROW = json.resource<ListedAccountPayment>('AccountPaymentRow', ACCOUNT_PAYMENT_FIELDS);

type AccountPayment = ReturnType<typeof presentAccountPayment>;

const ACCOUNT_PAYMENT = json.resource<AccountPayment>('AccountPayment', {
  ...ACCOUNT_PAYMENT_FIELDS,
  attention: [json.list(ATTENTION, 'contains PAYMENT_REPEATED while the same bank transaction is also recorded on an order'), []],
  invoices: [
    json.list(
      json.object<AccountPayment['invoices'][number]>({
        invoiceId: json.id('inv'),
        invoiceNumber: json.string(),
        orderId: json.id('ord'),
        orderNumber: json.string(),
        amountCents: json.cents('the part of this payment'),
      }),
      'the invoices that it paid, oldest first',
    ),
    [
      { invoiceId: INVOICE_ID, invoiceNumber: INVOICE_NUMBER, orderId: 'ord_5c71', orderNumber: 'P-10041', amountCents: 8425 },
      { invoiceId: 'inv_77d0', invoiceNumber: 'INV-10042', orderId: 'ord_77d0', orderNumber: 'P-10042', amountCents: 10_000 },
    ],
  ],
});

export const ACCOUNT_PAYMENTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/accounts/:id/payments',
    role: 'office',
    body: accountPaymentRequest,
    id: 'recordAccountPayment',
    summary: 'Record a payment on account',
    description:
      'Spreads received money, or credit of the account, over invoices. Without `invoices` the oldest are paid first. The rest becomes credit, but a payment from credit must be used up. The service records the payment as a whole or not at all. Repeating the request with the same `paymentId` is safe.',
    response: ACCOUNT_PAYMENT,
    errorCodes: ['PAYMENT_REFUSED', 'PAYMENT_ID_REUSED', 'CREDIT_INSUFFICIENT'],
    requestExample: { paymentId: 'bank-2026-03-05/8', environment: 'live', amountCents: 20_000, reference: 'Harbour Gallery March' },
    handler: postAccountPayment,
  },
  ...defineList({
    path: '/accounts/:id/payments',
    role: 'office',
    filters: ACCOUNT_LIST_FILTERS,
    id: 'listAccountPayments',
    summary: 'List payments on account',
    description:
      'Lists the newest first, of both environments unless `environment` is sent. Payments that were recorded on a single order are not listed.',
    entry: ACCOUNT_PAYMENT_ROW,
    list: async (request) => {
      const accountId = await requireAccountId(request);
      return {
        find: ({ environment }, page) => listAccountPayments(request.deps.database, { accountId, environment: environment ?? null }, page),
        cursorOf: cursorByAge,
        present: presentAccountPaymentRow,
      };
    },
  }),
  {
    method: 'GET',
    path: '/accounts/:id/payments/:paymentId',
    role: 'office',
    id: 'getAccountPayment',
    summary: 'Retrieve a payment on account',
    response: ACCOUNT_PAYMENT,
    handler: getAccountPayment,
  },
  {
    method: 'POST',
    path: '/accounts/:id/payments/:paymentId/reverse',
    role: 'office',
    body: paymentReversalRequest,
    id: 'reverseAccountPayment',
    summary: 'Reverse a payment on account',
    description:
      'Reverses the payment for every invoice and takes its rest from the credit. If that credit has been used, the credit becomes negative: the account owes it. Repeating the request with the same `reason` is safe.',
    response: ACCOUNT_PAYMENT,
    errorCodes: ['PAYMENT_ID_REUSED'],
    requestExample: PAYMENT_REVERSAL_EXAMPLE,
    example: json.exampleWith(ACCOUNT_PAYMENT, { reversedAt: EXAMPLE_TIME, reversalReason: PAYMENT_REVERSAL_EXAMPLE.reason }),
    handler: postAccountPaymentReversal,
  },
];

/** A repeated request returns the current payment. */
async function postAccountPayment(request: StudioRequest<AccountPaymentRequest>): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const { source = 'money', receivedAt, reference, invoices: requested = null, ...fields } = request.body;
  const invoices =
    requested?.map((share) => ({ ...share, invoiceId: readNumber('invoice', share.invoiceId, fields.environment) ?? share.invoiceId })) ??
    null;
  const input = { source, ...readPayment({ receivedAt, reference }), invoices, ...fields };
  assertShareSum(input);
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const payable = await resolvePayableInvoices(sql, invoices);
    const digest = sha256(canonicalJson({ ...input, invoices: invoices === null ? null : toSharesById(invoices, payable) }));
    const existing = await findAccountPayment(sql, accountId, input.paymentId);
    if (existing !== null) return respondToRepeat(request, sql, existing, digest);
    const payment = await recordAccountPayment(deps, sql, { ...input, id: newId('apy'), accountId, digest, payable }, caller.name);
    await record({ action: 'account-payment.record', subject: accountId, before: null, after: auditedAccountPayment(payment) });
    return respondWithPayment(request, sql, payment);
  });
}

/** Normalizes the fields for comparison and storage. */
function readPayment({ receivedAt, reference }: Pick<AccountPaymentRequest, 'receivedAt' | 'reference'>) {
  return {
    receivedAt: readField(PAYMENT_FIELDS.receivedAt, receivedAt) as string | null,
    reference: readField(PAYMENT_FIELDS.reference, reference) as string | null,
  };
}

/** @throws ApiError PAYMENT_ID_REUSED; PAYMENT_REFUSED if the payment was reversed */
async function respondToRepeat(
  request: StudioRequest<unknown>,
  sql: Sql,
  existing: AccountPaymentRow,
  digest: string,
): Promise<HandlerResponse> {
  if (existing.digest !== digest) throwIdReused('payment', existing.payment_id);
  if (existing.reversed_at !== null) throwAlreadyReversed('payment', existing.payment_id);
  return respondWithPayment(request, sql, existing);
}

async function getAccountPayment(request: StudioRequest): Promise<HandlerResponse> {
  const { database } = request.deps;
  return respondWithPayment(request, database, await loadRequestedPayment(database, request, await requireAccountId(request)));
}

async function postAccountPaymentReversal(request: StudioRequest<PaymentReversalRequest>): Promise<HandlerResponse> {
  const { deps, caller, body } = request;
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const before = await loadRequestedPayment(sql, request, accountId);
    if (before.reversed_at !== null && before.reversal_reason !== body.reason) throwIdReused('reversal', before.payment_id);
    if (before.reversed_at !== null) return respondWithPayment(request, sql, before);
    const after = await reverseAccountPayment(deps, sql, before, body.reason, caller.name);
    await record({
      action: 'account-payment.reverse',
      subject: accountId,
      before: auditedAccountPayment(before),
      after: auditedAccountPayment(after),
    });
    return respondWithPayment(request, sql, after);
  });
}

async function respondWithPayment({ deps }: StudioRequest<unknown>, sql: Sql, payment: AccountPaymentRow): Promise<HandlerResponse> {
  const timeZone = await deps.calendar.timeZone(sql, deps.clock.now());
  const attention = payment.reversed_at === null ? await findOpenRepeated(sql, bankTransactionOf(payment), timeZone) : [];
  return { data: presentAccountPayment(payment, await findPaidShares(sql, payment.id), attention) };
}

/** @throws ApiError NOT_FOUND, also for a malformed id */
async function loadRequestedPayment(sql: Sql, { params }: StudioRequest<unknown>, accountId: string): Promise<AccountPaymentRow> {
  const paymentId = params.paymentId ?? '';
  const payment = textIssue(paymentId, 1, 100) === null ? await findAccountPayment(sql, accountId, paymentId) : null;
  if (payment === null) throw notFoundError('payment on this account');
  return payment;
}

/** @throws ApiError VALIDATION_ERROR if the amounts exceed the payment */
function assertShareSum({
  invoices,
  amountCents,
}: Pick<AccountPaymentRequest, 'amountCents'> & { invoices: readonly { amountCents: number }[] | null }) {
  const sumCents = (invoices ?? []).reduce((sum, share) => sum + share.amountCents, 0);
  if (sumCents <= amountCents) return;
  const message = `add up to ${formatCents(sumCents)}, but the payment is ${formatCents(amountCents)}; lower the amounts to at most the payment`;
  throw validationError([{ path: 'invoices', message }]);
}
