import { createHash, randomBytes } from 'node:crypto';
import { existsSync, realpathSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataFolder } from './data-folder';
import { readJson, writeWhole } from './data-folder';
import { freePort, listenFailure } from './ports';
import { clusterOwner, ensureDatabase, startPostgres } from './postgres';
import type { Account } from './postgres-account';
import { canEnter, firstEnterable, postgresAccount } from './postgres-account';
import { postgresBinaries } from './postgres-binaries';
import type { ProcessKeeper } from './process-keeper';
import { SetupError } from './setup-error';

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
 * @returns DATABASE_URL, and where its files are
 */
export async function startEmbeddedPostgres(data: DataFolder, keeper: ProcessKeeper): Promise<{ url: string; clusterDir: string }> {
  const noteFile = join(data.path, 'postgres.json');
  const noted = readJson<PostgresNote>(noteFile);
  const account = accountFor(noted?.clusterDir ?? join(data.path, 'postgres'));
  const note = await renew(noted ?? firstNote(data.path, account));
  writeWhole(noteFile, note);
  const clusterDir = note.clusterDir ?? join(data.path, 'postgres');
  const postgres = await startPostgres({
    binaries: postgresBinaries(account, () => outsideFolder(data.path, account) ?? data.path),
    account,
    clusterDir,
    password: note.password,
    port: note.port,
    logFile: join(data.logsDir, 'postgres.log'),
    keeper,
  });
  await ensureDatabase(postgres.urlOf('postgres'), DATABASE);
  return { url: postgres.urlOf(DATABASE), clusterDir };
}

/** The account of an existing cluster is its owner; only root can choose another than itself. */
function accountFor(clusterDir: string): Account | undefined {
  const owner = clusterOwner(clusterDir);
  if (owner === undefined) return postgresAccount();
  const self = process.getuid?.();
  if (self === owner.uid) return undefined;
  if (self === 0) return owner;
  throw new SetupError(
    `the database in ${clusterDir} belongs to another user (id ${owner.uid}): it was made by a start as that user or as root.\n` +
      'Start as that user again, or set DATA_DIR to another place.',
  );
}

function firstNote(dataDir: string, account: Account | undefined): PostgresNote {
  if (existsSync(join(dataDir, 'postgres'))) {
    throw new SetupError(
      `${dataDir}/postgres.json, which holds the database's password, is missing or damaged.\n` +
        `Restore it, or remove ${dataDir} to start afresh.`,
    );
  }
  const password = randomBytes(24).toString('hex');
  if (canEnter(dataDir, account)) return { port: 0, password };
  return { port: 0, password, clusterDir: clusterOutside(dataDir, account) };
}

/** For a checkout below a closed folder such as /root, which PostgreSQL's user cannot enter. */
function clusterOutside(dataDir: string, account: Account | undefined): string {
  const folder = outsideFolder(dataDir, account);
  if (folder === undefined) {
    throw new SetupError(
      `PostgreSQL runs as another user than root, who can enter neither ${dataDir} nor a place we can make.\n` +
        'Set DATA_DIR to a folder that every user can pass through, or DATABASE_URL to use a PostgreSQL of your own.',
    );
  }
  const clusterDir = join(folder, 'cluster');
  console.log(`PostgreSQL's user cannot enter ${dataDir}, so the database's files go to ${clusterDir}`);
  setAside(clusterDir);
  return clusterDir;
}

/** One folder for each DATA_DIR. */
function outsideFolder(dataDir: string, account: Account | undefined): string | undefined {
  if (account === undefined) return undefined;
  const name = `trade-print-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12)}`;
  return firstEnterable(
    ['/var/lib', tmpdir(), '/tmp'].map((parent) => join(parent, name)),
    account,
  );
}

/** DATA_DIR was removed to start afresh: its database has no password any more, but data is not ours to delete. */
function setAside(clusterDir: string): void {
  if (!existsSync(clusterDir)) return;
  const aside = `${clusterDir}-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  renameSync(clusterDir, aside);
  console.log(`the database of an earlier DATA_DIR has been put aside as ${aside}; remove it when you do not need it`);
}

/** Keeps the port from start to start, for people who connect to it, unless somebody else has it now. */
async function renew(note: PostgresNote): Promise<PostgresNote> {
  if (note.port !== 0 && (await listenFailure(note.port, '127.0.0.1')) === undefined) return note;
  return { ...note, port: await freePort() };
}
