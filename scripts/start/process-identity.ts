import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A text that is different for every process that ever had this pid, or undefined when none is running. A pid alone
 * is not enough to stop a process noted in a file: after a restart of the machine it may belong to somebody else.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);
}

/** Whether the process noted as (pid, identity) is still the one that runs under this pid. */
export function isRunning(noted: { pid: number; identity: string }): boolean {
  return processIdentity(noted.pid) === noted.identity;
}

function linuxIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name in parentheses may hold blanks; the fields after it do not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`;
  } catch {
    return undefined;
  }
}

function psIdentity(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
