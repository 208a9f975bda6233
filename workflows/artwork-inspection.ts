import { proxyActivities } from '@temporalio/workflow';
import type { ArtworkActivities } from '../activities/artwork-contract';
import type { InspectionState } from '../src/domain/inspection';
import type { InspectionInput } from './artwork-messages';

/** Where the store is away it is tried again for as long as that takes. One whose worker is killed is begun again after a minute. */
const { inspectArtwork } = proxyActivities<ArtworkActivities>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'what picture it is',
});

/**
 * Looks at the bytes of an upload, again where others came meanwhile: after they arrived, and before an order that names them is worked on
 * (ruling 60).
 */
export async function artworkInspection({ uploadId }: InspectionInput): Promise<InspectionState | 'gone'> {
  for (;;) {
    const result = await inspectArtwork({ uploadId });
    if (result !== 'replaced') return result;
  }
}
