import { bodyIssues } from '../../../../src/http/schemas/validate';
import { pricesRequest } from '../../../../src/http/trade/prices';

it('refuses a list of more than 10 baskets with one issue', () => {
  const baskets = Array.from({ length: 19_001 }, () => ({}));
  expect(bodyIssues(pricesRequest, { baskets })).toEqual([{ path: 'baskets', message: 'must contain less than or equal to 10 items' }]);
});
