import { formatMoney } from '../../../src/documents/formatting';

describe('formatMoney', () => {
  it.each([
    ['AUD', '$1,234.50'],
    ['NZD', 'NZD 1,234.50'],
    ['HUF', 'HUF 1,234.50'],
    ['JPY', 'JPY 1,234.50'],
    ['KWD', 'KWD 1,234.50'],
  ])('prints hundredths of %s with two decimals', (currency, printed) => {
    expect([formatMoney(123_450, currency), formatMoney(-123_450, currency)]).toEqual([printed, `−${printed}`]);
  });
});
