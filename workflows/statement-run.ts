import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  ParentClosePolicy,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { finishRun, nextSends, sendDocumentOnce } from './activity-proxies';
import type { documentSend } from './document-send';
import { runChanged, sendWorkflowId, type StatementRunInput } from './messages';

/**
 * Sends the statements of one run, one after another. PostgreSQL has its state: a paused run waits for a signal and reads it again. A mail
 * that the server does not take now is handed over to its own workflow, so it does not hold up the others. The run ends with its last mail,
 * so a pause also stops these.
 */
export async function statementRun({ runId, after = '' }: StatementRunInput): Promise<void> {
  let isChanged = false;
  setHandler(runChanged, () => {
    isChanged = true;
  });
  for (let last = after; ;) {
    isChanged = false;
    const { state, sendIds } = await nextSends({ runId, after: last });
    if (state === 'paused') {
      await condition(() => isChanged, undefined, { summary: 'paused' });
      continue;
    }
    if (state !== 'running') return;
    for (const sendId of sendIds) {
      await sendOrHandOver(sendId);
      last = sendId;
    }
    if (sendIds.length === 0) {
      if (await finishRun({ runId })) return;
      await condition(() => isChanged, '1m', { summary: 'mails are delayed' });
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof statementRun>({ runId, after: last });
  }
}

async function sendOrHandOver(sendId: string): Promise<void> {
  try {
    await sendDocumentOnce({ sendId });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    await handOver(sendId);
  }
}

async function handOver(sendId: string): Promise<void> {
  try {
    await startChild<typeof documentSend>('documentSend', {
      workflowId: sendWorkflowId(sendId),
      args: [{ sendId }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `Mail ${sendId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
