import path from 'node:path';
import { Worker } from '@temporalio/worker';
import { createArtworkActivities } from '../../activities';
import { ARTWORK_TASK_QUEUE } from '../../workflows/artwork-messages';
import { loadConfig } from '../config';
import { createDependencies, type Dependencies } from '../dependencies';
import { Inspector } from '../inspection/inspector';
import { InspectionStarts } from '../inspection/starts';
import { onTermination, runAsProcess } from './run-as-process';
import { runWorker } from './run-worker';
import { commonOptions, type WorkerSettings } from '../temporal/workers';

/** The worker of task queue `artwork`: one picture at a time, so that memory is bounded by one. */
export function createArtworkWorker(deps: Dependencies, pictures: Inspector, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonOptions(deps, settings),
    taskQueue: settings.taskQueue ?? ARTWORK_TASK_QUEUE,
    activities: createArtworkActivities({ ...deps, pictures }),
    maxConcurrentActivityTaskExecutions: 1,
  });
}

/** Where pictures lie while they are looked at. */
export function inspectionDir({ config }: Pick<Dependencies, 'config'>): string {
  return path.join(config.dataDir, 'inspection');
}

async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'inspector');
  const pictures = await Inspector.open(inspectionDir(deps), deps.logger);
  const starts = new InspectionStarts(deps);
  const termination = onTermination();
  await runWorker(
    deps,
    termination.then(() => starts.stop()),
    (settings) => createArtworkWorker(deps, pictures, settings),
    async () => starts.start(),
  );
  await pictures.close();
  await deps.close();
}

runAsProcess(module, main);
