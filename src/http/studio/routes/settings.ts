import { lockCriticalRush, readCriticalRush, writeCriticalRush } from '../../../db/repositories/settings';
import type { Answer } from '../../types';
import { audited } from '../audited';
import type { StudioRequest } from '../types';
import type { Settings } from '../schemas/settings';

export async function getSettings({ deps }: StudioRequest): Promise<Answer> {
  return { data: { criticalRushEnabled: await readCriticalRush(deps.database) } satisfies Settings };
}

/** `PATCH /settings`: switches `critical` rush work, from the next quote on (specification "POST /quotes"). */
export async function patchSettings(request: StudioRequest<Settings>): Promise<Answer> {
  const { criticalRushEnabled } = request.body;
  await audited(request, async (sql, record) => {
    const before = { criticalRushEnabled: await lockCriticalRush(sql) };
    await writeCriticalRush(sql, criticalRushEnabled, request.deps.clock.now());
    await record({ action: 'settings.change', subject: 'settings', before, after: { criticalRushEnabled } });
  });
  return { data: { criticalRushEnabled } satisfies Settings };
}
