import {
  compareArtwork,
  forgetExpired,
  handOverDeliveries,
  assignEventPositions,
  mailAboutOrders,
  mailFailingEndpoints,
  resumeLostOrders,
  resumeSends,
  sweepArtwork,
} from './activity-proxies';
import { settleSteps } from './steps';

/** Run by a Temporal Schedule: resumes lost workflows and deletes expired data. Returns the results of all steps together. */
export function sweep(): Promise<Record<string, number | string | null>> {
  return settleSteps('SweepFailed', [
    handOverDeliveries(),
    resumeLostOrders(),
    mailFailingEndpoints(),
    mailAboutOrders(),
    forgetExpired(),
    assignEventPositions(),
    compareArtwork(),
    sweepArtwork(),
    resumeSends(),
  ]);
}
