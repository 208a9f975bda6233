import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { SetupError } from './setup-error';

/** A system user and group to run PostgreSQL as. */
export interface Account {
  uid: number;
  gid: number;
}

const USER = 'postgres';

/**
 * PostgreSQL refuses to run as root. As root this returns the account `postgres`, created when the machine has
 * none; as anybody else it returns undefined: PostgreSQL runs as ourselves.
 * @throws SetupError when there is no such account and none can be created
 */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp(USER) ?? create();
}

function create(): Account {
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', USER], {
    encoding: 'utf8',
  });
  const account = lookUp(USER);
  if (account !== undefined) return account;
  const reason = made.error?.message ?? made.stderr.trim();
  throw new SetupError(
    `PostgreSQL cannot run as root, and the user "${USER}" could not be created (${reason}).\n` +
      `Create a user named "${USER}", or start as an ordinary user, or set DATABASE_URL to use a PostgreSQL of your own.`,
  );
}

function lookUp(user: string): Account | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

/** Whether this account can enter a folder, permissions of all folders above it included. */
export function canEnter(folder: string, account: Account | undefined): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

/**
 * The first of these folders that the account can enter, created if need be.
 * @returns undefined when there is none
 */
export function firstEnterable(folders: readonly string[], account: Account | undefined): string | undefined {
  return folders.find((folder) => {
    try {
      if (!existsSync(folder)) makePassable(folder);
      return canEnter(folder, account);
    } catch {
      return false;
    }
  });
}

/** Makes a folder that every user can pass through, whatever our umask. */
function makePassable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
}
