import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from './setup-error';

/** The system user and group that run PostgreSQL. */
export interface SystemAccount {
  uid: number;
  gid: number;
}

/**
 * Returns the account that must run PostgreSQL, because PostgreSQL refuses to run as root. For root, it is the owner of the existing
 * cluster or the account `postgres`, created if it is missing. For other users, it is undefined, and PostgreSQL runs as that user.
 * @throws SetupError if the account does not exist and cannot be created
 */
export function ensurePostgresAccount(clusterDir = ''): SystemAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = statSync(clusterDir, { throwIfNoEntry: false }) ?? findPostgresAccount();
  if (existing !== undefined) return { uid: existing.uid, gid: existing.gid };
  const args = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'];
  const creation = spawnSync('useradd', args, { encoding: 'utf8' });
  const account = findPostgresAccount();
  if (account !== undefined) return account;
  throw new SetupError(
    `PostgreSQL cannot run as root, and the user "postgres" could not be created (${creation.error?.message ?? creation.stderr.trim()}).\n` +
      'Create a user named "postgres", or start as an ordinary user, or set DATABASE_URL to use your own PostgreSQL.',
  );
}

function findPostgresAccount(): SystemAccount | undefined {
  const readId = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: readId('-u'), gid: readId('-g') };
  } catch {
    return undefined;
  }
}

/** True if the account can enter a folder. It tries, because the permissions of all parent folders matter. */
export function canEnter(folder: string, account: SystemAccount | undefined): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** Creates a temporary folder that PostgreSQL's account can enter, even if TMPDIR is private. */
export function createTemporaryFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(join(canEnter(parent, ensurePostgresAccount()) ? parent : '/tmp', prefix));
  chmodSync(folder, 0o711);
  return folder;
}
