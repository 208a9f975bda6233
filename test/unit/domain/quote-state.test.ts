import { assertOrderable, orderIdOfQuote, quoteState } from '../../../src/domain/quote-state';

const EXPIRES = new Date('2026-03-02T09:00:00.000Z');
const at = (offsetMs: number) => new Date(EXPIRES.getTime() + offsetMs);
const quote = (consumed = false) => ({
  quoteId: 'quo_abc',
  environment: 'test' as const,
  expiresAt: EXPIRES,
  consumedAt: consumed ? at(-1000) : null,
});

describe('the state of a quote', () => {
  it.each([
    ['a millisecond before it expires', false, -1, 'held'],
    ['at the moment it expires', false, 0, 'expired'],
    ['after', false, 1, 'expired'],
    ['ordered, before it expires', true, -1, 'consumed'],
    ['ordered, after it expires', true, 1, 'consumed'],
  ] as const)('%s', (_title, consumed, offsetMs, state) => {
    expect(quoteState(quote(consumed), at(offsetMs))).toBe(state);
  });
});

describe('orderable quotes (ruling 3)', () => {
  it('a held quote can be ordered in its own environment', () => {
    expect(() => assertOrderable(quote(), 'test', at(-1))).not.toThrow();
  });

  it.each([
    ['the other environment precedes consumed and expired', true, 'live', 1, { code: 'QUOTE_ENVIRONMENT_MISMATCH' }],
    ['consumed precedes expired', true, 'test', 1, { code: 'QUOTE_ALREADY_ORDERED', details: { orderId: 'ord_abc' } }],
    ['expired names the time', false, 'test', 0, { code: 'QUOTE_EXPIRED', details: { expiresAt: '2026-03-02T09:00:00.000Z' } }],
  ] as const)('%s', (_title, consumed, environment, offsetMs, error) => {
    expect(() => assertOrderable(quote(consumed), environment, at(offsetMs))).toThrow(expect.objectContaining(error));
  });

  it('the ids of a quote and its order share their hexadecimal part', () => {
    expect(orderIdOfQuote('quo_0123abcd')).toBe('ord_0123abcd');
  });
});
