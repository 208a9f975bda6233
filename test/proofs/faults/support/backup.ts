import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Stack } from './stack';

const MIN_DUMP_VERSION = 18;
const CAN_DUMP = majorVersionOf('pg_dump') >= MIN_DUMP_VERSION && majorVersionOf('pg_restore') >= MIN_DUMP_VERSION;
export const BACKUP_METHOD = CAN_DUMP ? 'pg_dump' : "a copy of the cluster's files";

/**
 * Backs up and restores a stack's database with pg_dump and pg_restore if the PATH has them for this PostgreSQL, else by a copy of
 * the cluster's files. Call it while only PostgreSQL and Temporal run.
 */
export class Backup {
  private readonly file: string;

  constructor(private readonly stack: Stack) {
    this.file = join(stack.folder, 'backup.dump');
  }

  async create(): Promise<void> {
    if (CAN_DUMP) run('pg_dump', '--format=custom', `--file=${this.file}`, this.url);
    else await this.withoutPostgres(() => copy(this.stack.clusterDir, this.file));
  }

  async restore(): Promise<void> {
    if (CAN_DUMP) run('pg_restore', '--clean', '--if-exists', '--exit-on-error', '--single-transaction', `--dbname=${this.url}`, this.file);
    else await this.withoutPostgres(() => copy(this.file, this.stack.clusterDir));
  }

  private get url(): string {
    return this.stack.env.DATABASE_URL ?? '';
  }

  private async withoutPostgres(work: () => void): Promise<void> {
    await this.stack.terminate('postgres');
    work();
    await this.stack.startPart('postgres');
  }
}

function majorVersionOf(program: string): number {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/\d+/.exec(stdout ?? '')?.[0] ?? 0);
}

function copy(from: string, to: string): void {
  run('sh', '-c', 'rm -rf "$2" && cp -a "$1" "$2"', 'copy', from, to);
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}
