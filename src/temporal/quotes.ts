import { quoteWorkflowId } from '../../workflows/messages';
import type { quoteHold } from '../../workflows';
import { START_MS, unlessStarted, type TemporalContext } from './options';

/** Holds of quotes. */
export class QuoteWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** Starts the hold of an issued quote; one that runs, or has ended, is as good. */
  async startHold(quoteId: string, expiresAt: Date): Promise<void> {
    const { client, breaker, ordersTaskQueue } = this.context;
    const until = expiresAt.toISOString();
    await unlessStarted(breaker.run(() => client.withDeadline(Date.now() + START_MS, () => client.workflow.start<typeof quoteHold>('quoteHold', {
      workflowId: quoteWorkflowId(quoteId),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      taskQueue: ordersTaskQueue,
      args: [{ quoteId, expiresAt: until }],
      staticSummary: `Hold of ${quoteId} until ${until}`,
    }))));
  }
}
