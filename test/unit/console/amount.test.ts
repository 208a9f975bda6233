interface Typed {
  discount: string;
  credit: 'amount' | 'without' | 'none';
  limit: string;
}
type Terms = { tradeDiscountBps: number; creditLimitCents: number | null } | null;
// The console is built by its own settings, as modules that only a browser loads.
const { centsOf } = require('../../../packages/console/src/shared/amount') as {
  centsOf: (typed: string, currency: string) => number | null;
};
const { bpsOf, fieldsOf, termsInWords, EMPTY } = require('../../../packages/console/src/screens/accounts/draft') as {
  bpsOf: (typed: string) => number | null;
  fieldsOf: (typed: Typed, currency: string) => Terms;
  termsInWords: (terms: Terms, currency: string) => string;
  EMPTY: Typed;
};

describe('amounts typed in the console', () => {
  it.each([
    ['12', 1200],
    ['12.5', 1250],
    ['0.29', 29],
    [' 1,234.50 ', 123_450],
    ['1,234,567', 123_456_700],
    ['1,234,567,890.12', 123_456_789_012],
    ['-3.20', -320],
    ['9999999999', 999_999_999_900],
    ['$20.00', 2000],
    ['$ 1,234.50', 123_450],
    ['AUD 20.00', 2000],
    ['20 aud', 2000],
    ['AUD $20', 2000],
  ])('%s is %d cents', (typed, cents) => {
    expect(centsOf(typed, 'AUD')).toBe(cents);
  });

  it('an amount in another currency is invalid', () => {
    expect([centsOf('USD 20', 'AUD'), centsOf('€20', 'AUD'), centsOf('$20', 'EUR'), centsOf('€20', 'EUR')]).toEqual([
      null,
      null,
      null,
      2000,
    ]);
  });

  it.each([
    '12,50',
    '7,5',
    '1,23',
    '1,2345',
    '1234,567',
    ',500',
    '1,,000',
    '1,000,',
    '1.000,50',
    '12.5,0',
    '12,',
    '1 000',
    '',
    '1.234',
    '$',
    'AUD',
    '$$5',
    '15%',
  ])('“%s” is invalid instead of a hundred times the intended amount', (typed) => expect(centsOf(typed, 'AUD')).toBeNull());

  it('a discount of 7,5 is refused, and the discount of an account is parsed unchanged', () => {
    expect([bpsOf('7,5'), bpsOf('7.5'), bpsOf('100'), bpsOf('100.01')]).toEqual([null, 750, 10_000, null]);
    expect([bpsOf('15%'), bpsOf('12.5 %'), bpsOf('%'), bpsOf('15%%'), bpsOf('$15')]).toEqual([1500, 1250, null, null, null]);
    const typed = { ...EMPTY, name: 'Gallery North', email: 'north@example.com', discount: '7.5', limit: '1,250.50' };
    const read = (part: Partial<Typed>): string => termsInWords(fieldsOf({ ...typed, ...part }, 'AUD'), 'AUD');
    expect(read({})).toBe('Its discount is 7.5 %, its credit limit AUD 1,250.50.');
    expect(read({ credit: 'without' })).toBe('Its discount is 7.5 %, its credit is without limit.');
    expect(read({ credit: 'none' })).toBe('Its discount is 7.5 %, it has no credit.');
    expect([fieldsOf({ ...typed, limit: '1250,50' }, 'AUD'), fieldsOf({ ...typed, discount: '7,5' }, 'AUD')]).toEqual([null, null]);
  });
});
