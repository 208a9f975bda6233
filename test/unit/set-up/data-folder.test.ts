import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { DataFolder } from '../../../scripts/start/data-folder';
import { ProcessKeeper } from '../../../scripts/start/processes';
import { projectRoot } from '../../../scripts/start/project';
import { waitFor } from '../../support/wait-for';

const scripts = join(projectRoot, 'scripts', 'start');
let path: string;
let keepers: ProcessKeeper[];
let starters: ChildProcessByStdio<null, Readable, null>[];
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'trade-print-data-'));
  [keepers, starters] = [[], []];
});
afterEach(async () => {
  await Promise.all(keepers.map((keeper) => keeper.stopAll()));
  for (const starter of starters) starter.kill('SIGKILL');
  rmSync(path, { recursive: true, force: true });
});

function keeperOf(folder: string): ProcessKeeper {
  const keeper = new ProcessKeeper(folder, 'permanent');
  keepers.push(keeper);
  return keeper;
}

/** Another process that holds the folder and starts `command`. @returns the process id of `command` */
async function anotherStart(lifetime: string, command: readonly string[]): Promise<{ starter: (typeof starters)[number]; part: number }> {
  const script = `
    const { DataFolder } = require(${JSON.stringify(join(scripts, 'data-folder.ts'))});
    const { ProcessKeeper } = require(${JSON.stringify(join(scripts, 'processes.ts'))});
    const [path, lifetime, command, ...args] = process.argv.slice(1);
    const keeper = new ProcessKeeper(path, lifetime);
    DataFolder.claim(path, keeper)
      .then(({ logsDir }) => keeper.start({ name: 'a part', command, args, logFile: logsDir + '/part.log' }))
      .then(({ pid }) => console.log(pid));`;
  const register = join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs');
  const args = ['--require', register, '-e', script, path, lifetime, ...command];
  const starter = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  starters.push(starter);
  const [part] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
  return { starter, part: Number(part) };
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('The data folder of npm start', () => {
  const lock = () => join(path, 'npm-start.lock');

  it('leaves the lock of a later start alone when it is released', async () => {
    const folder = await DataFolder.claim(path, keeperOf(path));
    writeFileSync(lock(), '1 2');
    folder.release();
    expect(readFileSync(lock(), 'utf8')).toBe('1 2');
  });

  it('has one holder; nothing but the lock is in it, and release removes that', async () => {
    const folder = await DataFolder.claim(path, keeperOf(path));
    expect(readdirSync(path).sort()).toEqual(['logs', 'npm-start.lock']);
    await expect(DataFolder.claim(path, keeperOf(path))).rejects.toThrow(new RegExp(`process ${process.pid}\\) is running`));
    folder.release();
    expect(readdirSync(path)).toEqual(['logs']);
  });

  it.each<[string, () => string]>([
    ['of a start whose watcher has ended', () => `${process.pid} 4194304`],
    ['whose watcher is another process with the same id', () => `${process.pid} ${process.pid}`],
    ['whose watcher is that of another folder', () => `${process.pid} ${keeperOf(`${path}-other`).watcherPid}`],
    ['of an earlier version', () => JSON.stringify([{ pid: process.pid, identity: 'x' }])],
  ])('is free with the lock %s', async (_what, content) => {
    writeFileSync(lock(), content());
    const keeper = keeperOf(path);
    const folder = await DataFolder.claim(path, keeper);
    expect(readFileSync(lock(), 'utf8')).toBe(`${process.pid} ${keeper.watcherPid}`);
    folder.release();
  });

  it('is free when all that a killed start began has stopped', async () => {
    const { starter, part } = await anotherStart('permanent', ['sleep', '600']);
    await expect(DataFolder.claim(path, keeperOf(path))).rejects.toThrow(new RegExp(`process ${starter.pid}\\) is running`));
    starter.kill('SIGKILL');
    await once(starter, 'close');
    const folder = await DataFolder.claim(path, keeperOf(path));
    expect(runs(part)).toBe(false);
    folder.release();
  });

  it('goes with what a killed start began, if it was temporary', async () => {
    const { starter, part } = await anotherStart('temporary', ['sleep', '600']);
    starter.kill('SIGKILL');
    await waitFor('the folder is removed', async () => !existsSync(path));
    expect(runs(part)).toBe(false);
  });
});

describe('A part of npm start that crashes', () => {
  it('is described without its log file too', async () => {
    const keeper = keeperOf(path);
    const logFile = join(path, 'part.log');
    const part = await keeper.start({ name: 'the part', command: process.execPath, args: ['-e', 'process.exitCode = 3'], logFile });
    rmSync(logFile, { force: true });
    expect(await part.describeEnd()).toMatch(/^the part ended with code 3\. It wrote nothing\./);
  });
});
