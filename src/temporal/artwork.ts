import { inspectionWorkflowId } from '../../workflows/artwork-messages';
import type { artworkInspection } from '../../workflows';
import { START_MS, unlessStarted, type TemporalContext } from './options';

/** Workflows that look at artwork. */
export class ArtworkWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** Resolves when the look at an upload has ended, however it ended, when Temporal does not answer, and when `stop` is given. */
  async untilInspected(uploadId: string, stop: AbortSignal): Promise<void> {
    const { client } = this.context;
    const handle = client.workflow.getHandle<typeof artworkInspection>(inspectionWorkflowId(uploadId));
    await client.withAbortSignal(stop, () => handle.result()).catch(() => undefined);
  }

  /** Starts a look at the bytes of an upload; false where one is under way, which looks at whatever is there when it ends. */
  inspect(uploadId: string): Promise<boolean> {
    const { client, breaker, artworkTaskQueue } = this.context;
    return unlessStarted(
      breaker.run(() =>
        client.withDeadline(Date.now() + START_MS, () =>
          client.workflow.start<typeof artworkInspection>('artworkInspection', {
            workflowId: inspectionWorkflowId(uploadId),
            workflowIdReusePolicy: 'ALLOW_DUPLICATE',
            taskQueue: artworkTaskQueue,
            args: [{ uploadId }],
            staticSummary: `What picture ${uploadId} is`,
          }),
        ),
      ),
    );
  }
}
