import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';

/** One worker deployment for all task queues, because a release changes all of them together. */
const deploymentName = 'trade-print';
/** gRPC codes NOT_FOUND, PERMISSION_DENIED and UNIMPLEMENTED: without versioning, Temporal needs no deployments and the API no right to them. */
const NO_DEPLOYMENT_CODES = [5, 7, 12];

export const deploymentVersion = (buildId: string): WorkerDeploymentVersion => ({ deploymentName, buildId });

/**
 * Makes Temporal route new tasks to the workers of this build. Its workers may start later, because a deployment migrates first; until then
 * tasks wait. Needs server 1.29 (https://github.com/temporalio/temporal/pull/8254).
 */
export async function setCurrentVersion({ workflowService, options: { namespace } }: Client, buildId: string): Promise<void> {
  await workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    ...deploymentVersion(buildId),
    allowNoPollers: true,
    ignoreMissingTaskQueues: true,
  });
}

/** The current build, or null. A task queue has it only after a worker of the build has polled there. */
export async function currentBuild({ workflowService, options: { namespace } }: Client): Promise<string | null> {
  try {
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment({ namespace, deploymentName });
    return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
  } catch (error) {
    if (isGrpcServiceError(error) && NO_DEPLOYMENT_CODES.includes(error.code)) return null;
    throw error;
  }
}
