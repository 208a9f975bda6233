import { WorkflowFailedError } from '@temporalio/client';
import { newId } from '../security/ids';
import type { PingResult } from '../../activities/webhook-contract';
import type { artworkInspection } from '../../workflows/artwork-inspection';
import { inspectionWorkflowId } from '../../workflows/artwork-messages';
import type { documentSend } from '../../workflows/document-send';
import { quoteWorkflowId, runChanged, sendWorkflowId, statementRunWorkflowId } from '../../workflows/messages';
import type { quoteExpiry } from '../../workflows/quote-expiry';
import type { statementRun } from '../../workflows/statement-run';
import type { webhookPing } from '../../workflows/webhook-ping';
import { TemporalUnavailable } from './breaker';
import { startUnlessExists, type TemporalContext } from './options';

export class ArtworkWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** Resolves when the inspection of an upload has ended, when Temporal does not answer, or when `stop` aborts. */
  async waitForInspection(uploadId: string, stop: AbortSignal): Promise<void> {
    const { client } = this.context;
    const handle = client.workflow.getHandle<typeof artworkInspection>(inspectionWorkflowId(uploadId));
    await client.withAbortSignal(stop, () => handle.result()).catch(() => undefined);
  }

  /** Starts the inspection of an upload. @returns false if one is running, which also inspects the newest file */
  startInspection(uploadId: string): Promise<boolean> {
    return startUnlessExists<typeof artworkInspection>(this.context, 'artworkInspection', {
      workflowId: inspectionWorkflowId(uploadId),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      taskQueue: this.context.artworkTaskQueue,
      args: [{ uploadId }],
      staticSummary: `Inspection of ${uploadId}`,
    });
  }
}

/** Workflows that send mails with documents. */
export class SendWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** Sends a pending mail. @returns false if its workflow is running */
  start(sendId: string): Promise<boolean> {
    return startUnlessExists<typeof documentSend>(this.context, 'documentSend', {
      workflowId: sendWorkflowId(sendId),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      taskQueue: this.context.ordersTaskQueue,
      args: [{ sendId }],
      staticSummary: `Mail ${sendId}`,
    });
  }

  /** Starts a statement run, or makes a running one read its state again. */
  async startRun(runId: string): Promise<void> {
    const { client, breaker, ordersTaskQueue, timeouts } = this.context;
    await breaker.run(() =>
      client.withDeadline(Date.now() + timeouts.startMs, () =>
        client.workflow.signalWithStart<typeof statementRun>('statementRun', {
          workflowId: statementRunWorkflowId(runId),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          taskQueue: ordersTaskQueue,
          args: [{ runId }],
          signal: runChanged,
          signalArgs: [],
          staticSummary: `Statement run ${runId}`,
        }),
      ),
    );
  }
}

/** Workflows that wait until a quote expires. */
export class QuoteWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /**
   * Starts the timer of a quote. Does nothing if one is running or, by default, has ended.
   * @param reusePolicy ALLOW_DUPLICATE starts a lost timer again
   */
  async startTimer(
    quoteId: string,
    expiresAt: Date,
    reusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE' = 'REJECT_DUPLICATE',
  ): Promise<void> {
    const until = expiresAt.toISOString();
    await startUnlessExists<typeof quoteExpiry>(this.context, 'quoteExpiry', {
      workflowId: quoteWorkflowId(quoteId),
      workflowIdReusePolicy: reusePolicy,
      taskQueue: this.context.ordersTaskQueue,
      args: [{ quoteId, expiresAt: until }],
      staticSummary: `Expiry of ${quoteId} at ${until}`,
    });
  }
}

/** Pings for the studio. They go through Temporal, because only the relay's process connects to receivers. */
export class EndpointWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /**
   * Sends a signed ping through the webhook worker.
   * @throws TemporalUnavailable if the worker does not answer in time, or could not send it twice, such as a worker that stops
   */
  ping(endpointId: string, requestId: string): Promise<PingResult> {
    const { client, breaker, settings, timeouts } = this.context;
    const sent = breaker.run(() =>
      client.withDeadline(Date.now() + timeouts.responseMs, () =>
        client.workflow.execute<typeof webhookPing>('webhookPing', {
          workflowId: `ping/${endpointId}/${newId('msg')}`,
          memo: { requestId },
          taskQueue: settings.webhooksTaskQueue,
          args: [{ endpointId }],
          staticSummary: `Ping of ${endpointId}`,
          workflowExecutionTimeout: '1m',
        }),
      ),
    );
    return sent.catch((error: unknown) => {
      throw error instanceof WorkflowFailedError ? new TemporalUnavailable() : error;
    });
  }
}
