import { targetLifetimeSeconds } from '../../../src/domain/artwork-rules';
import { READ_URL_SECONDS, signedUrl, signGrant, unsignedUrl, verifyGrant, type UrlGrant } from '../../../src/security/signed-urls';

const SECRET = 'secret';
const EXPIRES = 1_800_000_000;
const BEFORE = EXPIRES * 1000 - 1;
const upload: UrlGrant = { method: 'PUT', key: 'artwork/a/b.png', sizeBytes: 10, expiresAtSeconds: EXPIRES };
const read: UrlGrant = { method: 'GET', key: 'artwork/a/b.png', expiresAtSeconds: EXPIRES };

function verifyUrl(url: string, method: 'PUT' | 'GET' = 'PUT', nowMs = BEFORE, secret = SECRET): string {
  const { pathname, searchParams } = new URL(url);
  return verifyGrant({ method, key: pathname.slice(1), query: searchParams }, secret, nowMs).verdict;
}

const url = signedUrl('http://store', upload, SECRET);

describe('signed URLs', () => {
  test('an issued URL is valid until its last millisecond, then expired', () => {
    expect(verifyUrl(url)).toBe('valid');
    expect(verifyUrl(url, 'PUT', EXPIRES * 1000)).toBe('expired');
  });

  test('a signed URL that lasts longer than the service allows is invalid; a clock set back by seconds does not invalidate one', () => {
    const readUrl = signedUrl('http://store', read, SECRET);
    const large: UrlGrant = { ...upload, sizeBytes: 100_000_000 };
    for (const [each, method, seconds] of [
      [url, 'PUT', targetLifetimeSeconds(upload.sizeBytes)],
      [signedUrl('http://store', large, SECRET), 'PUT', targetLifetimeSeconds(upload.sizeBytes) + 600],
      [readUrl, 'GET', READ_URL_SECONDS],
    ] as const) {
      const issuedAtMs = (EXPIRES - seconds) * 1000;
      expect([0, 30_000, 61_000, 365 * 86_400_000].map((earlierMs) => verifyUrl(each, method, issuedAtMs - earlierMs))).toEqual([
        'valid',
        'valid',
        'invalid',
        'invalid',
      ]);
    }
  });

  test('the result has the granted rights', () => {
    const { searchParams } = new URL(url);
    const judged = verifyGrant({ method: 'PUT', key: upload.key, query: searchParams }, SECRET, BEFORE);
    expect(judged).toEqual({ verdict: 'valid', grant: upload });
  });

  test.each([
    ['another key', url.replace('b.png', 'c.png')],
    ['another size', url.replace('size=10', 'size=11')],
    ['a size in another notation', url.replace('size=10', 'size=010')],
    ['a size with a sign', url.replace('size=10', 'size=%2B10')],
    ['another expiry', url.replace(String(EXPIRES), String(EXPIRES + 1))],
    ['an expiry in exponent form', url.replace(String(EXPIRES), '18e8')],
    ['another signature', url.replace(/signature=./, (text) => (text.endsWith('0') ? 'signature=1' : 'signature=0'))],
    ['an upper-case signature', url.replace(/[0-9a-f]{64}/, (mac) => mac.toUpperCase().replace(/^[0-9]/, 'A'))],
    ['half a signature', url.replace(/[0-9a-f]{32}$/, '')],
    ['no signature', url.replace(/&signature=.*/, '')],
    ['no size', url.replace('size=10&', '')],
    ['no expiry', url.replace(/expires=[0-9]+&/, '')],
    ['a second size', `${url}&size=10`],
    ['a second signature', `${url}&signature=${'0'.repeat(64)}`],
  ])('%s is invalid', (_case, tampered) => {
    expect(tampered).not.toBe(url);
    expect(verifyUrl(tampered)).toBe('invalid');
  });

  test('a forged URL is invalid, never expired', () => {
    expect(verifyUrl(url.replace('size=10', 'size=11'), 'PUT', EXPIRES * 2000)).toBe('invalid');
  });

  test('a read signature cannot write, and a write signature cannot read', () => {
    const readUrl = signedUrl('http://store', read, SECRET);
    expect(verifyUrl(readUrl, 'GET')).toBe('valid');
    expect(verifyUrl(`${readUrl}&size=10`, 'PUT')).toBe('invalid');
    expect(verifyUrl(url, 'GET')).toBe('invalid');
  });

  test('another secret gives another signature', () => {
    expect(verifyUrl(url, 'PUT', BEFORE, 'other')).toBe('invalid');
    expect(signGrant(upload, 'other')).not.toBe(signGrant(upload, SECRET));
  });

  test('a final slash of the base address is not doubled', () => {
    expect(unsignedUrl('http://store/', 'artwork/a/b.png')).toBe('http://store/artwork/a/b.png');
  });
});
