import { clearShapeAttention, findArtworkUrls, findLineFit, lockArtwork, setLineFit } from '../../src/db/repositories/order-artwork';
import type { ArtworkFit } from '../../src/domain/artwork-fit';
import { artworkLineIssue } from '../../src/domain/order-issues';
import type { ArtworkFitted } from '../../src/domain/order-messages/artwork-fitted';
import type { StoredKind } from './kind';

/** Locks the uploads, because a running inspection raises attention by the line's choice. */
export const artworkFitted: StoredKind<ArtworkFitted, { urls: (string | null)[]; current: ArtworkFit | null }> = {
  action: 'artwork.fit',
  locksUploads: true,
  async load(sql, orderId, { line }) {
    const [, urls, current] = await Promise.all([
      lockArtwork(sql, orderId, null),
      findArtworkUrls(sql, orderId),
      findLineFit(sql, orderId, line),
    ]);
    return { urls, current };
  },
  check(_context, { line, fit }, { urls, current }) {
    const refused = artworkLineIssue(line, urls);
    if (refused !== null) return { refused };
    return current === fit ? 'unchanged' : null;
  },
  store: ({ sql, orderId }, { line, fit }) => setLineFit(sql, orderId, line, fit),
  attend: ({ sql, orderId, now }, { line }) => clearShapeAttention(sql, orderId, line, now),
};
