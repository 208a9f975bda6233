import path from 'node:path';
import type { WorkerDeps } from './temporal/workers';
import type { InspectionDeps } from './artwork/inspections';
import { systemClock } from './clock';
import type { InspectorConfig } from './config';
import { openDatabase } from './db/database';
import type { InspectionStarterDeps } from './inspection/inspection-starter';
import { createLogger } from './logger';
import { createArtworkStorage } from './storage';
import { openTemporal } from './temporal';
import { assertCodecKeys } from './temporal/codec-check';
import { connectLazily } from './temporal/connect';

/** Dependencies of the inspector process: fewer than the others, so it needs fewer secrets. */
export type InspectorDependencies = Omit<InspectionDeps, 'pictures'> & InspectionStarterDeps & WorkerDeps & { config: InspectorConfig };

/** The composition root of the inspector process. Call `close` when done. */
export async function createInspectorDependencies(config: InspectorConfig): Promise<InspectorDependencies & { close(): Promise<void> }> {
  const clock = systemClock;
  const database = await openDatabase(config.databaseUrl);
  try {
    await assertCodecKeys(database, config.codecKeys, clock.now());
  } catch (error) {
    await database.close();
    throw error;
  }
  const connection = await connectLazily(config.temporal);
  // The inspector signs no URLs, so its storage needs no secret.
  const storage = createArtworkStorage({ s3: config.s3, local: { dir: path.join(config.dataDir, 'artwork'), secret: '', publicUrl: '' } });
  const temporal = openTemporal({
    connection,
    namespace: config.temporal.namespace,
    codecKeys: config.codecKeys,
    // Used only for starting orders, which the inspector does not do.
    quietPeriodMs: 0,
    confirmationDelayMs: 0,
  });
  return {
    config,
    logger: createLogger(config.logLevel, 'inspector'),
    clock,
    database,
    storage,
    temporal,
    async close() {
      await storage.close?.();
      temporal.close();
      await connection.close();
      await database.close();
    },
  };
}
