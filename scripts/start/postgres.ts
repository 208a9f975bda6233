import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { ManagedProcess } from './managed-process';
import { until } from './ports';
import type { Account } from './postgres-account';
import type { PostgresBinaries } from './postgres-binaries';
import type { ProcessKeeper } from './process-keeper';
import { SetupError } from './setup-error';

const SUPERUSER = 'postgres';
/** Recovery after a crash may take a while, and connections are refused meanwhile. */
const START_TIMEOUT_MS = 60_000;

export interface PostgresOptions {
  binaries: PostgresBinaries;
  /** Who runs it; undefined for ourselves. */
  account: Account | undefined;
  /** The cluster's own folder, created at the first start. Its parent must be one the account can enter. */
  clusterDir: string;
  password: string;
  port: number;
  logFile: string;
  /** Server settings as on its command line, such as { fsync: 'off' }. */
  settings?: Readonly<Record<string, string>>;
  keeper: ProcessKeeper;
}

export interface RunningPostgres {
  process: ManagedProcess;
  /** Connection string for a database of this cluster. */
  urlOf: (database: string) => string;
}

/** Starts a PostgreSQL that only this machine can reach, creating its cluster first if there is none. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  if (!existsSync(options.clusterDir)) createCluster(options);
  dropForeignPidFile(options.clusterDir);
  const server = await ManagedProcess.start({
    name: 'PostgreSQL',
    command: options.binaries.postgres,
    args: ['-D', options.clusterDir, '-p', String(options.port), ...flags(options.settings)],
    cwd: '/',
    ...options.account,
    logFile: options.logFile,
    // SIGINT is its "fast shutdown": roll back, close connections, write a checkpoint.
    stopSignal: 'SIGINT',
    graceMs: 30_000,
    keeper: options.keeper,
  });
  const urlOf = (database: string) => `postgres://${SUPERUSER}:${options.password}@127.0.0.1:${options.port}/${database}`;
  await answering(server, urlOf('postgres'));
  return { process: server, urlOf };
}

/** Creates a database unless it exists. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

/** @throws SetupError when a database that we did not start cannot be reached or refuses us */
export async function checkDatabase(url: string): Promise<void> {
  try {
    await withClient(url, (client) => client.query('SELECT 1'));
  } catch (error) {
    throw new SetupError(`the database of DATABASE_URL cannot be used: ${(error as Error).message}`);
  }
}

async function answering(server: ManagedProcess, url: string): Promise<void> {
  try {
    await until('PostgreSQL did not answer', () => withClient(url, async () => true), {
      timeoutMs: START_TIMEOUT_MS,
      signal: server.endSignal,
    });
  } catch (error) {
    if (server.hasEnded()) throw new SetupError(await server.describeEnd());
    await server.stop();
    throw error;
  }
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function flags(settings: Readonly<Record<string, string>> = {}): string[] {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  return Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** initdb works under another name first: an interrupted one must not be taken for a cluster at the next start. */
function createCluster(options: PostgresOptions): void {
  const { account, clusterDir } = options;
  const partial = `${clusterDir}.creating`;
  const passwordFile = `${clusterDir}.password`;
  mkdirSync(dirname(clusterDir), { recursive: true });
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (account !== undefined) for (const path of [partial, passwordFile]) chownSync(path, account.uid, account.gid);
  try {
    runInitdb(options, partial, passwordFile);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(partial, clusterDir);
}

function runInitdb(options: PostgresOptions, folder: string, passwordFile: string): void {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Independent of the machine's locales: text sorts by code point everywhere.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(options.settings?.['fsync'] === 'off' ? ['--no-sync'] : []),
  ];
  const done = spawnSync(options.binaries.initdb, args, { ...options.account, cwd: '/', encoding: 'utf8' });
  if (done.status === 0) return;
  const reason = done.error?.message ?? done.stderr.trim();
  throw new SetupError(`PostgreSQL could not create its files in ${dirname(folder)}:\n${reason}`);
}

/**
 * After a restart of the machine, the pid in postmaster.pid may belong to any program, and PostgreSQL would refuse to
 * start. We remove the file only when that pid is not a postgres at all; otherwise PostgreSQL itself decides.
 */
function dropForeignPidFile(clusterDir: string): void {
  const pidFile = join(clusterDir, 'postmaster.pid');
  if (process.platform !== 'linux' || !existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!commandOf(pid).includes('postgres')) rmSync(pidFile);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return '';
  }
}

/** The owner of a cluster: PostgreSQL insists on running as the one who created it. */
export function clusterOwner(clusterDir: string): Account | undefined {
  if (!existsSync(clusterDir)) return undefined;
  const { uid, gid } = statSync(clusterDir);
  return { uid, gid };
}
