import { compareArtwork, checkAwaitedArtwork } from '../src/artwork/order-artwork';
import type { ActivityDeps } from './deps';

/** Looks for artwork that was not there at placing. @returns RFC 3339, when to look again; null: nothing is awaited any more */
export async function completeArtwork(deps: ActivityDeps, orderId: string): Promise<string | null> {
  return (await checkAwaitedArtwork(deps, orderId))?.toISOString() ?? null;
}

/** Not awaited, because the floor must not stand still for a store that is slow (ruling 59). What fails here the sweep does again. */
export function compareInBackground(deps: ActivityDeps, orderId: string): void {
  compareArtwork(deps, orderId).catch((error: unknown) =>
    deps.logger.warn({ err: error, orderId }, 'the artwork of an order was not compared; the sweep does it again'),
  );
}
