import { countErasableOf, erase } from '../../../orders/erase';
import type { ErasureRequest } from '../schemas/erasure';
import type { Answer } from '../../types';
import { audited } from '../audited';
import type { StudioRequest } from '../types';
import { existingAccountId } from './accounts';

/**
 * `POST /accounts/{id}/erase`: replaces the personal data of the account's settled orders that were placed before a time, and of its quotes
 * that expired unordered before it. A dry run only counts. The audit log is written before anything is gone. Where there is too much for
 * one call `complete` is false, and the same call goes on; once all is erased it finds nothing.
 */
export async function eraseAccount(request: StudioRequest<ErasureRequest>): Promise<Answer> {
  const { deps, body } = request;
  const accountId = await existingAccountId(request);
  const scope = { accountId, before: new Date(body.before), now: deps.clock.now() };
  const found = await countErasableOf(deps, scope);
  if (body.dryRun ?? false) return { data: { dryRun: true, ...found } };
  if (found.orders + found.quotes + found.artwork > 0) {
    const after = { before: scope.before.toISOString(), ...found };
    await audited(request, (_sql, record) => record({ action: 'account.erase', subject: accountId, before: null, after }));
  }
  return { data: { dryRun: false, ...(await erase(deps, scope)) } };
}
