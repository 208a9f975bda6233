import { readFilters } from '../../../../../src/http/filters';
import { DELIVERY_FILTERS } from '../../../../../src/http/studio/deliveries';
import { ORDER_FILTERS } from '../../../../../src/http/studio/orders';
import { validationPathsOf } from '../../schemas/paths';

describe('the filters of the lists of the studio', () => {
  it.each([
    ['status=exploded', 'query.status'],
    ['environment=prod', 'query.environment'],
    ['accountId=gallery', 'query.accountId'],
    ['q=', 'query.q'],
    ['q=%00', 'query.q'],
    [`q=${'x'.repeat(201)}`, 'query.q'],
    ['status=received&status=shipped', 'query.status'],
  ])('GET /orders?%s is refused', (query, path) => {
    expect(validationPathsOf(() => readFilters(new URLSearchParams(query), ORDER_FILTERS))).toEqual([path]);
  });

  it.each([
    ['state=sent', 'query.state'],
    ['environment=both', 'query.environment'],
    ['state=held&state=failed', 'query.state'],
    ['endpointId=x', 'query.endpointId'],
    ['orderId=whe_00', 'query.orderId'],
  ])('GET /deliveries?%s is refused', (query, path) => {
    expect(validationPathsOf(() => readFilters(new URLSearchParams(query), DELIVERY_FILTERS))).toEqual([path]);
  });
});
