import { compareArtwork, checkAwaitedArtwork } from '../src/artwork/order-artwork';
import type { ActivityDeps } from './deps';

/**
 * Checks whether artwork that was missing when the order was placed has arrived.
 * @returns the time of the next check (RFC 3339), or null if no artwork is missing
 */
export async function checkMissingArtwork(deps: ActivityDeps, orderId: string): Promise<string | null> {
  return (await checkAwaitedArtwork(deps, orderId))?.toISOString() ?? null;
}

/**
 * Compares an order's artwork with the stored files in the background, because a slow store must not delay the studio. The scheduled sweep
 * repeats failed comparisons.
 */
export function startArtworkComparison(deps: ActivityDeps, orderId: string): void {
  compareArtwork(deps, orderId).catch((error: unknown) =>
    deps.logger.warn({ err: error, orderId }, 'comparing the artwork of an order failed; the sweep retries it'),
  );
}
