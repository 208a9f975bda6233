import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManagedProcess } from '../dev/managed-process';
import { freePort } from '../dev/ports';
import { ensureDatabase, startPostgres } from '../dev/postgres';
import { firstEnterable, postgresAccount } from '../dev/postgres-account';
import { postgresBinaries } from '../dev/postgres-binaries';
import { ProcessKeeper } from '../dev/process-keeper';
import { projectRoot } from '../dev/project';

/** Where the processes of a stage live: a folder for their files, and a keeper that ends them. */
export interface Site {
  folder: string;
  keeper: ProcessKeeper;
  account: ReturnType<typeof postgresAccount>;
  /** Every Node process of the service leaves its CPU profile here. */
  profileDir: string | undefined;
  stop(): Promise<void>;
}

export interface Database {
  process: ManagedProcess;
  port: number;
  password: string;
  urlOf(name: string): string;
}

export function openSite(profileDir?: string): Site {
  const account = postgresAccount();
  const parent = firstEnterable([tmpdir(), '/tmp', '/var/tmp'], account) ?? tmpdir();
  const folder = mkdtempSync(join(parent, 'trade-print-bench-'));
  chmodSync(folder, 0o711);
  const keeper = new ProcessKeeper();
  keeper.removeIfWeDie(folder);
  return {
    folder,
    keeper,
    account,
    profileDir,
    async stop() {
      await keeper.stopAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * One cluster, as installed (fsync and synchronous_commit on), but for more connections, and that it notes when transactions were
 * committed.
 */
export async function startDatabase({ folder, keeper, account, profileDir }: Site): Promise<Database> {
  const [port, password] = [await freePort(), randomBytes(16).toString('hex')];
  const postgres = await startPostgres({
    binaries: postgresBinaries(account, () => folder),
    account,
    clusterDir: join(folder, 'postgres'),
    password,
    port,
    logFile: join(folder, 'postgres.log'),
    settings: {
      max_connections: '300',
      track_commit_timestamp: 'on',
      ...(profileDir === undefined ? {} : { shared_preload_libraries: 'pg_stat_statements' }),
    },
    keeper,
  });
  await ensureDatabase(postgres.urlOf('postgres'), 'bench');
  return { process: postgres.process, port, password, urlOf: postgres.urlOf };
}

/** Runs a compiled script of ours, named relative to this folder; `nodeArgs` come before it. */
export function startNode(
  { folder, keeper, profileDir }: Site,
  name: string,
  script: string,
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
): Promise<ManagedProcess> {
  const profile = profileDir === undefined || name.startsWith('floor') ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profileDir, name)}`];
  if (profileDir !== undefined) mkdirSync(profileDir, { recursive: true });
  return ManagedProcess.start({
    // As the image starts them: source maps would cost the SDK's workflow threads some percent.
    name,
    command: process.execPath,
    args: [...profile, ...nodeArgs, join(__dirname, script)],
    env: { ...process.env, ...env },
    cwd: projectRoot,
    logFile: join(folder, `${name}.log`),
    stage: 2,
    graceMs: 20_000,
    keeper,
  });
}
