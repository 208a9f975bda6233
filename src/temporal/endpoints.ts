import type { PingResult } from '../../activities/webhook-contract';
import type { webhookPing } from '../../workflows';
import { ANSWER_MS, type TemporalContext } from './options';

/** Pings that the studio asks for. They go through Temporal because only the relay's process talks to receivers. */
export class EndpointWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** A signed ping by the webhook worker; rejects when it does not answer in time. */
  ping(endpointId: string, requestId: string): Promise<PingResult> {
    const { client, breaker, settings } = this.context;
    return breaker.run(() =>
      client.withDeadline(Date.now() + ANSWER_MS, () =>
        client.workflow.execute<typeof webhookPing>('webhookPing', {
          workflowId: `ping/${endpointId}/${requestId}`,
          workflowIdConflictPolicy: 'USE_EXISTING',
          taskQueue: settings.webhooksTaskQueue,
          args: [{ endpointId }],
          staticSummary: `Ping of ${endpointId}`,
          workflowExecutionTimeout: '1m',
        }),
      ),
    );
  }
}
