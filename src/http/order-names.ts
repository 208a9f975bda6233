import { namesOf } from '../db/repositories/printed';
import type { PricedJob } from '../domain/pricing/priced-quote';
import type { NameOf } from '../documents/making';
import type { HttpDeps } from './deps';

interface Asked {
  deps: HttpDeps;
}

/** Names of the materials that lines are made of. */
export function namesIn({ deps }: Asked, { jobs }: { jobs: readonly PricedJob[] }): Promise<NameOf> {
  const ids = jobs.flatMap(({ selections }) => Object.values(selections));
  return namesOf(deps.database, ids);
}

/** What the studio calls the delivery method; null where none was said. */
export async function methodOf({ deps }: Asked, of: { shipping_method: string | null }): Promise<string | null> {
  const { shipping_method: id } = of;
  return id === null ? null : deps.pricingTerms.methodName(deps.database, id, deps.clock.now());
}
