import { namesOf } from '../../../db/repositories/printed';
import type { StudioRecords } from '../../../db/repositories/studio-orders';
import type { NameOf } from '../../../documents/making';
import type { StudioRequest } from './types';

/** Names of the materials that lines are made of. */
export function namesIn({ deps }: StudioRequest, { jobs }: Pick<StudioRecords['order'], 'jobs'>): Promise<NameOf> {
  const ids = jobs.flatMap(({ selections }) => Object.values(selections));
  return namesOf(deps.database, ids);
}

/** What the studio calls the delivery method; null where none was said. */
export async function methodOf({ deps }: StudioRequest, of: { shipping_method: string | null }): Promise<string | null> {
  const { shipping_method: id } = of;
  return id === null ? null : deps.pricingTerms.methodName(deps.database, id, deps.clock.now());
}
