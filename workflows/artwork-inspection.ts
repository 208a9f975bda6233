import { proxyActivities } from '@temporalio/workflow';
import type { ArtworkActivities } from '../activities/artwork-contract';
import type { InspectionState } from '../src/domain/inspection';
import type { InspectionInput } from './artwork-messages';

/** Retried without end during an outage of the store. After a worker is killed, the inspection starts again within a minute. */
const { inspectArtwork } = proxyActivities<ArtworkActivities>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'inspect the picture',
});

/**
 * Inspects the file of an upload, and inspects it again if the file was replaced meanwhile. Runs after the upload and before production of
 * an order that uses it (ruling 60).
 */
export async function artworkInspection({ uploadId }: InspectionInput): Promise<InspectionState | 'gone'> {
  for (;;) {
    const result = await inspectArtwork({ uploadId });
    if (result !== 'replaced') return result;
  }
}
