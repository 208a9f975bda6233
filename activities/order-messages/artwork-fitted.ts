import {
  clearShapeAttention,
  findArtworkUrls,
  findLineFit,
  findUploadUrlForOrder,
  lockArtwork,
  setLineFit,
} from '../../src/db/repositories/order-artwork';
import type { ArtworkFit } from '../../src/domain/artwork-fit';
import { artworkLineIssue } from '../../src/domain/order-issues';
import type { ArtworkFitted } from '../../src/domain/order-messages/artwork-fitted';
import type { DatabaseSteps } from './kind';

/** Locks the uploads, because a running inspection raises attention by the line's choice. */
export const artworkFitted: DatabaseSteps<ArtworkFitted, { urls: (string | null)[]; current: ArtworkFit | null; seen: string | null }> = {
  action: 'artwork.fit',
  locksUploads: true,
  async load(sql, orderId, { line, uploadId }) {
    const [, urls, current, seen] = await Promise.all([
      lockArtwork(sql, orderId, null),
      findArtworkUrls(sql, orderId),
      findLineFit(sql, orderId, line),
      uploadId ? findUploadUrlForOrder(sql, orderId, uploadId) : null,
    ]);
    return { urls, current, seen };
  },
  check(_context, { line, fit, uploadId }, { urls, current, seen }) {
    const refused = artworkLineIssue(line, urls);
    if (refused !== null) return { refused };
    if (uploadId && seen !== urls[line]) return { refused: 'the artwork was replaced; look at the new picture first' };
    return current === fit ? 'unchanged' : null;
  },
  /** If the client replaces the artwork, its own choice counts again. */
  prepare: async (_context, _message, { current }) => ({ content: { replacedFit: current } }),
  store: ({ sql, orderId }, { line, fit }) => setLineFit(sql, orderId, line, fit),
  attend: ({ sql, orderId, now }, { line }) => clearShapeAttention(sql, orderId, line, now),
};
