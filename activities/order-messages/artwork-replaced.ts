import { firstCheckAt } from '../../src/artwork/order-artwork';
import {
  findArtworkUrls,
  findNextCheck,
  findUploadUrlForOrder,
  lockArtwork,
  replaceArtwork,
  requestComparison,
} from '../../src/db/repositories/order-artwork';
import { artworkLineIssue } from '../../src/domain/order-issues';
import type { ArtworkReplaced } from '../../src/domain/order-messages/artwork-replaced';
import { hasStarted } from '../../src/domain/order-status';
import type { DatabaseSteps } from './kind';

export const artworkReplaced: DatabaseSteps<ArtworkReplaced, { urls: (string | null)[]; url: string | null }> = {
  locksUploads: true,
  async load(sql, orderId, { uploadId }) {
    const [, urls, url] = await Promise.all([
      lockArtwork(sql, orderId, uploadId),
      findArtworkUrls(sql, orderId),
      findUploadUrlForOrder(sql, orderId, uploadId),
    ]);
    return { urls, url };
  },
  check(_context, { line, uploadId }, { urls, url }) {
    const refused = artworkLineIssue(line, urls);
    if (refused !== null) return { refused };
    if (url === null) return { refused: `the upload ${uploadId} no longer exists; send the file as a new upload` };
    return url === urls[line] ? 'unchanged' : null;
  },
  /** If production has started, the file is compared with the order again. An erasure finds the replaced upload in the timeline. */
  async prepare({ deps, sql, orderId, facts, now }, { line, uploadId }) {
    const replacedUploadId = await replaceArtwork(sql, { orderId, line, uploadId, firstCheckAt: firstCheckAt(deps, now) }, now);
    if (hasStarted(facts)) await requestComparison(sql, orderId);
    return { content: { replacedUploadId }, artworkDue: (await findNextCheck(sql, orderId))?.toISOString() ?? null };
  },
};
