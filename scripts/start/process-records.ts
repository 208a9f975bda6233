import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Name of a running process's record: `<pid>.<start time>.<stop signal>`, and `<pid>.<start time>` for `npm start`. */
export function recordName(pid: number, stopSignal?: NodeJS.Signals): string {
  const record = `${pid}.${startTimeOf(pid)}`;
  return stopSignal === undefined ? record : `${record}.${stopSignal.replace('SIG', '')}`;
}

export const isStartRecord = (record: string): boolean => record.split('.').length === 2;

/** @returns false also if a later process has the same id */
export function isRunning(record: string): boolean {
  const [pid, startTime] = record.split('.');
  return startTime !== undefined && startTime === startTimeOf(Number(pid));
}

/** Undefined for an ended process, which Linux may still list as a zombie. */
function startTimeOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env })
        .trim()
        .replaceAll(' ', '-');
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the program name before it may contain spaces
    return state === 'Z' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}
