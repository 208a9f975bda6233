import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';

/** One worker deployment for all task queues, because a release changes all of them together. */
const deploymentName = 'trade-print';
/**
 * gRPC codes NOT_FOUND, PERMISSION_DENIED and UNIMPLEMENTED. They mean that there is no current build: without versioning, Temporal may
 * lack deployments, and the API the permission to read them.
 */
const NO_DEPLOYMENT_CODES = [5, 7, 12];

export const deploymentVersion = (buildId: string): WorkerDeploymentVersion => ({ deploymentName, buildId });

/**
 * Makes Temporal route new tasks to the workers of this build. The migration runs before these workers start, so tasks wait for them. Needs
 * server 1.29 (https://github.com/temporalio/temporal/pull/8254).
 */
export async function setCurrentVersion({ workflowService, options: { namespace } }: Client, buildId: string): Promise<void> {
  await workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    ...deploymentVersion(buildId),
    allowNoPollers: true,
    ignoreMissingTaskQueues: true,
  });
}

/** Returns the current build, or null. A task queue uses the current build only after a worker of that build has polled it. */
export async function currentBuild({ workflowService, options: { namespace } }: Client): Promise<string | null> {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({ namespace, deploymentName });
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
  } catch (error) {
    if (isGrpcServiceError(error) && NO_DEPLOYMENT_CODES.includes(error.code)) return null;
    throw error;
  }
}
