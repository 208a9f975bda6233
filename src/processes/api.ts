import type { Server } from 'node:http';
import { createArrivalRecorder } from '../artwork/arrivals';
import { loadConfig } from '../config';
import { acceptAdminToken } from '../db/seed';
import { artworkDir, createDependencies, type Dependencies } from '../dependencies';
import { closeServer, listen } from '../http-server/listen';
import { createTradeApp } from '../http/app';
import { createStudioApp } from '../http/studio/app';
import { onTermination, runAsProcess } from './run-as-process';
import { startStorageServer } from '../storage';

/** The listeners of one API process. */
export type ApiProcess = Awaited<ReturnType<typeof startApi>>;

/** Starts trade API, studio API and, unless S3 is used, the embedded store. */
export async function startApi(deps: Dependencies) {
  const { config } = deps;
  if (config.studioAdminToken !== null) await acceptAdminToken(deps.database, config.studioAdminToken, deps.clock.now());
  deps.workflowStarter.startPolling();
  deps.changeFeed.startCleanup();
  const storage =
    config.s3 === null
      ? await startStorageServer({
          dir: artworkDir(config),
          secret: deps.storageSecret,
          bindAddress: config.bindAddress,
          port: config.storagePort,
          publicUrl: config.storagePublicUrl,
          logger: deps.logger,
          arrivalRecorder: createArrivalRecorder(deps),
          reserveBytes: config.storageReserveBytes,
          clock: () => deps.clock.now().getTime(),
        })
      : null;
  const trade = await listen(createTradeApp(deps).callback(), config.apiPort, config.bindAddress);
  const studio = await listen(createStudioApp(deps).callback(), config.studioPort, config.bindAddress);
  return {
    tradePort: portOf(trade),
    studioPort: portOf(studio),
    storagePort: storage?.port ?? null,
    /** Stops accepting connections and finishes running requests within ten seconds. */
    async close() {
      // First, because event streams never end by themselves.
      deps.eventStreams.close();
      await Promise.all([closeServer(trade), closeServer(studio), storage?.close()]);
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'api');
  const api = await startApi(deps);
  deps.logger.info({ trade: api.tradePort, studio: api.studioPort, storage: api.storagePort }, 'listening');
  await onTermination();
  deps.logger.info('stopping');
  await api.close();
  await deps.close();
}

runAsProcess(module, main);
