import type { AccountWithBalances, AccountOfKey } from '../db/repositories/accounts';
import type { KeyRow } from '../db/repositories/keys';
import type { ListedAccountPayment, PaidShare } from '../db/repositories/account-payments';
import type { ListedRefund } from '../db/repositories/refunds';
import type { AccountPaymentRow, AccountRow, AttentionRow, RefundRow } from '../db/rows';
import { formatAbn } from '../domain/abn';
import { availableCents, creditUsedBps } from '../domain/credit';
import type { LedgerEffect } from '../domain/ledger';
import { fieldsOf } from './fields';
import { presentAttention } from './order-records';

/**
 * Balances and credit per environment in cents. The currency is the one of the account's invoices; an account without invoices has the
 * studio's currency (studio API "Endpoints").
 */
export function presentAccount(account: AccountWithBalances, studioCurrency: string) {
  return {
    ...fieldsOf(account, 'id', 'name', 'email'),
    ...record(account),
    contacts: account.contacts,
    ...terms(account),
    currency: account.currency ?? studioCurrency,
    live: presentBalances(account.credit_limit_cents, { outstandingCents: account.outstanding_live, creditCents: account.credit_live }),
    test: presentBalances(account.credit_limit_cents, { outstandingCents: account.outstanding_test, creditCents: account.credit_test }),
    ...fieldsOf(account, 'created_at'),
  };
}

/** An account in the trade API, with the sums of the key's environment in cents. */
export function presentOwnAccount(account: AccountOfKey, studioCurrency: string) {
  const balances = { outstandingCents: account.outstanding_cents, creditCents: account.credit_cents };
  return {
    accountId: account.id,
    ...fieldsOf(account, 'name', 'environment', 'scopes', 'payment_terms_days', 'trade_discount_bps'),
    currency: account.currency ?? studioCurrency,
    creditLimitCents: account.credit_limit_cents,
    ...balances,
    availableCents: availableCents(account.credit_limit_cents, balances),
  };
}

/** The audited fields of an account, without addresses and contacts. */
export function auditedAccount(account: AccountRow) {
  const { billingAddress: _address, ...details } = record(account);
  return { name: account.name, ...details, ...terms(account) };
}

const record = ({ billing_address: billingAddress, abn, default_reference: defaultReference, reminders }: AccountRow) => ({
  billingAddress,
  abn: abn === null ? null : formatAbn(abn),
  defaultReference,
  reminders,
});

const terms = (account: AccountRow) =>
  fieldsOf(account, 'trade_discount_bps', 'credit_limit_cents', 'payment_terms_days', 'status', 'api_access', 'ready_mail');

/** `availableCents` is null without a limit. */
export function presentBalances(limitCents: number | null, balances: LedgerEffect) {
  const { outstandingCents, creditCents } = balances;
  return {
    outstandingCents,
    creditCents,
    availableCents: availableCents(limitCents, balances),
    usedBps: creditUsedBps(limitCents, balances),
  };
}

/** An API key without its secret (specification "Authentication" 4). */
export function presentKey(key: KeyRow) {
  return {
    ...fieldsOf(key, 'id', 'account_id', 'environment', 'scopes', 'name', 'prefix', 'last_four'),
    ...fieldsOf(key, 'expires_at', 'revoked_at', 'last_used_at', 'created_at'),
  };
}

export const auditedKey = (key: KeyRow) => fieldsOf(key, 'account_id', 'environment', 'scopes', 'name', 'expires_at', 'revoked_at');

/** A payment on account with its amount and the part that became credit, in cents (studio API "Money"). */
function presentPaymentFields(payment: AccountPaymentRow) {
  return {
    ...fieldsOf(payment, 'payment_id', 'account_id', 'environment', 'source', 'amount_cents', 'unapplied_cents'),
    ...fieldsOf(payment, 'received_at', 'reference', 'created_at', 'reversed_at', 'reversal_reason'),
  };
}

export function presentAccountPaymentRow(payment: ListedAccountPayment) {
  return { ...presentPaymentFields(payment), invoiceCount: payment.invoice_count };
}

export function presentAccountPayment(payment: AccountPaymentRow, shares: readonly PaidShare[], attention: readonly AttentionRow[]) {
  return {
    ...presentPaymentFields(payment),
    invoiceCount: shares.length,
    invoices: shares.map(({ invoice, orderNumber, amountCents }) => ({
      invoiceId: invoice.id,
      invoiceNumber: invoice.invoiceNumber,
      orderId: invoice.orderId,
      orderNumber,
      amountCents,
    })),
    attention: attention.map(presentAttention),
  };
}

export function auditedAccountPayment(payment: AccountPaymentRow): Record<string, unknown> {
  const { accountId: _subject, createdAt: _at, ...audited } = presentPaymentFields(payment);
  return audited;
}

/** A refund, in cents. */
export function presentRefund(refund: RefundRow) {
  return {
    ...fieldsOf(refund, 'refund_id', 'account_id', 'environment', 'amount_cents', 'refunded_at', 'reference'),
    ...fieldsOf(refund, 'created_at', 'reversed_at', 'reversal_reason'),
  };
}

export function auditedRefund(refund: RefundRow): Record<string, unknown> {
  const { accountId: _subject, createdAt: _at, ...audited } = presentRefund(refund);
  return { ...audited, reversalId: refund.reversal_id };
}

/** For lists of all accounts. An account without invoices has the studio's currency. */
export function presentRefundRow(refund: ListedRefund, studioCurrency: string) {
  return { ...presentRefund(refund), accountName: refund.account_name, currency: refund.currency ?? studioCurrency };
}
