import { accountPaymentRequest } from '../../../../../src/http/studio/account-payments';
import { studioPaths } from '../../schemas/paths';

describe('the body of POST /accounts/{id}/payments', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['without an environment', { environment: undefined }, 'environment'],
    ['of 0 cents', { amountCents: 0 }, 'amountCents'],
    ['of more than ten thousand million dollars', { amountCents: 1_000_000_000_001 }, 'amountCents'],
    ['from an unknown source', { source: 'purse' }, 'source'],
    ['with an unknown field', { invoice: 'TINV-1' }, 'invoice'],
    ['with too many invoices', { invoices: Array.from({ length: 1001 }, () => ({ invoiceId: 'TINV-1', amountCents: 1 })) }, 'invoices'],
  ])('%s is refused', (_title, fields, path) => {
    const body = { paymentId: 'bank-1', environment: 'test', amountCents: 100, ...fields };
    expect(studioPaths(accountPaymentRequest, body)).toEqual([path]);
  });
});
