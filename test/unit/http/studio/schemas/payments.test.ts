import { paymentRequest } from '../../../../../src/http/studio/payments';
import { studioPaths } from '../../schemas/paths';

describe('the body of POST /orders/{id}/payments', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no amount', { amountCents: undefined }, 'amountCents'],
    ['0 cents', { amountCents: 0 }, 'amountCents'],
    ['half a cent', { amountCents: 1.5 }, 'amountCents'],
    ['an amount as text', { amountCents: '1000' }, 'amountCents'],
    ['an empty id', { paymentId: '' }, 'paymentId'],
    ['an id that cannot be in a URL', { paymentId: '.' }, 'paymentId'],
    ['DEL in its id', { paymentId: 'p\u007f' }, 'paymentId'],
    ['a line break in its reference', { reference: 'bank\r\n1' }, 'reference'],
    ['a reference of 501 characters', { reference: 'x'.repeat(501) }, 'reference'],
    ['an invalid time', { receivedAt: 'yesterday' }, 'receivedAt'],
  ])('with %s is refused', (_title, fields, path) => {
    expect(studioPaths(paymentRequest, { paymentId: 'p-1', amountCents: 1000, ...fields })).toEqual([path]);
  });
});
