import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with space for `bytes`; further writes fail with ENOSPC. */
export class SmallVolume {
  constructor(
    private readonly folder: string,
    bytes: number,
  ) {
    throwProblem(mount(folder, `size=${bytes},mode=700`));
  }

  makeRoom(): void {
    throwProblem(mount(this.folder, 'remount,size=256m'));
  }

  close(): void {
    throwProblem(runCommand('umount', this.folder));
  }
}

/** The reason why the machine cannot mount such a volume: it takes root and, in a container, the right to mount. Undefined if it can. */
export function findVolumeProblem(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-probe-'));
  try {
    return mount(folder, 'size=4k') ?? runCommand('umount', folder);
  } finally {
    rmdirSync(folder);
  }
}

/** Limits every file that this process writes to `bytes` (EFBIG). Needs no rights, only prlimit of util-linux. */
export function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  throwProblem(runCommand('prlimit', '--pid', String(pid), `--fsize=${bytes}:`));
}

export const findLimitProblem = (): string | undefined => runCommand('prlimit', '--version');

const mount = (folder: string, options: string) => runCommand('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder);

/** The error, if any. */
function runCommand(command: string, ...args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? undefined : `${command}: ${error?.message ?? stderr.trim().split('\n')[0]}`;
}

function throwProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(problem);
}
