import { book } from '../../../db/repositories/ledger';
import { findRefund, insertRefund, listRefunds } from '../../../db/repositories/refunds';
import type { RefundRow } from '../../../db/rows';
import { canonicalJson } from '../../../domain/canonical-json';
import type { Environment } from '../../../domain/limits';
import { presentRefund } from '../../../presenters/account-payments';
import { newId } from '../../../security/ids';
import { sha256 } from '../../../security/fingerprint';
import type { Answer } from '../../types';
import { idReused } from '../id-reused';
import { auditedOnAccount } from '../on-account';
import { answerFiltered } from '../filters';
import { markByAge } from '../paging';
import { OF_ACCOUNT_FILTERS } from '../schemas/filters';
import type { RefundRequest } from '../schemas/account-payments';
import type { StudioRequest } from '../types';
import { existingAccountId } from './accounts';

/**
 * `POST /accounts/{id}/refunds`: credit that was paid back, up to what there is (ruling 53). Sent again it is answered as it is.
 * @throws ApiError CREDIT_INSUFFICIENT, PAYMENT_ID_REUSED
 */
export async function postRefund(request: StudioRequest<RefundRequest>): Promise<Answer> {
  const { deps } = request;
  const { reference = null, ...named } = request.body;
  const sent = { reference, ...named };
  const digest = sha256(canonicalJson(sent));
  return auditedOnAccount(request, async (sql, record, accountId) => {
    const known = await findRefund(sql, accountId, sent.refundId);
    if (known !== null) return known.digest === digest ? { data: presentRefund(known) } : idReused('refund', sent.refundId);
    const now = deps.clock.now();
    const refund = refundOf(sent, { accountId, digest, now });
    await insertRefund(sql, refund);
    const { environment } = refund;
    await book(sql, { accountId, environment, now, today: await deps.pricingTerms.today(sql, now) }, [
      { type: 'refund', outstandingCents: 0, creditCents: -refund.amount_cents, refundId: refund.id },
    ]);
    const { accountId: _subject, createdAt: _at, ...after } = presentRefund(refund);
    await record({ action: 'refund.record', subject: accountId, before: null, after });
    return { data: presentRefund(refund) };
  });
}

/** `GET /accounts/{id}/refunds`: newest first, of both environments unless one is named. */
export async function getRefunds(request: StudioRequest): Promise<Answer> {
  const accountId = await existingAccountId(request);
  return answerFiltered(request, {
    name: `accounts/${accountId}/refunds`,
    schemas: OF_ACCOUNT_FILTERS,
    find: ({ environment }, page) =>
      listRefunds(request.deps.database, { accountId, environment: (environment ?? null) as Environment | null }, page),
    mark: markByAge,
    present: presentRefund,
  });
}

function refundOf(
  { refundId, environment, amountCents, reference }: RefundRequest,
  { accountId, digest, now }: { accountId: string; digest: string; now: Date },
): RefundRow {
  return {
    id: newId('ref'),
    account_id: accountId,
    environment,
    refund_id: refundId,
    amount_cents: amountCents,
    reference: reference === undefined || reference === '' ? null : reference,
    digest,
    created_at: now,
  };
}
