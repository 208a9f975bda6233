import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';

/** One worker deployment for all task queues: a release changes orders, webhooks and artwork together. */
export const deploymentVersion = (buildId: string): WorkerDeploymentVersion => ({ deploymentName: 'trade-print', buildId });

/**
 * Makes Temporal give every new task to the workers of this build. It need not have any yet, because a deployment migrates before it
 * starts workers: tasks wait for the first. Needs server 1.29 (https://github.com/temporalio/temporal/pull/8254).
 */
export async function setCurrentVersion({ workflowService, options: { namespace } }: Client, buildId: string): Promise<void> {
  await workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    ...deploymentVersion(buildId),
    allowNoPollers: true,
    ignoreMissingTaskQueues: true,
  });
}
