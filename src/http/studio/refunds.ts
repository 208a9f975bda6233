import { bookEntries } from '../../db/repositories/ledger';
import { findRefund, insertRefund, listAllRefunds, listRefunds, markRefundReversed, sumRefunds } from '../../db/repositories/refunds';
import { rowFromFields } from '../../db/columns';
import type { RefundRow } from '../../db/rows';
import { canonicalJson } from '../../domain/canonical-json';
import { ApiError, notFoundError, throwIdReused, throwAlreadyReversed } from '../../domain/errors';
import { NEW_ID, readField } from '../../domain/order-messages/fields';
import { PAYMENT_FIELDS } from '../../domain/order-messages/payment-recorded';
import { auditedRefund, presentRefund, presentRefundRow } from '../../presenters/accounts';
import { REFUND_CSV } from '../../presenters/csv-columns';
import { sha256 } from '../../security/fingerprint';
import { newId } from '../../security/ids';
import * as json from '../openapi/json';
import { cursorByAge } from '../paging';
import type { HandlerResponse } from '../types';
import { refundRequest, type RefundRequest } from './account-payments';
import { requireAccountId } from './accounts/accounts';
import { reversalRequest, type ReversalRequest } from './credit-notes';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME } from './support/examples';
import { studioCurrency } from './support/book-in-force';
import { defineList } from './support/lists';
import { auditedOnAccount } from './support/audited';
import { moneyTotals, presentMoneyTotals } from './support/money-totals';
import { MONEY_FILTERS, RECORDED_FROM_FILTER, toMoneyFilter, ACCOUNT_LIST_FILTERS } from './support/query-filters';
import { CURRENCY, ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const REFUND_FIELDS: json.Fields<ReturnType<typeof presentRefund>> = {
  refundId: [json.string('the id that the caller sent'), 'bank-2026-03-09/2'],
  accountId: [json.id('acc'), ACCOUNT_ID],
  environment: [ENVIRONMENT, 'live'],
  amountCents: [json.cents('the credit that was paid back'), 1575],
  refundedAt: [json.time('the time at which the bank sent the money'), EXAMPLE_TIME],
  reference: [json.nullable(json.string('the reference of the bank, or your own')), 'paid twice in March'],
  createdAt: [json.time('the time of recording'), EXAMPLE_TIME],
  reversedAt: json.nullable(json.time()),
  reversalReason: json.nullable(json.string()),
};

const REFUND = json.resource<ReturnType<typeof presentRefund>>('Refund', REFUND_FIELDS);

const REFUND_ROW = json.resource<ReturnType<typeof presentRefundRow>>('RefundRow', {
  ...REFUND_FIELDS,
  accountName: [json.string(), ACCOUNT_NAME],
  currency: [CURRENCY, 'AUD'],
});

export const REFUNDS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/accounts/:id/refunds',
    role: 'office',
    body: refundRequest,
    id: 'recordRefund',
    summary: 'Record a refund',
    description:
      'Records credit that the studio paid back. The amount is at most the credit of the account. Repeating the request with the same `refundId` is safe.',
    response: REFUND,
    errorCodes: ['CREDIT_INSUFFICIENT', 'PAYMENT_ID_REUSED', 'PAYMENT_REFUSED'],
    requestExample: { refundId: 'bank-2026-03-09/2', environment: 'live', amountCents: 1575 },
    handler: postRefund,
  },
  ...defineList({
    path: '/accounts/:id/refunds',
    role: 'office',
    filters: ACCOUNT_LIST_FILTERS,
    id: 'listRefunds',
    summary: 'List refunds of an account',
    description: 'Lists the newest first, of both environments unless `environment` is sent.',
    entry: REFUND,
    list: async (request) => {
      const accountId = await requireAccountId(request);
      return {
        find: ({ environment }, page) => listRefunds(request.deps.database, { accountId, environment: environment ?? null }, page),
        cursorOf: cursorByAge,
        present: presentRefund,
      };
    },
  }),
  ...defineList({
    path: '/refunds',
    role: 'office',
    filters: { ...MONEY_FILTERS, ...RECORDED_FROM_FILTER },
    id: 'listAllRefunds',
    summary: 'List refunds',
    description:
      'Lists refunds of all accounts, the newest first, of the live environment unless `environment` is `test`. `from` and `to` are days on which the money was sent. Reversed refunds are listed with their time.',
    entry: REFUND_ROW,
    list: async (request) => {
      const { database } = request.deps;
      const currency = await studioCurrency(request);
      return {
        find: async (filters, page) => listAllRefunds(database, await toMoneyFilter(request, filters), page),
        cursorOf: ({ refunded_at, id }) => ({ createdAt: refunded_at, id }),
        present: (refund) => presentRefundRow(refund, currency),
      };
    },
    csv: { id: 'exportRefunds', summary: 'Export refunds as CSV', columns: REFUND_CSV },
    totals: {
      id: 'sumRefunds',
      summary: 'Sum refunds',
      description: 'Counts and sums the refunds that the list has with the same filters.',
      response: moneyTotals('RefundTotals', { valid: 'refunds that are not reversed' }),
      find: async (request, filters) => {
        const filter = await toMoneyFilter(request, filters);
        return presentMoneyTotals(filter.environment, await sumRefunds(request.deps.database, filter));
      },
    },
  }),
  {
    method: 'POST',
    path: '/accounts/:id/refunds/:refundId/reverse',
    role: 'office',
    body: reversalRequest,
    id: 'reverseRefund',
    summary: 'Reverse a refund',
    description: 'The money becomes credit of the account again. Repeating the request with the same `reversalId` is safe.',
    response: REFUND,
    errorCodes: ['PAYMENT_ID_REUSED', 'PAYMENT_REFUSED'],
    requestExample: { reversalId: 'bank-2026-03-11/4', reason: 'their account is closed' },
    example: json.exampleWith(REFUND, { reversedAt: EXAMPLE_TIME, reversalReason: 'their account is closed' }),
    handler: postRefundReversal,
  },
];

/** A repeated request returns the current refund. */
async function postRefund(request: StudioRequest<RefundRequest>): Promise<HandlerResponse> {
  const { deps } = request;
  const { refundedAt, reference, ...fields } = request.body;
  const input = {
    refundedAt: readField(PAYMENT_FIELDS.receivedAt, refundedAt) as string | null,
    reference: readField(PAYMENT_FIELDS.reference, reference) as string | null,
    ...fields,
  };
  const digest = sha256(canonicalJson(input));
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const existing = await findRefund(sql, accountId, input.refundId);
    if (existing !== null && existing.digest !== digest) throwIdReused('refund', input.refundId);
    if (existing !== null && existing.reversed_at !== null) throwAlreadyReversed('refund', input.refundId);
    if (existing !== null) return { data: presentRefund(existing) };
    const now = deps.clock.now();
    const refund = createRefund({ ...input, accountId, digest }, now);
    await insertRefund(sql, refund);
    const { environment } = refund;
    await bookEntries(sql, { accountId, environment, now, today: await deps.calendar.today(sql, now) }, [
      { type: 'refund', outstandingCents: 0, creditCents: -refund.amount_cents, refundId: refund.id },
    ]);
    await record({ action: 'refund.record', subject: accountId, before: null, after: auditedRefund(refund) });
    return { data: presentRefund(refund) };
  });
}

/** Reverses a refund that the bank has returned. Its amount becomes credit again. */
async function postRefundReversal(request: StudioRequest<ReversalRequest>): Promise<HandlerResponse> {
  const { deps, params, body } = request;
  const refundId = params.refundId ?? '';
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const before = NEW_ID.issue(refundId) === null ? await findRefund(sql, accountId, refundId) : null;
    if (before === null) throw notFoundError('refund of this account');
    if (before.reversal_id !== null) return { data: presentRefund(assertSameReversal(before, body)) };
    const now = deps.clock.now();
    const after = { ...before, reversed_at: now, reversal_id: body.reversalId, reversal_reason: body.reason };
    await markRefundReversed(sql, after);
    const { environment } = after;
    await bookEntries(sql, { accountId, environment, now, today: await deps.calendar.today(sql, now) }, [
      { type: 'reversal', outstandingCents: 0, creditCents: after.amount_cents, refundId: after.id },
    ]);
    await record({ action: 'refund.reverse', subject: accountId, before: auditedRefund(before), after: auditedRefund(after) });
    return { data: presentRefund(after) };
  });
}

/** @throws ApiError PAYMENT_REFUSED after a reversal with another id; PAYMENT_ID_REUSED after one with another reason */
function assertSameReversal(refund: RefundRow, { reversalId, reason }: ReversalRequest): RefundRow {
  if (refund.reversal_id !== reversalId)
    throw new ApiError('PAYMENT_REFUSED', `the refund ${refund.refund_id} is already reversed with another reversalId`, { invoices: [] });
  return refund.reversal_reason === reason ? refund : throwIdReused('reversal', reversalId);
}

interface NewRefund extends RefundRequest {
  refundedAt: string | null;
  reference: string | null;
  accountId: string;
  digest: string;
}

function createRefund({ refundedAt, ...input }: NewRefund, now: Date): RefundRow {
  const refunded_at = refundedAt === null ? now : new Date(refundedAt);
  return {
    id: newId('ref'),
    ...rowFromFields(input),
    refunded_at,
    created_at: now,
    reversed_at: null,
    reversal_id: null,
    reversal_reason: null,
  };
}
