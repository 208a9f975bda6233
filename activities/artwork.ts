import { compareArtwork, checkAwaitedArtwork } from '../src/artwork/order-artwork';
import type { ActivityDeps } from './deps';

/** Checks for artwork that was missing when the order was placed. @returns the time of the next check (RFC 3339), or null if none is missing */
export async function completeArtwork(deps: ActivityDeps, orderId: string): Promise<string | null> {
  return (await checkAwaitedArtwork(deps, orderId))?.toISOString() ?? null;
}

/** Runs in the background: a slow store must not delay the studio (ruling 59). The sweep retries failed comparisons. */
export function compareInBackground(deps: ActivityDeps, orderId: string): void {
  compareArtwork(deps, orderId).catch((error: unknown) =>
    deps.logger.warn({ err: error, orderId }, 'comparing the artwork of an order failed; the sweep retries it'),
  );
}
