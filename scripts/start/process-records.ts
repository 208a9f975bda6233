import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The name of the file that records a running process, for watcher.sh. A process that `npm start` started has `<pid>.<start time>.<stop
 * signal>`. The process of `npm start` itself has only `<pid>.<start time>`.
 */
export function recordName(pid: number, stopSignal?: NodeJS.Signals): string {
  const record = `${pid}.${startTimeOf(pid)}`;
  return stopSignal === undefined ? record : `${record}.${stopSignal.replace('SIG', '')}`;
}

/** True for the record of an `npm start`, false for the records of the processes that it started. */
export const isRecordOfNpmStart = (record: string): boolean => record.split('.').length === 2;

/** True if the recorded process is running. The start time distinguishes it from a later process with the same id. */
export function isRunning(record: string): boolean {
  const [pid, startTime] = record.split('.');
  return startTime !== undefined && startTime === startTimeOf(Number(pid));
}

/** The start time of a process; undefined if the process has ended, even if Linux still lists it as a zombie. */
function startTimeOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env })
        .trim()
        .replaceAll(' ', '-');
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // skips the name of the program, which may contain spaces
    return state === 'Z' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}
