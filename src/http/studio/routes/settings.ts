import { lockCriticalRush, readCriticalRush, writeCriticalRush } from '../../../db/repositories/settings';
import { insertSeller, newestSeller } from '../../../db/repositories/sellers';
import type { SellerRow } from '../../../db/rows';
import { formatAbn, readAbn } from '../../../domain/abn';
import type { Answer } from '../../types';
import { audited } from '../audited';
import type { StudioRequest } from '../types';
import type { Settings, SettingsChange, StudioDetails } from '../schemas/settings';

export async function getSettings({ deps }: StudioRequest): Promise<Answer> {
  const [criticalRushEnabled, seller] = [await readCriticalRush(deps.database), await newestSeller(deps.database)];
  return { data: settingsOf(criticalRushEnabled, seller) };
}

/**
 * `PATCH /settings`: switches `critical` rush work, from the next quote on (specification "POST /quotes"), and tells what the studio says
 * of itself, from the next invoice on (ruling 64).
 */
export async function patchSettings(request: StudioRequest<SettingsChange>): Promise<Answer> {
  const { criticalRushEnabled, studio } = request.body;
  const now = request.deps.clock.now();
  const data = await audited(request, async (sql, record) => {
    const before = settingsOf(await lockCriticalRush(sql), await newestSeller(sql));
    if (criticalRushEnabled !== undefined) await writeCriticalRush(sql, criticalRushEnabled, now);
    if (studio !== undefined) await insertSeller(sql, { ...studio, abn: readAbn(studio.abn) }, now);
    const after = settingsOf(criticalRushEnabled ?? before.criticalRushEnabled, await newestSeller(sql));
    await record({ action: 'settings.change', subject: 'settings', before: { ...before }, after: { ...after } });
    return after;
  });
  return { data };
}

function settingsOf(criticalRushEnabled: boolean, seller: SellerRow | null): Settings {
  return { criticalRushEnabled, studio: seller === null ? null : detailsOf(seller) };
}

const detailsOf = ({ name, abn, address, bank }: SellerRow): StudioDetails => ({ name, abn: formatAbn(abn), address, bank });
