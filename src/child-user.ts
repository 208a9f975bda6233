/**
 * Programs that open untrusted files run as another user than their parent process. They start as root, load their code, which that user
 * may be unable to read, and give root up before they open a file.
 */
import { readFileSync } from 'node:fs';

export interface ChildUser {
  uid: number;
  gid: number;
}

/** CAP_CHOWN, CAP_KILL, CAP_SETGID and CAP_SETUID: to hand a file over, to change the user, and to end the program afterwards. */
const NEEDED_CAPABILITIES = (1n << 0n) | (1n << 5n) | (1n << 6n) | (1n << 7n);

/**
 * The user of this process's child programs; null: this process's own. Only root can give its rights up for good: another user's
 * capabilities would survive the change.
 */
export function childUser(configured: ChildUser): ChildUser | null {
  return process.getuid?.() === 0 && hasCapabilities() ? configured : null;
}

/** True if the system does not list capabilities. */
function hasCapabilities(): boolean {
  try {
    const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${effective}`) & NEEDED_CAPABILITIES) === NEEDED_CAPABILITIES;
  } catch {
    return true;
  }
}

/** Changes this process from root to the user for good. Linux then keeps other processes of that user out of its memory. */
export function giveUpRoot({ uid, gid }: ChildUser): void {
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.getgid?.() !== gid) throw new Error('the program could not change its user');
}
