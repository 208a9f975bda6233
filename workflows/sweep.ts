import {
  compareArtwork,
  forgetExpired,
  handOverDeliveries,
  lineUpEvents,
  mailFailingEndpoints,
  resumeLostOrders,
  sweepArtwork,
} from './activity-proxies';

/**
 * Run by a Temporal Schedule: finds runs that were lost and forgets what has expired. Its result is what each step did. A step that fails
 * keeps no other from its end; the run fails afterwards.
 */
export async function sweep(): Promise<Record<string, number | string | null>> {
  const results = [
    handOverDeliveries(),
    resumeLostOrders(),
    mailFailingEndpoints(),
    forgetExpired(),
    lineUpEvents(),
    compareArtwork(),
    sweepArtwork(),
  ] as const;
  await Promise.allSettled(results);
  return Object.assign({}, ...(await Promise.all(results)));
}
