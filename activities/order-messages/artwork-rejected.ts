import { raiseAttention, rejectionSubject } from '../../src/db/repositories/attention';
import { findArtworkUrls } from '../../src/db/repositories/order-artwork';
import { formatLine } from '../../src/domain/line-quantities';
import { artworkLineIssue } from '../../src/domain/order-issues';
import type { MessageOf } from '../../src/domain/order-messages';
import { remadeArtworkRefusal } from '../../src/domain/remakes';
import type { DatabaseSteps } from './kind';

export const artworkRejected: DatabaseSteps<MessageOf<'artwork_rejected'>, (string | null)[]> = {
  load: findArtworkUrls,
  check({ before }, { line }, urls) {
    if (before.remake_of !== null) return { refused: remadeArtworkRefusal(before.remake_of) };
    const refused = artworkLineIssue(line ?? 0, urls);
    return refused === null ? null : { refused };
  },
  attend({ sql, orderId, now }, { milestoneId, line: sentLine, reason }) {
    const line = sentLine ?? 0;
    const occurrence = { orderId, code: 'ARTWORK_REJECTED', subject: rejectionSubject(milestoneId, line) } as const;
    return raiseAttention(sql, occurrence, `${formatLine(line)}: the artwork was rejected: ${reason}`, now);
  },
};
