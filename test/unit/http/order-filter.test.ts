import { ORDER_STATUSES } from '../../../src/domain/order-status';
import { readOrderFilter } from '../../../src/http/trade/orders/orders';
import { validationPathsOf } from './schemas/paths';

const read = (query: string) => readOrderFilter(new URLSearchParams(query));

describe('the filters of GET /orders', () => {
  it.each<[string, string[]]>([
    ['status=', ['query.status']],
    ['status=Received', ['query.status']],
    ['status=received,shipped', ['query.status']],
    ['status=received&status=shipped', ['query.status']],
    ['createdAfter=', ['query.createdAfter']],
    ['createdAfter=2026-01-01', ['query.createdAfter']],
    ['createdAfter=yesterday', ['query.createdAfter']],
    ['createdAfter=2026-02-30T00:00:00Z', ['query.createdAfter']],
    ['createdAfter=2026-01-01T00:00:00', ['query.createdAfter']],
    ['createdBefore=1767225600', ['query.createdBefore']],
    ['createdBefore=2026-01-01T00:00:00Z&createdBefore=2026-01-01T00:00:00Z', ['query.createdBefore']],
    ['reference=', ['query.reference']],
    [`reference=${'a'.repeat(129)}`, ['query.reference']],
    ['externalReference=%00', ['query.externalReference']],
    [`externalReference=${'a'.repeat(129)}`, ['query.externalReference']],
    ['externalReference=a&externalReference=a', ['query.externalReference']],
    [
      'status=x&createdAfter=x&createdBefore=x&externalReference=%00',
      ['query.status', 'query.createdAfter', 'query.createdBefore', 'query.externalReference'],
    ],
  ])('?%s is refused at each parameter', (query, paths) => {
    expect(validationPathsOf(() => read(query))).toEqual(paths);
  });

  it.each([
    ['status=done', `must be one of ${ORDER_STATUSES.join(', ')}`],
    ['createdAfter=2026-01-01', 'an RFC 3339 time such as 2026-01-31T09:30:00Z'],
    ['createdAfter=2026-01-01T00:00:00+10:00', 'encode a plus sign as %2B'],
  ])('?%s: the message says what would work', (query, message) => {
    expect(() => read(query)).toThrow(message);
  });
});
