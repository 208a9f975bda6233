import { findAccountPayment, listAccountPayments, sharesOf } from '../../../db/repositories/account-payments';
import type { Sql } from '../../../db/database';
import type { AccountPaymentRow } from '../../../db/rows';
import { canonicalJson } from '../../../domain/canonical-json';
import type { Environment } from '../../../domain/limits';
import { noSuch, validationError } from '../../../domain/errors';
import { textIssue } from '../../../domain/field-forms';
import { formatCents } from '../../../domain/money';
import { recordAccountPayment, reverseAccountPayment } from '../../../orders/account-payments';
import { auditedAccountPayment, presentAccountPayment, presentAccountPaymentRow } from '../../../presenters/account-payments';
import { newId } from '../../../security/ids';
import { sha256 } from '../../../security/fingerprint';
import type { Answer } from '../../types';
import { idReused } from '../id-reused';
import { auditedOnAccount } from '../on-account';
import { answerFiltered } from '../filters';
import { markByAge } from '../paging';
import { OF_ACCOUNT_FILTERS } from '../schemas/filters';
import type { AccountPaymentRequest } from '../schemas/account-payments';
import type { StudioRequest } from '../types';
import { existingAccountId } from './accounts';

/**
 * `POST /accounts/{id}/payments`: money or credit over several invoices, all of it or nothing (ruling 54). Sent again it is answered as it
 * is now.
 * @throws ApiError PAYMENT_REFUSED, PAYMENT_ID_REUSED, CREDIT_INSUFFICIENT
 */
export async function postAccountPayment(request: StudioRequest<AccountPaymentRequest>): Promise<Answer> {
  const { deps, caller } = request;
  const { source = 'money', receivedAt = null, reference = null, invoices = null, ...named } = request.body;
  const sent = { source, receivedAt, reference, invoices, ...named };
  assertSum(sent);
  const digest = sha256(canonicalJson(sent));
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const known = await findAccountPayment(sql, accountId, sent.paymentId);
    if (known !== null) return known.digest === digest ? answerOf(sql, known) : idReused('payment', sent.paymentId);
    const payment = await recordAccountPayment(deps, sql, { ...sent, id: newId('apy'), accountId, digest }, caller.name);
    await record({ action: 'account-payment.record', subject: accountId, before: null, after: auditedAccountPayment(payment) });
    return answerOf(sql, payment);
  });
}

/** `GET /accounts/{id}/payments`: newest first, of both environments unless one is named. */
export async function getAccountPayments(request: StudioRequest): Promise<Answer> {
  const accountId = await existingAccountId(request);
  return answerFiltered(request, {
    name: `accounts/${accountId}/payments`,
    schemas: OF_ACCOUNT_FILTERS,
    find: ({ environment }, page) =>
      listAccountPayments(request.deps.database, { accountId, environment: (environment ?? null) as Environment | null }, page),
    mark: markByAge,
    present: presentAccountPaymentRow,
  });
}

/** `GET /accounts/{id}/payments/{paymentId}`: with what of it went to which invoice. */
export async function getAccountPayment(request: StudioRequest): Promise<Answer> {
  const { database } = request.deps;
  return answerOf(database, await paymentNamed(database, request, await existingAccountId(request)));
}

/**
 * `DELETE /accounts/{id}/payments/{paymentId}`: takes it back as a whole, its rest from the credit (ruling 54); what is taken back is
 * answered as it is.
 * @throws ApiError CREDIT_INSUFFICIENT where the credit that it became has been used
 */
export async function deleteAccountPayment(request: StudioRequest): Promise<Answer> {
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const before = await paymentNamed(sql, request, accountId);
    if (before.reversed_at !== null) return answerOf(sql, before);
    const after = await reverseAccountPayment(request.deps, sql, before, request.caller.name);
    await record({
      action: 'account-payment.reverse',
      subject: accountId,
      before: auditedAccountPayment(before),
      after: auditedAccountPayment(after),
    });
    return answerOf(sql, after);
  });
}

async function answerOf(sql: Sql, payment: AccountPaymentRow): Promise<Answer> {
  return { data: presentAccountPayment(payment, await sharesOf(sql, payment.id)) };
}

/** The payment in the path. @throws ApiError NOT_FOUND, also for an id that nothing can have (ruling 8) */
async function paymentNamed(sql: Sql, { params }: StudioRequest, accountId: string): Promise<AccountPaymentRow> {
  const paymentId = params.paymentId ?? '';
  const payment = textIssue(paymentId, 1, 100) === null ? await findAccountPayment(sql, accountId, paymentId) : null;
  if (payment === null) throw noSuch('payment on this account');
  return payment;
}

/** What is named may not come to more than was paid. @throws ApiError VALIDATION_ERROR */
function assertSum({
  invoices,
  amountCents,
}: Pick<AccountPaymentRequest, 'amountCents'> & { invoices: readonly { amountCents: number }[] | null }) {
  const sumCents = (invoices ?? []).reduce((sum, share) => sum + share.amountCents, 0);
  if (sumCents <= amountCents) return;
  const message = `come to ${formatCents(sumCents)}, and the payment is ${formatCents(amountCents)}; what is named must not be more than what was paid`;
  throw validationError([{ path: 'invoices', message }]);
}
