import type { AccountStanding } from '../db/repositories/accounts';
import type { AccountRow } from '../db/rows';
import { creditUsedBps } from '../domain/credit';

/**
 * An account with what it owes, its credit and what it may still order, per environment, in cents (studio API "Endpoints", rulings 32 and
 * 53).
 */
export function presentAccount(account: AccountStanding) {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    ...terms(account),
    live: presentStanding(account.credit_limit_cents, account.outstanding_live, account.credit_live),
    test: presentStanding(account.credit_limit_cents, account.outstanding_test, account.credit_test),
    createdAt: account.created_at.toISOString(),
  };
}

/** What the audit log keeps of an account: no e-mail address. */
export function auditedAccount(account: AccountRow) {
  return { name: account.name, ...terms(account) };
}

function terms(account: AccountRow) {
  return {
    tradeDiscountBps: account.trade_discount_bps,
    creditLimitCents: account.credit_limit_cents,
    paymentTermsDays: account.payment_terms_days,
    status: account.status,
    apiAccess: account.api_access,
  };
}

/** Available is null where there is no limit. Credit does not widen it: it is never applied by itself. */
export function presentStanding(limitCents: number | null, outstandingCents: number, creditCents: number) {
  return {
    outstandingCents,
    creditCents,
    availableCents: limitCents === null ? null : Math.max(0, limitCents - outstandingCents),
    usedBps: creditUsedBps(limitCents, outstandingCents),
  };
}
