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

/** Why there can be no such volume: mounting takes root and, in a container, the right to. Undefined where there can. */
export function findVolumeProblem(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-probe-'));
  try {
    return mount(folder, 'size=4k') ?? runCommand('umount', folder);
  } finally {
    rmdirSync(folder);
  }
}

/** No file that this process writes may grow beyond `bytes` (EFBIG). Takes no rights, but prlimit of util-linux. */
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
