import Joi from 'joi';
import type { Sql } from '../../db/database';
import { findAccountPayment, listAccountPayments, findPaidShares } from '../../db/repositories/account-payments';
import type { AccountPaymentRow } from '../../db/rows';
import {
  MAX_MONEY_CENTS,
  MAX_REQUESTED_INVOICES,
  type RequestedShare,
  PAYMENT_SOURCES,
  type PaymentSource,
  toSharesById,
} from '../../domain/account-payment';
import { canonicalJson } from '../../domain/canonical-json';
import { notFoundError, throwIdReused, throwAlreadyReversed, validationError } from '../../domain/errors';
import { textIssue } from '../../domain/field-formats';
import { type Environment, ENVIRONMENTS, LIMITS } from '../../domain/limits';
import { formatCents } from '../../domain/money';
import { NEW_ID, PAYMENT_FIELDS, readField } from '../../domain/message-fields';
import { bankLineOf, resolvePayableInvoices, recordAccountPayment, reverseAccountPayment } from '../../orders/account-payments';
import { findOpenRepeated } from '../../orders/money-attention';
import { auditedAccountPayment, presentAccountPayment, presentAccountPaymentRow } from '../../presenters/accounts';
import { sha256 } from '../../security/fingerprint';
import { newId } from '../../security/ids';
import * as json from '../openapi/json';
import { messageField } from '../schemas/message-field';
import { integerField, machineTextField, oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { requireAccountId } from './accounts/accounts';
import { ACCOUNT_ID, EXAMPLE_TIME, INVOICE_ID, INVOICE_NUMBER } from './support/examples';
import { messageFields } from './support/fields';
import { cursorByAge } from '../paging';
import { defineList } from './support/lists';
import { auditedOnAccount } from './support/audited';
import { ACCOUNT_LIST_FILTERS } from './support/query-filters';
import { ATTENTION } from './support/order-resources';
import { ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const { receivedAt: receivedAtField, reference: referenceField } = messageFields(PAYMENT_FIELDS);

const amountCentsField = integerField(1, MAX_MONEY_CENTS).required();

const environmentField = oneOfField(ENVIRONMENTS).required();

const shareField = Joi.object({
  invoiceId: machineTextField(1, LIMITS.identifierLength).required().description('its id or its number'),
  amountCents: amountCentsField,
});

export const accountPaymentRequest = Joi.object({
  paymentId: messageField(NEW_ID).required(),
  environment: environmentField,
  source: oneOfField(PAYMENT_SOURCES).description('credit: of what the account has; money unless said otherwise'),
  amountCents: amountCentsField,
  receivedAt: receivedAtField,
  reference: referenceField,
  invoices: Joi.array()
    .items(shareField)
    .max(MAX_REQUESTED_INVOICES)
    .description('what goes to which; left out, the oldest are paid first, and with an empty list none: the rest is credit'),
});

interface AccountPaymentRequest {
  paymentId: string;
  environment: Environment;
  source?: PaymentSource;
  amountCents: number;
  receivedAt?: string | null;
  reference?: string | null;
  invoices?: RequestedShare[];
}

export const refundRequest = Joi.object({
  refundId: messageField(NEW_ID).required(),
  environment: environmentField,
  amountCents: amountCentsField,
  reference: referenceField,
});

export interface RefundRequest {
  refundId: string;
  environment: Environment;
  amountCents: number;
  reference?: string | null;
}

type ListedAccountPayment = ReturnType<typeof presentAccountPaymentRow>;

const ACCOUNT_PAYMENT_FIELDS: json.Fields<ListedAccountPayment> = {
  paymentId: [json.string('as it was sent'), 'bank-2026-03-05/8'],
  accountId: [json.id('acc'), ACCOUNT_ID],
  environment: [ENVIRONMENT, 'live'],
  source: [json.openEnum(PAYMENT_SOURCES), 'money'],
  amountCents: [json.cents(), 20_000],
  unappliedCents: [json.cents("what of it paid no invoice: the account's credit"), 1575],
  receivedAt: [json.time(), EXAMPLE_TIME],
  reference: [json.nullable(json.string()), 'Harbour Gallery March'],
  createdAt: [json.time(), EXAMPLE_TIME],
  reversedAt: json.nullable(json.time()),
  invoiceCount: [json.integer('how many invoices it paid'), 2],
};

const ACCOUNT_PAYMENT_ROW = json.resource<ListedAccountPayment>('AccountPaymentRow', ACCOUNT_PAYMENT_FIELDS);

type AccountPayment = ReturnType<typeof presentAccountPayment>;

const ACCOUNT_PAYMENT = json.resource<AccountPayment>('AccountPayment', {
  ...ACCOUNT_PAYMENT_FIELDS,
  attention: [json.list(ATTENTION, 'PAYMENT_REPEATED while the same bank line is recorded on an order too'), []],
  invoices: [
    json.list(
      json.object<AccountPayment['invoices'][number]>({
        invoiceId: json.id('inv'),
        invoiceNumber: json.string(),
        orderId: json.id('ord'),
        orderNumber: json.string(),
        amountCents: json.cents('of this payment'),
      }),
      'in the order in which they were issued',
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
    summary: 'Record a payment over any number of invoices',
    description:
      'Of money that came, or of credit that the account has. Where no `invoices` are sent the oldest are paid first. What pays none is credit, ' +
      'but a payment from credit has to be used up. All of it or nothing; safe to repeat by `paymentId`.',
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
    summary: "An account's payments, newest first",
    description: 'Of both environments unless one is named; those on account, not those that were recorded on a single order.',
    entry: ACCOUNT_PAYMENT_ROW,
    list: async (request) => {
      const accountId = await requireAccountId(request);
      return {
        name: `accounts/${accountId}/payments`,
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
    summary: 'One payment on account with the invoices it paid',
    response: ACCOUNT_PAYMENT,
    handler: getAccountPayment,
  },
  {
    method: 'DELETE',
    path: '/accounts/:id/payments/:paymentId',
    role: 'office',
    id: 'reverseAccountPayment',
    summary: 'Reverse a payment on account as a whole',
    description:
      'Its rest is taken from the credit. Where that has been used, the credit becomes negative: the account owes it. Reversed already, it is answered as it is.',
    response: ACCOUNT_PAYMENT,
    handler: deleteAccountPayment,
  },
];

/** All of it or nothing; sent again it is answered as it is now (ruling 54). */
async function postAccountPayment(request: StudioRequest<AccountPaymentRequest>): Promise<HandlerResponse> {
  const { deps, caller } = request;
  const { source = 'money', receivedAt, reference, invoices = null, ...fields } = request.body;
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

/** In the one form that is compared and stored. */
function readPayment({ receivedAt, reference }: Pick<AccountPaymentRequest, 'receivedAt' | 'reference'>) {
  return {
    receivedAt: readField(PAYMENT_FIELDS.receivedAt, receivedAt) as string | null,
    reference: readField(PAYMENT_FIELDS.reference, reference) as string | null,
  };
}

/** @throws ApiError PAYMENT_ID_REUSED, and PAYMENT_REFUSED for one that was reversed */
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

/** Rulings 54 and 66. */
async function deleteAccountPayment(request: StudioRequest): Promise<HandlerResponse> {
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const before = await loadRequestedPayment(sql, request, accountId);
    if (before.reversed_at !== null) return respondWithPayment(request, sql, before);
    const after = await reverseAccountPayment(request.deps, sql, before, request.caller.name);
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
  const timeZone = await deps.pricingTerms.timeZone(sql, deps.clock.now());
  const attention = payment.reversed_at === null ? await findOpenRepeated(sql, bankLineOf(payment), timeZone) : [];
  return { data: presentAccountPayment(payment, await findPaidShares(sql, payment.id), attention) };
}

/** The payment in the path. @throws ApiError NOT_FOUND, also for an id that nothing can have (ruling 8) */
async function loadRequestedPayment(sql: Sql, { params }: StudioRequest, accountId: string): Promise<AccountPaymentRow> {
  const paymentId = params.paymentId ?? '';
  const payment = textIssue(paymentId, 1, 100) === null ? await findAccountPayment(sql, accountId, paymentId) : null;
  if (payment === null) throw notFoundError('payment on this account');
  return payment;
}

/** What is named may not come to more than was paid. @throws ApiError VALIDATION_ERROR */
function assertShareSum({
  invoices,
  amountCents,
}: Pick<AccountPaymentRequest, 'amountCents'> & { invoices: readonly { amountCents: number }[] | null }) {
  const sumCents = (invoices ?? []).reduce((sum, share) => sum + share.amountCents, 0);
  if (sumCents <= amountCents) return;
  const message = `come to ${formatCents(sumCents)}, and the payment is ${formatCents(amountCents)}; what is named must not be more than what was paid`;
  throw validationError([{ path: 'invoices', message }]);
}
