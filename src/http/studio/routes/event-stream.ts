import { stillStands, type StudioCredential } from '../../../db/repositories/sessions';
import type { Answer } from '../../types';
import type { StudioRequest } from '../types';

/** `GET /events/stream`: what changes, by ids, until somebody hangs up (ruling 62). */
export async function getEventStream({ deps, caller: { credential, role, tokenId } }: StudioRequest): Promise<Answer> {
  const body = await deps.eventStreams.begin({
    key: keyOf(credential, tokenId),
    tokenId,
    role,
    stands: () => stillStands(deps.database, credential),
  });
  return { stream: { contentType: 'text/event-stream', body } };
}

/** Several people may have signed in with one token; each browser is counted by itself, and all of them together. */
const keyOf = (credential: StudioCredential, tokenId: string): string =>
  credential.kind === 'session' ? credential.idHash.toString('hex') : tokenId;
