/**
 * Child processes that open untrusted files run as another user than their parent. They start as root to load their code, which that user
 * may be unable to read, and drop root before they open a file.
 */
import { readFileSync } from 'node:fs';

export interface ChildUser {
  uid: number;
  gid: number;
}

/** CAP_CHOWN, CAP_KILL, CAP_SETGID and CAP_SETUID: to pass on a file, to change the user, and to end the child later. */
const NEEDED_CAPABILITIES = (1n << 0n) | (1n << 5n) | (1n << 6n) | (1n << 7n);

/**
 * The user of child processes; null for the user of this process. Only root may start them as another user: capabilities end when root
 * becomes another user, but a process that was not root keeps them.
 */
export function childUser(configured: ChildUser): ChildUser | null {
  return process.getuid?.() === 0 && hasCapabilities() ? configured : null;
}

/** Whether this process has the needed capabilities. Assumes so if the system does not list them. */
function hasCapabilities(): boolean {
  try {
    const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${effective}`) & NEEDED_CAPABILITIES) === NEEDED_CAPABILITIES;
  } catch {
    return true;
  }
}

/** Changes this process permanently from root to the user. Linux then protects its memory from other processes of that user. */
export function giveUpRoot({ uid, gid }: ChildUser): void {
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.getgid?.() !== gid) throw new Error('the program could not change its user');
}
