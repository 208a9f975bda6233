import { countUndelivered } from '../../../db/repositories/delivery-counts';
import type { Environment } from '../../../domain/limits';
import { presentDeliveryCounts } from '../../../presenters/delivery-counts';
import type { Answer } from '../../types';
import { readFilters } from '../filters';
import { COUNT_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';

/** `GET /deliveries/counts`: what has not arrived, of live deliveries unless test ones are asked for. */
export async function getDeliveryCounts({ deps, query }: StudioRequest): Promise<Answer> {
  const environment = (readFilters(query, COUNT_FILTERS).environment ?? 'live') as Environment;
  return { data: presentDeliveryCounts(environment, await countUndelivered(deps.database, environment)) };
}
