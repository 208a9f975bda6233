import { insertUpload, targetsLock, type NewUpload } from '../db/repositories/uploads';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { askAboutOpenTargets, type ArrivalDeps } from './arrivals';

/**
 * Stores an upload target. Where the store must be asked for what arrived, it is asked before anybody is refused.
 * @throws ApiError VALIDATION_ERROR where the account has as many open targets without bytes as it may (ruling 49)
 */
export async function openTarget(deps: ArrivalDeps, upload: NewUpload): Promise<void> {
  const insert = () => deps.database.transaction((sql) => insertUpload(sql, upload), targetsLock(upload.accountId));
  if ((await insert()) === null) return;
  await askAboutOpenTargets(deps, upload.accountId);
  const first = await insert();
  if (first === null) return;
  const message = `this account has ${LIMITS.openTargetsPerAccount} upload targets without bytes; send their bytes, or wait: the first of them closes at ${first.toISOString()}`;
  throw validationError([{ path: '', message }]);
}
