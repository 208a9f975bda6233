import { parseSearch } from '../../../src/domain/search-text';

// The console has its own build settings, with modules for browsers only.
const { isShort } = require('../../../packages/console/src/screens/board/short') as { isShort: (typed: string) => boolean };

describe('the text to search orders', () => {
  it.each(['S-1', 's1', '--1', 'ab', 'a b', ' x ', '1', 'P-1', 'ß', 'é1', 'ø1', '...'])('“%s” is too short to search', (typed) => {
    expect(isShort(typed)).toBe(true);
  });

  it.each(['S-10', 'abc', 'a b c', 'ßa', 'éab', 'ø12', '日', 'P-100', 'ada@example.com'])('“%s” is long enough to search', (typed) => {
    expect(isShort(typed)).toBe(false);
  });

  it('has the same length as in the API', () => {
    const tried = [
      'S-1',
      'S-10',
      'ß',
      'ßa',
      'Æ1',
      'é1',
      'éab',
      'ø1',
      'ø12',
      'łđ',
      'ŧħı',
      '日',
      'a-b-c',
      'Œ-',
      'ð1',
      'ﬁ1',
      'İ1',
      '½',
      '...',
    ];
    const isText = (typed: string): boolean => 'text' in (parseSearch(typed, 'live') ?? {});
    expect(tried.map((typed) => [typed, isShort(typed)])).toEqual(tried.map((typed) => [typed, !isText(typed)]));
  });
});
