import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagedProcess } from '../src/dev/managed-process';
import { freePort } from '../src/dev/ports';
import { startTemporalDevServer } from '../src/dev/temporal-dev-server';
import { toolPath } from '../src/dev/tools';
import { startCurrentServer } from './current-server';
import type { Database, Site } from './site';

/** The dev server of `npm start`, in memory, or the current server on the stage's PostgreSQL. */
export const SERVER_KINDS = ['dev', 'current'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

export interface RunningServer {
  process: ManagedProcess;
  address: string;
  metricsPort: number;
}

export function startTemporal(site: Site, kind: ServerKind, database: Database): Promise<RunningServer> {
  return kind === 'dev' ? startDevServer(site) : startCurrentServer(site, database);
}

/** Tuned as for `npm start`; a small script adds the port of its metrics to the command line. */
async function startDevServer({ folder, keeper }: Site): Promise<RunningServer> {
  const metricsPort = await freePort();
  const executable = join(folder, 'temporal-with-metrics');
  writeFileSync(executable, `#!/bin/sh\nexec '${toolPath('temporal')}' "$@" --metrics-port ${metricsPort}\n`, { mode: 0o755 });
  const temporal = await startTemporalDevServer({ executable, port: await freePort(), logFile: join(folder, 'temporal.log'), keeper });
  return { ...temporal, metricsPort };
}
