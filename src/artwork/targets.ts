import { insertUpload, targetsLock, type NewUpload } from '../db/repositories/uploads';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { askAboutOpenTargets, type ArrivalDeps } from './arrivals';

/**
 * Stores an upload target, unless the account has as many open ones without bytes as it may: without that bound one key could fill the
 * store. Before anybody is refused the store is asked, because bytes may have come. @throws ApiError VALIDATION_ERROR (ruling 49)
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
