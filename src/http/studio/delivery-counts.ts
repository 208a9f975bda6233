import { countUndelivered } from '../../db/repositories/delivery-counts';
import type { Environment } from '../../domain/limits';
import { UNDELIVERED } from '../../domain/webhook-rules';
import { presentDeliveryCounts } from '../../presenters/deliveries';
import * as json from '../openapi/json';
import type { Answer } from '../types';
import { readFilters } from '../filters';
import { environmentField } from './support/query-filters';
import { counts, ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const COUNT_FILTERS = { environment: environmentField } as const;

type DeliveryCounts = ReturnType<typeof presentDeliveryCounts>;

const DELIVERY_COUNTS = json.resource<DeliveryCounts>('DeliveryCounts', {
  environment: [ENVIRONMENT, 'live'],
  byState: [
    { ...counts(UNDELIVERED), description: 'of each at most 10,000 are counted' },
    { pending: 12, failed: 3, held: 10_000 },
  ],
});

export const DELIVERY_COUNTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/deliveries/counts',
    role: 'office',
    query: COUNT_FILTERS,
    id: 'countDeliveries',
    summary: 'How many deliveries there are now that have not arrived',
    description:
      'Those still tried, given up and held, whenever they were made; live ones unless test ones are asked for. Of each state at most 10,000 are counted: that many means so many or more.',
    answer: DELIVERY_COUNTS,
    handler: getDeliveryCounts,
  },
];

async function getDeliveryCounts({ deps, query }: StudioRequest): Promise<Answer> {
  const environment = (readFilters(query, COUNT_FILTERS).environment ?? 'live') as Environment;
  return { data: presentDeliveryCounts(environment, await countUndelivered(deps.database, environment)) };
}
