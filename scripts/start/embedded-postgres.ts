import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../../src/platform/private-files';
import type { DataFolder } from './data-folder';
import { findFreePort, findListenError } from './ports';
import { ensureDatabase, startPostgres } from './postgres';
import { canEnter, ensurePostgresAccount } from './postgres-account';
import type { ProcessManager } from './processes';
import { SetupError } from './setup-error';
import { readJson } from './tools';

const DATABASE_NAME = 'trade_print';

/** The content of DATA_DIR/postgres.json: values that later starts need. */
interface StoredPostgresConfig {
  port: number;
  password: string;
  /** The cluster's folder. Default: DATA_DIR/postgres. Set if PostgreSQL's user cannot enter DATA_DIR. */
  clusterDir?: string;
}

/**
 * Starts the PostgreSQL in DATA_DIR. The first start creates it.
 * @returns DATABASE_URL
 */
export async function startEmbeddedPostgres(data: DataFolder, processManager: ProcessManager): Promise<string> {
  const configFile = join(data.path, 'postgres.json');
  const defaultClusterDir = join(data.path, 'postgres');
  const stored = readJson<StoredPostgresConfig>(configFile) ?? createPostgresConfig(data.path, defaultClusterDir);
  // Later starts use the same port, because other database clients may be configured with it, unless another program uses it now.
  if (stored.port === 0 || (await findListenError(stored.port, '127.0.0.1')) !== undefined) stored.port = await findFreePort();
  writePrivate(configFile, `${JSON.stringify(stored, null, 2)}\n`);
  const { port, password, clusterDir = defaultClusterDir } = stored;
  const postgres = await startPostgres({ clusterDir, password, port, logFile: join(data.logsDir, 'postgres.log'), processManager });
  await ensureDatabase(postgres.urlOf('postgres'), DATABASE_NAME);
  return postgres.urlOf(DATABASE_NAME);
}

function createPostgresConfig(dataDir: string, defaultClusterDir: string): StoredPostgresConfig {
  if (existsSync(defaultClusterDir)) {
    throw new SetupError(
      `${dataDir}/postgres.json, which holds the database's password, is missing or damaged.\n` +
        `Restore it, or remove ${dataDir} to start afresh.`,
    );
  }
  const created = { port: 0, password: randomBytes(24).toString('hex') };
  return canEnter(dataDir, ensurePostgresAccount()) ? created : { ...created, clusterDir: createClusterDirOutside(dataDir) };
}

/** Creates a folder for the cluster if DATA_DIR is in a private folder such as /root, which PostgreSQL's user cannot enter. */
function createClusterDirOutside(dataDir: string): string {
  const folder = mkdtempSync('/var/lib/trade-print-');
  chmodSync(folder, 0o711);
  console.log(`PostgreSQL's user cannot enter ${dataDir}, so the database's files go to ${folder}`);
  return join(folder, 'cluster');
}
