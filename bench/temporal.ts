import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagedProcess } from '../dev/managed-process';
import { freePort } from '../dev/ports';
import { startTemporalDevServer } from '../dev/temporal-dev-server';
import { toolPath } from '../dev/tools';
import { startCurrentServer } from './current-server';
import type { Database, Site } from './site';

/**
 * `dev`: the dev server of `npm start`, but in memory. `disk`: the same with its file and write-ahead log, as `npm start` ships it.
 * `current`: the current server on the stage's PostgreSQL.
 */
export const SERVER_KINDS = ['dev', 'disk', 'current'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

export interface RunningServer {
  process: ManagedProcess;
  address: string;
  metricsPort: number;
}

export function startTemporal(site: Site, kind: ServerKind, database: Database): Promise<RunningServer> {
  return kind === 'current' ? startCurrentServer(site, database) : startDevServer(site, kind === 'disk');
}

/** Tuned as for `npm start`; a small script adds the port of its metrics to the command line. */
async function startDevServer({ folder, keeper }: Site, onDisk: boolean): Promise<RunningServer> {
  const metricsPort = await freePort();
  const executable = join(folder, 'temporal-with-metrics');
  writeFileSync(executable, `#!/bin/sh\nexec '${toolPath('temporal')}' "$@" --metrics-port ${metricsPort}\n`, { mode: 0o755 });
  const temporal = await startTemporalDevServer({
    executable,
    port: await freePort(),
    logFile: join(folder, 'temporal.log'),
    keeper,
    ...(onDisk ? { dbFile: join(folder, 'temporal.db') } : {}),
  });
  return { ...temporal, metricsPort };
}
