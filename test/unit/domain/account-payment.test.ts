import {
  MAX_PAID_INVOICES,
  allocateToOldest,
  unappliedCentsOf,
  type AccountPaymentInput,
  type PayableInvoice,
} from '../../../src/domain/account-payment';
import type { ApiError } from '../../../src/domain/errors';
import { MAX_PER_KIND } from '../../../src/domain/order-messages/limits';

const anInvoice = (at: number, changes: Partial<PayableInvoice> = {}): PayableInvoice => ({
  id: `inv_${at}`,
  invoiceNumber: `INV-${at}`,
  orderId: `ord_${at}`,
  accountId: 'acc_1',
  environment: 'live',
  figures: { amountCents: 100, voidedCents: 0, isVoid: false, paidCents: 0, creditedCents: 0 },
  payments: 0,
  ...changes,
});
const moneyOnAccount = (amountCents: number): AccountPaymentInput => ({
  accountId: 'acc_1',
  environment: 'live',
  source: 'money',
  amountCents,
});
const openInvoices = Array.from({ length: MAX_PAID_INVOICES + 1 }, (_, at) => anInvoice(at));

/** The refusal of a payment. */
function refusalOf(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('it was not refused');
}

describe('the invoices that a payment on account pays by default', () => {
  it('are limited in number; a larger payment is refused with the largest possible amount', () => {
    expect(allocateToOldest(moneyOnAccount(MAX_PAID_INVOICES * 100), openInvoices)).toHaveLength(MAX_PAID_INVOICES);
    const refused = refusalOf(() => allocateToOldest(moneyOnAccount(MAX_PAID_INVOICES * 100 + 1), openInvoices));
    expect([refused.code, refused.message]).toEqual(['PAYMENT_REFUSED', expect.stringContaining(`of at most ${MAX_PAID_INVOICES}.00`)]);
  });

  it('exclude an order with the maximum number of payments, and the refusal names it', () => {
    const refused = refusalOf(() => allocateToOldest(moneyOnAccount(150), [anInvoice(1), anInvoice(2, { payments: MAX_PER_KIND })]));
    expect(refused.message).toContain(`INV-2: its order already has the maximum of ${MAX_PER_KIND} payments`);
  });

  it('get their due amount, without the amounts of credit notes', () => {
    const credited = anInvoice(1, { figures: { amountCents: 100, voidedCents: 0, isVoid: false, paidCents: 20, creditedCents: 30 } });
    const shares = allocateToOldest(moneyOnAccount(500), [credited, anInvoice(2)]);
    expect(shares.map(({ amountCents }) => amountCents)).toEqual([50, 100]);
    expect(unappliedCentsOf(moneyOnAccount(500), shares)).toBe(350);
  });
});
