import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';

/** One worker deployment for all task queues: a release changes orders, webhooks and artwork together. */
const deploymentName = 'trade-print';
/** gRPC codes NOT_FOUND, PERMISSION_DENIED and UNIMPLEMENTED: without versioning, Temporal needs no deployments and the API no right to them. */
const NO_DEPLOYMENT_CODES = [5, 7, 12];

export const deploymentVersion = (buildId: string): WorkerDeploymentVersion => ({ deploymentName, buildId });

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

/** The build that `setCurrentVersion` set, or null. A task queue does not have it until a worker of the build polls there. */
export async function currentBuild({ workflowService, options: { namespace } }: Client): Promise<string | null> {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({ namespace, deploymentName });
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
  } catch (error) {
    if (isGrpcServiceError(error) && NO_DEPLOYMENT_CODES.includes(error.code)) return null;
    throw error;
  }
}
