interface AccountValues {
  name: string;
  email: string;
  discountPercent: number | string;
  credit: 'limited' | 'unlimited' | 'none';
  limit: string;
  termsDays: number | string;
}
type Problems = Record<string, string | false>;
// The console has its own build settings, with modules for browsers only.
const { parseCents } = require('../../../packages/console/src/shared/amount') as {
  parseCents: (typed: string, currency: string) => number | null;
};
const { problemsOf, termsOf, NEW_ACCOUNT } = require('../../../packages/console/src/screens/accounts/account-form') as {
  problemsOf: (values: AccountValues, currency: string) => Problems;
  termsOf: (values: AccountValues, currency: string) => object;
  NEW_ACCOUNT: AccountValues;
};

it.each([
  [150, 30],
  [-1, 30],
  ['', 30],
  [0, 366],
])('a discount of %j and terms of %j are a problem', (discountPercent, termsDays) => {
  const { discountPercent: discount, termsDays: terms } = problemsOf({ ...NEW_ACCOUNT, discountPercent, termsDays }, 'AUD');
  expect([discount, terms].filter((problem) => problem !== false)).toHaveLength(1);
});

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
    expect(parseCents(typed, 'AUD')).toBe(cents);
  });

  it('an amount in another currency is invalid', () => {
    expect([parseCents('USD 20', 'AUD'), parseCents('€20', 'AUD'), parseCents('$20', 'EUR'), parseCents('€20', 'EUR')]).toEqual([
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
  ])('“%s” is invalid instead of a hundred times the intended amount', (typed) => expect(parseCents(typed, 'AUD')).toBeNull());

  it('the account form converts percent, the credit limit and days, and reports each wrong field', () => {
    const values = { ...NEW_ACCOUNT, name: ' Gallery North ', email: 'north@example.com', discountPercent: 7.55, limit: '1,250.50' };
    const read = (part: Partial<AccountValues>): object => termsOf({ ...values, ...part }, 'AUD');
    const terms = { name: 'Gallery North', tradeDiscountBps: 755, creditLimitCents: 125_050, paymentTermsDays: 30, readyMail: 'customer' };
    expect(read({})).toEqual({ ...terms, email: 'north@example.com' });
    expect([read({ credit: 'unlimited' }), read({ credit: 'none' })]).toMatchObject([{ creditLimitCents: null }, { creditLimitCents: 0 }]);
    const wrongFields = (part: Partial<AccountValues>): string[] =>
      Object.entries(problemsOf({ ...values, ...part }, 'AUD')).flatMap(([field, problem]) => (problem === false ? [] : [field]));
    expect(wrongFields({})).toEqual([]);
    expect(wrongFields(NEW_ACCOUNT)).toEqual(['name', 'email', 'limit']);
    expect(wrongFields({ email: 'north', discountPercent: '', limit: '1250,50', termsDays: '' })).toEqual([
      'email',
      'discountPercent',
      'limit',
      'termsDays',
    ]);
    expect(wrongFields({ credit: 'none', limit: '' })).toEqual([]);
  });
});
