import { findMaterials, type MaterialRecords } from '../db/repositories/invoice-documents';
import type { PricedJob } from '../domain/pricing/priced-quote';
import type { HandlerDeps } from './deps';

interface RequestDeps {
  deps: HandlerDeps;
}

/** Names and stock of the materials of lines. */
export function loadMaterials({ deps }: RequestDeps, { jobs }: { jobs: readonly PricedJob[] }): Promise<MaterialRecords> {
  const ids = jobs.flatMap(({ selections }) => Object.values(selections));
  return findMaterials(deps.database, ids);
}
