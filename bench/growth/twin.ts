import { Client, type Connection } from '@temporalio/client';
import { openDatabase, PATIENT } from '../../src/db/database';
import { ensureDatabase } from '../../dev/postgres';
import { acceptAdminToken, seed } from '../../src/db/seed';
import type { ManagedProcess } from '../../dev/managed-process';
import { prepareNamespace } from '../current-server';
import type { Stage } from '../stage';

const NAME = 'twin';

/** The same service once more, on a database and in a namespace of its own, on the stage's PostgreSQL and Temporal. */
export interface Twin extends Stage {
  worker: ManagedProcess;
}

/** Of the stage's database. */
export function urlOf({ databaseUrl }: Stage, name?: string): string {
  const url = new URL(databaseUrl);
  if (name !== undefined) url.pathname = `/${name}`;
  return url.href;
}

export async function openTwin(stage: Stage): Promise<Twin> {
  const [url, connection] = [urlOf(stage, NAME), stage.temporal.connection as Connection];
  await Promise.all([ensureDatabase(urlOf(stage, 'postgres'), NAME), prepareNamespace(connection.options.address, NAME)]);
  const database = await openDatabase(url, 10, PATIENT);
  await database.migrate();
  await seed(database, new Date());
  for (const token of stage.adminTokens) await acceptAdminToken(database, token, new Date());
  const temporal = new Client({ connection, namespace: NAME });
  const processes = stage.processes.with({ DATABASE_URL: url, TEMPORAL_NAMESPACE: NAME }, temporal);
  const [{ tradeUrl, studioUrl }, worker] = await Promise.all([processes.startApi('twin-api'), processes.startWorker('twin-worker')]);
  return {
    ...stage,
    get adminToken() {
      return stage.adminToken;
    },
    database,
    databaseUrl: url,
    temporal,
    processes,
    tradeUrl,
    studioUrl,
    worker,
    close: () => database.close(),
  };
}
