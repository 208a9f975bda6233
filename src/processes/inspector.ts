import { onTermination } from './signals';
import path from 'node:path';
import { Worker } from '@temporalio/worker';
import { createArtworkActivities } from '../../activities';
import { ARTWORK_TASK_QUEUE } from '../../workflows/artwork-messages';
import { childUser } from '../platform/child-user';
import { loadInspectorConfig } from '../config/config';
import { Inspector } from '../inspection/inspector';
import { MAX_CONCURRENT_INSPECTIONS, InspectionStarter } from '../inspection/inspection-starter';
import { createInspectorDependencies, type InspectorDependencies } from './inspector-dependencies';
import { runAsProcess } from './run-as-process';
import { runWorkers } from './run-workers';
import { commonWorkerOptions, type WorkerSettings } from '../temporal/workers';
import { workflowBundle } from '../temporal/workflow-bundle';

/** The worker of task queue `artwork`. It inspects few pictures at a time, to limit its memory. */
export async function createArtworkWorker(deps: InspectorDependencies, inspector: Inspector, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonWorkerOptions(deps, settings, MAX_CONCURRENT_INSPECTIONS),
    workflowBundle: await workflowBundle('artwork'),
    taskQueue: settings.taskQueue ?? ARTWORK_TASK_QUEUE,
    activities: createArtworkActivities({ ...deps, inspector }),
  });
}

/** The folder for pictures during their inspection. */
export function inspectionDir({ config }: { config: { dataDir: string } }): string {
  return path.join(config.dataDir, 'inspection');
}

async function main(): Promise<void> {
  const deps = await createInspectorDependencies(loadInspectorConfig());
  const termination = onTermination();
  const user = childUser(deps.config.childUser);
  deps.logger.info(
    { childUser: user },
    user === null ? 'picture decoders run as the user of this process' : 'picture decoders run as another user',
  );
  const inspector = await Inspector.open(inspectionDir(deps), deps.logger, { user, isHeicEnabled: deps.config.isHeicEnabled });
  const starter = new InspectionStarter(deps);
  await runWorkers(deps, termination, (settings) => [createArtworkWorker(deps, inspector, settings)], {
    whenRunning: async () => starter.start(),
    beforeStop: () => starter.stop(),
  });
  await inspector.close();
  await deps.close();
}

runAsProcess(module, main);
