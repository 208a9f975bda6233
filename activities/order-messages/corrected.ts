import { clearRejection } from '../../src/db/repositories/attention';
import { findFramedLines, writeProgress } from '../../src/db/repositories/stages';
import { findAppliedType, findUncorrectedMilestones } from '../../src/db/repositories/timeline';
import { floorUndoIssue, isCorrectable, replay, type RecordedMilestone } from '../../src/domain/correction';
import { eventStatus, type OrderMessageType } from '../../src/domain/order-messages';
import type { Corrected } from '../../src/domain/order-messages/corrected';
import { hasRole } from '../../src/domain/roles';
import { isStage, stageProgress } from '../../src/domain/stages';
import type { DatabaseSteps } from './kind';

/**
 * Recalculates the facts without the undone milestone, from the timeline, because the workflow's memory may be outdated (rulings 46, 56 and
 * 78).
 */
export const corrected: DatabaseSteps<Corrected, [OrderMessageType | null, RecordedMilestone[], boolean[]]> = {
  action: 'milestone.correct',
  load: (sql, orderId, { corrects }) =>
    Promise.all([findAppliedType(sql, orderId, corrects), findUncorrectedMilestones(sql, orderId), findFramedLines(sql, orderId)]),
  check({ sender, before: { token_role: role }, facts, now }, { corrects }, [type, uncorrected]) {
    if (type === null || !isCorrectable(type)) return { refused: refusalReason(type, corrects), code: 'CORRECTION_REFUSED' };
    if (role === null || !hasRole(role, 'office')) {
      const refused = floorUndoIssue(uncorrected, {
        milestoneId: corrects,
        tokenId: sender?.credentialId ?? null,
        badgeId: sender?.badgeId ?? null,
        now,
      });
      if (refused !== null) return { refused, code: 'FORBIDDEN' };
    }
    const remaining = uncorrected.filter(({ milestoneId }) => milestoneId !== corrects);
    const replayed = replay(facts, remaining);
    if ('refused' in replayed) return { ...replayed, code: 'CORRECTION_REFUSED' };
    return { change: { facts: replayed.facts, eventStatus: eventStatus(facts, replayed.facts) } };
  },
  async store({ sql, orderId }, { corrects }, [type, uncorrected, framedLines]) {
    const remaining = uncorrected.filter(({ milestoneId }) => milestoneId !== corrects);
    if (type !== null && isStage(type)) await writeProgress(sql, orderId, stageProgress(framedLines, remaining));
  },
  attend: ({ sql, orderId, now }, { corrects }) => clearRejection(sql, orderId, corrects, now),
};

function refusalReason(type: OrderMessageType | null, corrects: string): string {
  switch (type) {
    case null:
      return `no milestone ${corrects} has been applied to this order`;
    case 'cancelled':
      return 'a cancellation cannot be undone, because it has voided the invoice; the client must place a new order';
    case 'corrected':
      return 'a correction cannot be undone; send the milestone again under a new milestoneId';
    default:
      return `${corrects} is of type ${type}, not a milestone: void the parcel or reverse the payment instead`;
  }
}
