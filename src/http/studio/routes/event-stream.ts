import { tokenStands } from '../../../db/repositories/tokens';
import type { Answer } from '../../types';
import type { StudioRequest } from '../types';

/** `GET /events/stream`: what changes, by ids, until somebody hangs up (ruling 62). */
export async function getEventStream({ deps, caller }: StudioRequest): Promise<Answer> {
  const stands = (): Promise<boolean> => tokenStands(deps.database, caller.tokenId);
  return {
    stream: { contentType: 'text/event-stream', body: await deps.eventStreams.begin({ key: caller.tokenId, role: caller.role, stands }) },
  };
}
