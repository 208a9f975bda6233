import { parseNumberStart, parseSearch, searchTerms } from '../../../src/domain/search-text';

describe('the start of a number', () => {
  it.each([
    ['INV-10001', 'live', { of: 'invoice', start: 'INV-10001' }],
    [' inv-1 ', 'live', { of: 'invoice', start: 'INV-1' }],
    ['INV10001', 'live', { of: 'invoice', start: 'INV-10001' }],
    ['inv', 'live', { of: 'invoice', start: 'INV-' }],
    ['10001', 'live', { of: 'invoice', start: 'INV-10001' }],
    ['10001', 'test', { of: 'invoice', start: 'TINV-10001' }],
    ['TINV-7', 'test', { of: 'invoice', start: 'TINV-7' }],
    ['cn-1', 'live', { of: 'credit_note', start: 'CN-1' }],
    ['TCN-1', 'test', { of: 'credit_note', start: 'TCN-1' }],
    ['p-10', 'live', { of: 'order', start: 'P-10' }],
    ['T10', 'test', { of: 'order', start: 'T-10' }],
    ['INV-1', 'test', null],
    ['TINV-1', 'live', null],
    ['IN', 'live', null],
    ['', 'live', null],
    ['-1', 'live', null],
    ['INV--1', 'live', null],
    ['INV-1-R1', 'live', null],
    ['INV-1%', 'live', null],
    ['Gallery', 'live', null],
    ['constructor', 'live', null],
    ['1234567890123456', 'live', null],
  ] as const)('%s in %s', (q, environment, expected) => {
    expect(parseNumberStart(q, environment)).toEqual(expected);
  });
});

describe('the text to search orders', () => {
  const isText = (q: string): boolean => 'terms' in (parseSearch(q, 'live') ?? {});

  it.each(['s-1', 's1', '--1', 'ab', 'a b', ' x ', 'p-1', '...', ''])('“%s” is too short', (q) => {
    expect(isText(q)).toBe(false);
  });

  it.each(['s-10', 'abc', 'a b c', 'u0065e5', 'ada@example.com'])('“%s” is long enough', (q) => {
    expect(isText(q)).toBe(true);
  });

  it.each<[string, string[][][]]>([
    ["o'neill, (siobhan).", [[["%o'neill%"]], [['%siobhan%']]]],
    ['smith smith & co', [[['%smith%']], [['% co%']]]],
    [String.raw`50%_\x`, [[[String.raw`%50\%\_\\x%`]]]],
    ['1234.50', [[['% 1234.50%']]]],
    ['zoe 0412 345 678 x', [[['%zoe%']], [['%0412%', '%345%', '%678%'], ['%678%', '%412345%'], ['%412345678%']], [['% x%']]]],
    ['3000 0412 345678', [[['%3000%', '%0412%', '%345678%'], ['%345678%', '%30000412%'], ['%30000412345678%'], ['%3000%', '%412345678%']]]],
    ['1234.50 0412345678', [[['% 1234.50%', '%0412345678%'], ['%1234500412345678%'], ['% 1234.50%', '%412345678%']]]],
    ['+61 (0)412345678', [[['% +61%', '%0)412345678%'], ['%412345678%'], ['% +61%', '%412345678%']]]],
    ['12 34', [[['% 12%']], [['% 34%']]]],
    ['% _ &', []],
  ])('%s', (form, terms) => {
    expect(searchTerms(form)).toEqual(terms);
  });

  it.each(['01 ', '0123456 ', '01 01 01 01 01 x ', '+1 (2) 03 '])('%s, repeated to the longest search, has few patterns', (words) => {
    const form = words.repeat(200).slice(0, 200);
    expect(searchTerms(form).flat(2).length).toBeLessThan(1000);
  });
});
