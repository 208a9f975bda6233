import { LINE_FIELD, notBlank, text } from './fields';
import { artworkRefusal, firstUnprintedLine } from './artwork-replaced';
import { milestoneKind, UNUSED_ID } from './kind';

/** Rejects the artwork of a line, from 0. The client reads `reason`. The database stores rejections, so the facts stay the same. */
export const artworkRejected = milestoneKind<'artwork_rejected', { line?: number | null; reason?: string | null }>('artwork_rejected', {
  fields: { line: LINE_FIELD, reason: notBlank(text(500)) },
  alwaysChanges: true,
  example: (facts) => ({ type: 'artwork_rejected', milestoneId: UNUSED_ID, line: firstUnprintedLine(facts) }),
  decide: (facts, { line }) => artworkRefusal(facts, line ?? 0, 'rejected') ?? { facts },
});
