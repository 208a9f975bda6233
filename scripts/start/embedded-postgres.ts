import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../../src/private-files';
import type { DataFolder } from './data-folder';
import { freePort, listenFailure } from './ports';
import { ensureDatabase, startPostgres } from './postgres';
import { canEnter, postgresAccount } from './postgres-account';
import type { ProcessKeeper } from './processes';
import { SetupError } from './setup-error';
import { readJson } from './tools';

const DATABASE = 'trade_print';

/** DATA_DIR/postgres.json: what must stay the same from one start to the next. */
interface PostgresNote {
  port: number;
  password: string;
  /** Where the cluster lies when its account cannot enter DATA_DIR; otherwise it is DATA_DIR/postgres. */
  clusterDir?: string;
}

/**
 * Starts the PostgreSQL of DATA_DIR, making it at the first start.
 * @returns DATABASE_URL
 */
export async function startEmbeddedPostgres(data: DataFolder, keeper: ProcessKeeper): Promise<string> {
  const noteFile = join(data.path, 'postgres.json');
  const ownDir = join(data.path, 'postgres');
  const note = readJson<PostgresNote>(noteFile) ?? firstNote(data.path, ownDir);
  // The port stays from start to start, for people who connect to it, unless it has been taken meanwhile.
  if (note.port === 0 || (await listenFailure(note.port, '127.0.0.1')) !== undefined) note.port = await freePort();
  writePrivate(noteFile, `${JSON.stringify(note, null, 2)}\n`);
  const { port, password, clusterDir = ownDir } = note;
  const postgres = await startPostgres({ clusterDir, password, port, logFile: join(data.logsDir, 'postgres.log'), keeper });
  await ensureDatabase(postgres.urlOf('postgres'), DATABASE);
  return postgres.urlOf(DATABASE);
}

function firstNote(dataDir: string, ownDir: string): PostgresNote {
  if (existsSync(ownDir)) {
    throw new SetupError(
      `${dataDir}/postgres.json, which holds the database's password, is missing or damaged.\n` +
        `Restore it, or remove ${dataDir} to start afresh.`,
    );
  }
  const note = { port: 0, password: randomBytes(24).toString('hex') };
  return canEnter(dataDir, postgresAccount()) ? note : { ...note, clusterDir: clusterOutside(dataDir) };
}

/** For a checkout below a closed folder such as /root, which PostgreSQL's user cannot enter. */
function clusterOutside(dataDir: string): string {
  const folder = mkdtempSync('/var/lib/trade-print-');
  chmodSync(folder, 0o711);
  console.log(`PostgreSQL's user cannot enter ${dataDir}, so the database's files go to ${folder}`);
  return join(folder, 'cluster');
}
