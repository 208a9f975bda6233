import { quoteWorkflowId } from '../../workflows/messages';
import type { quoteHold } from '../../workflows';
import { START_MS, unlessStarted, type TemporalContext } from './options';

/** Workflows that wait for the end of a quote's 24 hours. */
export class QuoteWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** Starts the hold of an issued quote; does nothing where it runs, or has ended. */
  async startHold(quoteId: string, expiresAt: Date): Promise<void> {
    await this.start(quoteId, expiresAt, 'REJECT_DUPLICATE');
  }

  /** Starts the hold of a quote again after it was lost, whatever ran under its id before. */
  async resumeHold(quoteId: string, expiresAt: Date): Promise<void> {
    await this.start(quoteId, expiresAt, 'ALLOW_DUPLICATE');
  }

  private start(quoteId: string, expiresAt: Date, reuse: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE'): Promise<boolean> {
    const { client, breaker, ordersTaskQueue } = this.context;
    const until = expiresAt.toISOString();
    return unlessStarted(
      breaker.run(() =>
        client.withDeadline(Date.now() + START_MS, () =>
          client.workflow.start<typeof quoteHold>('quoteHold', {
            workflowId: quoteWorkflowId(quoteId),
            workflowIdReusePolicy: reuse,
            taskQueue: ordersTaskQueue,
            args: [{ quoteId, expiresAt: until }],
            staticSummary: `Hold of ${quoteId} until ${until}`,
          }),
        ),
      ),
    );
  }
}
