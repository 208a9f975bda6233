import { requestReadyMail } from '../../src/db/repositories/order-mails';
import { findFramedLines, writeProgress } from '../../src/db/repositories/stages';
import { findUncorrectedMilestones } from '../../src/db/repositories/timeline';
import type { RecordedMilestone } from '../../src/domain/correction';
import type { MessageOf } from '../../src/domain/order-messages';
import { framingIssue, stageProgress, type Stage } from '../../src/domain/stages';
import type { DatabaseSteps } from './kind';

/** Stores the progress of the order. An order that becomes ready gets its mail. */
export const stageReported = {
  load: (sql, orderId) => Promise.all([findUncorrectedMilestones(sql, orderId), findFramedLines(sql, orderId)]),
  async store({ sql, orderId, before, now }, { type, lines }, [uncorrected, framedLines]) {
    const progress = stageProgress(framedLines, [...uncorrected, { type, lines: lines ?? null }]);
    const becomesReady = progress.stage === 'ready' && before.stage !== 'ready';
    await Promise.all([writeProgress(sql, orderId, progress), becomesReady && requestReadyMail(sql, orderId, now)]);
  },
} as const satisfies DatabaseSteps<MessageOf<Stage>, [RecordedMilestone[], boolean[]]>;

export const framed: DatabaseSteps<MessageOf<'framed'>, [RecordedMilestone[], boolean[]]> = {
  ...stageReported,
  check(_context, { lines }, [, framedLines]) {
    const refused = framingIssue(framedLines, lines);
    return refused === null ? null : { refused };
  },
};
