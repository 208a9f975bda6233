import { readUrl } from '../../../src/domain/urls';

/** Many similar calls, after which V8 compiles the function. */
const WARM_UP_CALLS = 30_000;

describe('a URL', () => {
  it.each([
    ['https://münchen-rahmen.de/haken', 'https://xn--mnchen-rahmen-wob.de/haken'], // one byte for each letter in memory
    ['https://額縁.jp/受信', 'https://xn--8h0an25c.jp/%E5%8F%97%E4%BF%A1'],
  ])('%s is parsed identically a thousand times', (text, href) => {
    const read = Array.from({ length: WARM_UP_CALLS }, () => readUrl(text)?.href ?? null);
    expect(new Set(read)).toEqual(new Set([href]));
  });

  it.each(['', 'x', 'example.com/x', '//example.com', 'https://', 'https://a b/', 'http://[::1', 'https://x:99999/'])(
    '%j is not a URL',
    (text) => expect(readUrl(text)).toBeNull(),
  );
});
