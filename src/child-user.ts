/**
 * Programs that meet other people's bytes run as another user than the process that starts them. They start with its rights, load their
 * code, and give the rights up before they open anything: the code may lie where the other user cannot go.
 */
import { readFileSync } from 'node:fs';

export interface ChildUser {
  uid: number;
  gid: number;
}

/** CAP_CHOWN, CAP_KILL, CAP_SETGID and CAP_SETUID: to hand a file over, to change the user, and to end the program afterwards. */
const NEEDED_CAPABILITIES = (1n << 0n) | (1n << 5n) | (1n << 6n) | (1n << 7n);

/**
 * The user that programs of this process run as; null where they run as its own. Only root can change the user for good: another user's
 * capabilities would outlast the change.
 */
export function childUser(configured: ChildUser): ChildUser | null {
  return process.getuid?.() === 0 && hasCapabilities() ? configured : null;
}

/** True where the system does not say. */
function hasCapabilities(): boolean {
  try {
    const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${effective}`) & NEEDED_CAPABILITIES) === NEEDED_CAPABILITIES;
  } catch {
    return true;
  }
}

/** Makes this process, which root started, one of the user for good. Linux then lets no process of that user look into it. */
export function giveUpRoot({ uid, gid }: ChildUser): void {
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.getgid?.() !== gid) throw new Error('the program could not change its user');
}
