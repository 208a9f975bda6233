import type { NamedSend } from '../db/repositories/sends';
import type { CountedRun } from '../db/repositories/statement-runs';
import { sendIdOf } from '../domain/sends';
import { fieldsOf } from './fields';

/** A mail with a document. `actor` is the token that sent it. */
export function presentSend(send: NamedSend) {
  return {
    id: send.id,
    sendId: sendIdOf(send.key),
    ...fieldsOf(
      send,
      'account_id',
      'account_name',
      'document',
      'document_number',
      'order_id',
      'order_number',
      'run_id',
      'step',
      'period_from',
      'period_to',
    ),
    ...fieldsOf(send, 'recipient', 'subject', 'message', 'state', 'failure', 'actor', 'created_at', 'ended_at'),
  };
}

/** The entry of a mail in the timeline of its order. */
export function presentSentEntry(send: NamedSend) {
  const at = send.created_at.toISOString();
  return {
    milestoneId: send.key,
    type: 'document_sent',
    outcome: send.state === 'refused' ? ('refused' as const) : ('applied' as const),
    reason: send.failure,
    note: send.document_number,
    corrects: null,
    carried: {},
    lines: null,
    actor: send.actor,
    occurredAt: at,
    recordedAt: at,
    correctable: false,
    undoableUntil: null,
    change: null,
    sendState: send.state,
  };
}

/** A statement run with its progress. */
export function presentRun({ sender_id: runId, pending, sent, refused, skipped, ...run }: CountedRun) {
  return {
    id: run.id,
    runId,
    ...fieldsOf(run, 'period_from', 'period_to', 'state'),
    accounts: pending + sent + refused + skipped,
    pending,
    sent,
    refused,
    skipped,
    ...fieldsOf(run, 'actor', 'created_at', 'ended_at'),
  };
}
