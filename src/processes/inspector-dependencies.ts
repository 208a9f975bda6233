import path from 'node:path';
import type { WorkerDeps } from '../temporal/workers';
import type { InspectionDeps } from '../artwork/inspections';
import { systemClock } from '../platform/clock';
import type { InspectorConfig } from '../config/config';
import { openPool } from '../db/database';
import type { InspectionStarterDeps } from '../inspection/inspection-starter';
import { createLogger } from '../platform/logger';
import { createArtworkStorage } from '../storage';
import { observeProcess } from '../telemetry/observers';
import { Telemetry } from '../telemetry/telemetry';
import { openTemporal, type Temporal } from '../temporal';
import { assertCodecKeys } from '../temporal/codec-check';
import { connectLazily } from '../temporal/connect';

/** Dependencies of the inspector process: fewer than the others, so it needs fewer secrets. */
export type InspectorDependencies = Omit<InspectionDeps, 'inspector'> &
  InspectionStarterDeps &
  WorkerDeps & { config: InspectorConfig; telemetry: Telemetry; temporal: Temporal };

/** The composition root of the inspector process. Call `close` when done. */
export async function createInspectorDependencies(config: InspectorConfig): Promise<InspectorDependencies & { close(): Promise<void> }> {
  const clock = systemClock;
  const database = await openPool(config, 'inspector');
  try {
    await assertCodecKeys(database, config.codecKeys, clock.now());
  } catch (error) {
    await database.close();
    throw error;
  }
  const connection = await connectLazily(config.temporal);
  // The inspector signs no URLs, so its storage needs no secret.
  const storage = createArtworkStorage({ s3: config.s3, local: { dir: path.join(config.dataDir, 'artwork'), secret: '', publicUrl: '' } });
  const logger = createLogger(config.logLevel, 'inspector');
  const telemetry = new Telemetry('inspector', config.otlp, logger);
  // The inspector starts no orders, so it needs none of their times.
  const temporal = openTemporal(connection, { ...config, orderQuietPeriodMs: 0, confirmationDelayMs: 0 });
  observeProcess(telemetry.meter, { database, clock, buildId: config.temporal.buildId, queues: {}, breaker: temporal.breaker });
  return {
    config,
    telemetry,
    logger,
    clock,
    database,
    storage,
    temporal,
    async close() {
      await telemetry.close(); // its last export reads the other parts
      await storage.close?.();
      temporal.close();
      await connection.close();
      await database.close();
    },
  };
}
