import { Prefetch } from '../../../src/db/repositories/admission';
import { ENDPOINTS } from '../../../src/http/trade/endpoints';
import { prefetching, type Answer, type Endpoint, type EndpointRow, type TradeRequest } from '../../../src/http/types';

/** The compiler holds what a handler gets to what its endpoint reads: `tsc` fails where an expected error is missing. */
describe('an endpoint that reads with its admission', () => {
  const { id, summary, answer } = ENDPOINTS.find(({ name }) => name === 'GET /quotes/{id}') as Endpoint;
  const row = {
    method: 'GET',
    path: '/quotes/:id',
    scope: 'price:read',
    perMinute: 120,
    id,
    summary,
    answer,
  } as const;
  const byNumber = () => new Prefetch<{ id: string; number: string }>('n.id, n.number', 'LEFT JOIN numbers n ON true', []);
  const answersNumber = async ({ prefetched }: TradeRequest<unknown, { number: string }>): Promise<Answer> => ({
    data: prefetched?.[0]?.number,
  });
  const answersTotal = async ({ prefetched }: TradeRequest<unknown, { total: number }>): Promise<Answer> => ({
    data: prefetched?.[0]?.total,
  });

  it('takes a handler of the rows that are read', () => {
    expect(prefetching({ ...row, prefetch: byNumber, handler: answersNumber }).prefetch).toBe(byNumber);
  });

  it('takes no handler of other rows, and no such handler where nothing is read', () => {
    // @ts-expect-error -- the prefetch promises no total
    const other = prefetching({ ...row, prefetch: byNumber, handler: answersTotal });
    // @ts-expect-error -- nothing is prefetched
    const nothing: EndpointRow = { ...row, handler: answersNumber };
    expect([other, nothing]).toHaveLength(2);
  });

  it('finds no row in the row of nulls that a left join answers', () => {
    expect(byNumber().rows([{ id: null }])).toEqual([]);
  });
});
