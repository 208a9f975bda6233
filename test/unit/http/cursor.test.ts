import { Cursors, readLimit, readPage, type CursorContent } from '../../../src/http/cursor';
import { validationPathsOf } from './schemas/paths';

const CURSORS = new Cursors('secret');
const LIST = 'orders/acc_00/test';
const POSITION: CursorContent = { pageCursor: { createdAt: new Date(1_700_000_000_000), id: 'ord_00' }, filters: '' };
const paths = (query: string): string[] => validationPathsOf(() => readPage(new URLSearchParams(query), CURSORS, LIST));

describe('the page parameters of a list', () => {
  it.each<[string, string[]]>([
    ['limit=0', ['query.limit']],
    ['limit=101', ['query.limit']],
    ['limit=-1', ['query.limit']],
    ['limit=1.5', ['query.limit']],
    ['limit=1e1', ['query.limit']],
    ['limit=abc', ['query.limit']],
    ['limit=', ['query.limit']],
    ['limit', ['query.limit']],
    ['limit=%2010', ['query.limit']],
    ['limit=10%20', ['query.limit']],
    ['limit=+5', ['query.limit']],
    ['limit=05', ['query.limit']],
    ['limit=0x10', ['query.limit']],
    ['limit=10&limit=10', ['query.limit']],
    ['limit=NaN', ['query.limit']],
    ['limit=%00', ['query.limit']],
    ['limit=١٠', ['query.limit']],
    ['limit=999999999999999999999', ['query.limit']],
    ['limit=null', ['query.limit']],
    ['limit=10%0A', ['query.limit']],
    ['cursor=', ['query.cursor']],
    ['cursor', ['query.cursor']],
    ['cursor=abc', ['query.cursor']],
    ['cursor=null', ['query.cursor']],
    ['cursor=%00', ['query.cursor']],
    ['cursor=%zz', ['query.cursor']],
    ['cursor=a&cursor=a', ['query.cursor']],
    [`cursor=${'a'.repeat(10_000)}`, ['query.cursor']],
    ['cursor=ord_00', ['query.cursor']],
    [`cursor=${Buffer.from('1700000000000.ord_00.00000000000000000000000000000000').toString('base64url')}`, ['query.cursor']],
  ])('?%s is refused at its parameter', (query, expected) => {
    expect(paths(query)).toEqual(expected);
  });

  it.each([1, 9, 10, 25, 99, 100])('limit=%d is accepted', (limit) => {
    expect(readLimit(new URLSearchParams({ limit: String(limit) }))).toBe(limit);
  });
});

describe('a cursor', () => {
  const cursor = CURSORS.issue(LIST, POSITION);

  it('is read as it was issued', () => {
    expect(CURSORS.read(LIST, cursor)).toEqual(POSITION);
  });

  it('with any one character changed is refused', () => {
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
      expect([at, paths(`cursor=${changed}`)]).toEqual([at, ['query.cursor']]);
    }
  });

  it('with more, fewer or other characters is refused', () => {
    for (const changed of [`${cursor}=`, `${cursor}A`, cursor.slice(0, -1), `%20${cursor}`, cursor.toLowerCase()])
      expect([changed, paths(`cursor=${changed}`)]).toEqual([changed, ['query.cursor']]);
  });

  it('of another list, or signed with another secret, is refused', () => {
    expect(validationPathsOf(() => CURSORS.read('orders/acc_00/live', cursor))).toEqual(['query.cursor']);
    expect(validationPathsOf(() => new Cursors('other').read(LIST, cursor))).toEqual(['query.cursor']);
  });
});
