import type { Sql } from '../db/database';
import { lockAccount } from '../db/repositories/accounts';
import { bookEntries, type NewLedgerEntry } from '../db/repositories/ledger';
import {
  findDifferingBalances,
  findDifferingInvoices,
  recalculateBalances,
  type DifferingBalance,
  type InvoiceWithEntries,
} from '../db/repositories/ledger-check';
import { PriceBookReader } from '../db/repositories/price-book-reader';
import { StudioCalendar } from '../db/repositories/studio-calendar';
import { toInvoiceFigures, balancesOfInvoice } from '../domain/ledger';
import { formatCents } from '../domain/money';
import type { Finding, ReconcileDeps } from './finding';

/** Finds invoices whose ledger entries do not add up to their amounts. The repair books the missing entries with today's date. */
export async function compareInvoices(deps: ReconcileDeps): Promise<Finding[]> {
  return (await findDifferingInvoices(deps.database, null)).map((invoice) => ({
    kind: 'invoice without its entries',
    subject: invoice.invoice_number,
    detail: describeCents(
      { outstanding_cents: missingCents(invoice).outstandingCents, credit_cents: missingCents(invoice).creditCents },
      'is not booked',
    ),
    repair: () => bookMissing(deps, invoice),
    isRepaired: async () => (await findDifferingInvoices(deps.database, invoice.id)).length === 0,
  }));
}

/** Finds accounts whose stored balances differ from the sums of their entries. The entries are authoritative. */
export async function compareBalances({ database }: ReconcileDeps): Promise<Finding[]> {
  return (await findDifferingBalances(database, null)).map((differing) => ({
    kind: 'balances that differ',
    subject: differing.account_id,
    detail: `${differing.environment}: the stored balances are ${describeCents(differing, '')}, the sums of the entries ${describeCents(toEntrySums(differing), '')}`,
    repair: () =>
      database.transaction(async (sql) => {
        await lockAccount(sql, differing.account_id);
        await recalculateBalances(sql, differing.account_id);
      }),
    isRepaired: async () => (await findDifferingBalances(database, differing.account_id)).length === 0,
  }));
}

type Cents = Pick<DifferingBalance, 'outstanding_cents' | 'credit_cents'>;

const toEntrySums = (differing: DifferingBalance): Cents => ({
  outstanding_cents: differing.entered_outstanding_cents,
  credit_cents: differing.entered_credit_cents,
});

const describeCents = ({ outstanding_cents, credit_cents }: Cents, suffix: string): string =>
  `${formatSigned(outstanding_cents)} outstanding and ${formatSigned(credit_cents)} credit ${suffix}`.trim();

const formatSigned = (cents: number): string => `${cents < 0 ? '-' : ''}${formatCents(Math.abs(cents))}`;

function missingCents(invoice: InvoiceWithEntries) {
  const { outstandingCents, creditCents } = balancesOfInvoice(toInvoiceFigures(invoice));
  return {
    outstandingCents: outstandingCents - invoice.entered_outstanding_cents,
    creditCents: creditCents - invoice.from_credit_cents - invoice.entered_credit_cents,
  };
}

/** Compares the invoice again after locking the account, because its entries may have been booked meanwhile. */
function bookMissing({ database, clock }: ReconcileDeps, { id, account_id: accountId, environment }: InvoiceWithEntries): Promise<void> {
  return database.transaction(async (sql) => {
    await lockAccount(sql, accountId);
    const [invoice] = await findDifferingInvoices(sql, id);
    if (invoice === undefined) return;
    const now = clock.now();
    await bookEntries(sql, { accountId, environment, now, today: await today(sql, now) }, missingEntries(invoice), { mayOverdraw: true });
  });
}

const today = (sql: Sql, now: Date): Promise<string> => new StudioCalendar(new PriceBookReader()).today(sql, now);

/** Returns the entry of the invoice amount if it is missing, then one entry for the remaining difference, typed by its cause. */
function missingEntries(invoice: InvoiceWithEntries): NewLedgerEntry[] {
  const about = { orderId: invoice.order_id, invoiceId: invoice.id };
  const invoicedCents = invoice.has_invoice_entry ? 0 : invoice.amount_cents;
  const rest = missingCents(invoice);
  rest.outstandingCents -= invoicedCents;
  const isVoided = invoice.voided_at !== null && !invoice.has_void_entry;
  const isPaid = rest.outstandingCents - rest.creditCents < 0;
  return [
    ...(invoice.has_invoice_entry ? [] : [{ type: 'invoice' as const, ...about, outstandingCents: invoicedCents, creditCents: 0 }]),
    ...(isVoided || rest.outstandingCents !== 0 || rest.creditCents !== 0
      ? [{ type: isVoided ? ('void' as const) : isPaid ? ('payment' as const) : ('reversal' as const), ...about, ...rest }]
      : []),
  ];
}
