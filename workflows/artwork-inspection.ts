import { proxyActivities } from '@temporalio/workflow';
import type { ArtworkActivities } from '../activities/artwork-contract';
import { MAX_INSPECTION_MS, type InspectionState } from '../src/domain/inspection';
import type { InspectionInput } from './artwork-messages';

/** Retried without end, because only a fault of the service fails it. If a worker is killed, the inspection starts again within a minute. */
const { inspectArtwork } = proxyActivities<ArtworkActivities>({
  startToCloseTimeout: MAX_INSPECTION_MS,
  heartbeatTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'inspect the picture',
});

/**
 * Inspects the file of an upload, and inspects again if the file was replaced meanwhile. Runs after the upload, and before an order that
 * uses the file is produced.
 */
export async function artworkInspection({ uploadId }: InspectionInput): Promise<InspectionState | 'gone'> {
  for (;;) {
    const result = await inspectArtwork({ uploadId });
    if (result !== 'replaced') return result;
  }
}
