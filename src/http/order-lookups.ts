import { findCatalogueNames } from '../db/repositories/invoice-documents';
import type { PricedJob } from '../domain/pricing/priced-quote';
import type { NameLookup } from '../documents/line-facts';
import type { HandlerDeps } from './deps';

interface RequestDeps {
  deps: HandlerDeps;
}

/** Names of the materials of lines. */
export function loadMaterialNames({ deps }: RequestDeps, { jobs }: { jobs: readonly PricedJob[] }): Promise<NameLookup> {
  const ids = jobs.flatMap(({ selections }) => Object.values(selections));
  return findCatalogueNames(deps.database, ids);
}
