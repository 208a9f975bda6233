import { countOrders } from '../../../db/repositories/order-counts';
import { codesAbout, type AttentionAbout } from '../../../domain/attention';
import type { Environment } from '../../../domain/limits';
import { presentOrderCounts } from '../../../presenters/order-counts';
import type { Answer } from '../../types';
import { readFilters } from '../filters';
import { ORDER_COUNT_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';

/** `GET /orders/counts`: what a board has over its columns, of live orders unless test ones are asked for. */
export async function getOrderCounts({ deps, query }: StudioRequest): Promise<Answer> {
  const { environment: named, about } = readFilters(query, ORDER_COUNT_FILTERS);
  const environment = (named ?? 'live') as Environment;
  const codes = about === undefined ? null : codesAbout(about as AttentionAbout);
  const today = await deps.pricingTerms.today(deps.database, deps.clock.now());
  return { data: presentOrderCounts(environment, await countOrders(deps.database, { environment, codes, today })) };
}
