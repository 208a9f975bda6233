import { onTermination } from './signals';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createArrivalRecorder } from '../artwork/arrivals';
import { loadConfig } from '../config/config';
import { acceptAdminToken } from '../db/seed';
import { artworkDir, createDependencies, type Dependencies } from './dependencies';
import { closeServer, listen } from '../http-server/listen';
import { createTradeApp } from '../http/app';
import { serviceChecks } from '../http/health';
import { createStudioApp } from '../http/studio/app';
import { cacheChecks, databaseChecks } from '../runtime/readiness';
import { observeService } from '../telemetry/observers';
import { startManagement } from './management';
import { runAsProcess } from './run-as-process';
import { startStorageServer } from '../storage';

/** The listeners of one API process. */
export type ApiProcess = Awaited<ReturnType<typeof startApi>>;

/** Starts the trade API, the studio API and, unless S3 is configured, the embedded artwork store. */
export async function startApi(deps: Dependencies) {
  const { config } = deps;
  if (config.studioAdminToken !== null) await acceptAdminToken(deps.database, config.studioAdminToken, deps.clock.now());
  observeService(deps.telemetry.meter, { ...deps, readChecks: cacheChecks(serviceChecks(deps)) });
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
      // Closed first, because clients keep event streams open and the servers wait for them.
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
  const termination = onTermination();
  const api = await startApi(deps);
  const management = await startManagement(deps, { checks: databaseChecks(deps.database), stopSignal: deps.stopSignal });
  deps.logger.info({ trade: api.tradePort, studio: api.studioPort, storage: api.storagePort }, 'listening');
  await termination;
  deps.stopController.abort();
  deps.logger.info({ delayMs: deps.config.shutdownDelayMs }, 'stopping');
  await delay(deps.config.shutdownDelayMs); // meanwhile, load balancers see that /readyz fails
  await api.close();
  await management.close(); // last, so the drain can be watched
  await deps.close();
}

runAsProcess(module, main);
