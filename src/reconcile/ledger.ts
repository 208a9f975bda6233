import type { Sql } from '../db/database';
import { lockAccount } from '../db/repositories/accounts';
import { book, type NewEntry } from '../db/repositories/ledger';
import {
  differingBalances,
  differingInvoices,
  restateBalances,
  type DifferingBalance,
  type EnteredInvoice,
} from '../db/repositories/ledger-check';
import { PricingTermsReader } from '../db/repositories/pricing-terms';
import { figuresOf, standingOf } from '../domain/ledger';
import { formatCents } from '../domain/money';
import type { Finding, ReconcileDeps } from './finding';

/**
 * Invoices whose entries do not add up to what they are to their account, as those have that a process of a release without a ledger wrote:
 * what is missing is booked today (ruling 52).
 */
export async function invoicesThatDiffer(deps: ReconcileDeps): Promise<Finding[]> {
  return (await differingInvoices(deps.database, null)).map((invoice) => ({
    kind: 'invoice without its entries',
    subject: invoice.invoice_number,
    detail: told({ outstanding_cents: missing(invoice).outstandingCents, credit_cents: missing(invoice).creditCents }, 'is not booked'),
    mend: () => bookMissing(deps, invoice),
    isMended: async () => (await differingInvoices(deps.database, invoice.id)).length === 0,
  }));
}

/** Accounts whose running sums are not what their entries add up to: the entries are right. */
export async function balancesThatDiffer({ database }: ReconcileDeps): Promise<Finding[]> {
  return (await differingBalances(database, null)).map((differing) => ({
    kind: 'sums that differ',
    subject: differing.account_id,
    detail: `${differing.environment}: the sums say ${told(differing, '')}, the entries ${told(entered(differing), '')}`,
    mend: () =>
      database.transaction(async (sql) => {
        await lockAccount(sql, differing.account_id);
        await restateBalances(sql, differing.account_id);
      }),
    isMended: async () => (await differingBalances(database, differing.account_id)).length === 0,
  }));
}

type Cents = Pick<DifferingBalance, 'outstanding_cents' | 'credit_cents'>;

const entered = (differing: DifferingBalance): Cents => ({
  outstanding_cents: differing.entered_outstanding_cents,
  credit_cents: differing.entered_credit_cents,
});

const told = ({ outstanding_cents, credit_cents }: Cents, what: string): string =>
  `${signed(outstanding_cents)} outstanding and ${signed(credit_cents)} credit ${what}`.trim();

const signed = (cents: number): string => `${cents < 0 ? '-' : ''}${formatCents(Math.abs(cents))}`;

function missing(invoice: EnteredInvoice) {
  const { outstandingCents, creditCents } = standingOf(figuresOf(invoice));
  return {
    outstandingCents: outstandingCents - invoice.entered_outstanding_cents,
    creditCents: creditCents - invoice.from_credit_cents - invoice.entered_credit_cents,
  };
}

/** Looked at again under the account's lock: it may have been booked meanwhile. */
function bookMissing({ database, clock }: ReconcileDeps, { id, account_id: accountId, environment }: EnteredInvoice): Promise<void> {
  return database.transaction(async (sql) => {
    await lockAccount(sql, accountId);
    const [invoice] = await differingInvoices(sql, id);
    if (invoice === undefined) return;
    const now = clock.now();
    await book(sql, { accountId, environment, now, today: await today(sql, now) }, missingEntries(invoice), { mayOverdraw: true });
  });
}

const today = (sql: Sql, now: Date): Promise<string> => new PricingTermsReader().today(sql, now);

/** The invoice itself, then the rest as what it looks like most. */
function missingEntries(invoice: EnteredInvoice): NewEntry[] {
  const about = { orderId: invoice.order_id, invoiceId: invoice.id };
  const invoiced = invoice.has_invoice_entry ? 0 : invoice.amount_cents;
  const rest = missing(invoice);
  rest.outstandingCents -= invoiced;
  const isVoided = invoice.voided_at !== null && !invoice.has_void_entry;
  const isPaid = rest.outstandingCents - rest.creditCents < 0;
  return [
    ...(invoice.has_invoice_entry ? [] : [{ type: 'invoice' as const, ...about, outstandingCents: invoiced, creditCents: 0 }]),
    ...(isVoided || rest.outstandingCents !== 0 || rest.creditCents !== 0
      ? [{ type: isVoided ? ('void' as const) : isPaid ? ('payment' as const) : ('reversal' as const), ...about, ...rest }]
      : []),
  ];
}
