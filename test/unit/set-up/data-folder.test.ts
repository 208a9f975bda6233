import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DataFolder } from '../../../scripts/start/data-folder';
import { ProcessManager } from '../../../scripts/start/processes';
import { projectRoot } from '../../../scripts/start/project';
import { waitFor } from '../../support/wait-for';

const scripts = join(projectRoot, 'scripts', 'start');
let path: string;
let starters: ChildProcess[];
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'trade-print-data-'));
  starters = [];
});
afterEach(() => {
  for (const starter of starters) starter.kill('SIGKILL');
  rmSync(path, { recursive: true, force: true });
});

/** Another process that holds the folder and starts `command`. @returns the process ids of `command` and its watcher */
async function startAnother(lifetime: string, command: readonly string[]) {
  const script = `
    const { DataFolder } = require(${JSON.stringify(join(scripts, 'data-folder.ts'))});
    const { ProcessManager } = require(${JSON.stringify(join(scripts, 'processes.ts'))});
    const [path, lifetime, command, ...args] = process.argv.slice(1);
    DataFolder.claim(path)
      .then(({ logsDir }) => {
        const manager = new ProcessManager(path, lifetime);
        return manager.start({ name: 'a part', command, args, logFile: logsDir + '/part.log' }).then(({ pid }) => [pid, manager.watcher.pid]);
      })
      .then((pids) => console.log(pids.join(' ')));`;
  const register = join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs');
  const args = ['--require', register, '-e', script, path, lifetime, ...command];
  const starter = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  starters.push(starter);
  const [pids] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
  const [part = 0, watcher = 0] = pids.split(' ').map(Number);
  return { starter, part, watcher };
}

async function killed(starter: ChildProcess): Promise<void> {
  starter.kill('SIGKILL');
  await once(starter, 'close');
}

function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('The data folder of npm start', () => {
  const records = () => join(path, 'npm-start.running');
  const isHeldBy = (pid?: number) =>
    expect(DataFolder.claim(path)).rejects.toThrow(`another npm start (process ${pid}) is running on ${path}`);

  it('has one user until it is released', async () => {
    const folder = await DataFolder.claim(path);
    expect(readdirSync(path).sort()).toEqual(['logs', 'npm-start.running']);
    await isHeldBy(process.pid);
    folder.release();
    expect(readdirSync(records())).toEqual([]);
    (await DataFolder.claim(path)).release();
  });

  it('is locked by one of several starts that find the same dead start', async () => {
    mkdirSync(records());
    writeFileSync(join(records(), '4194304.1'), '');
    const results = await Promise.allSettled([DataFolder.claim(path), DataFolder.claim(path)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.each<[string, string]>([
    ['a start that has ended', '4194304.1'],
    ['a start whose id another process has', `${process.pid}.1`],
    ['a part whose id another process has', `${process.pid}.1.KILL`],
  ])('is available with the record of %s', async (_what, record) => {
    mkdirSync(records());
    writeFileSync(join(records(), record), '');
    (await DataFolder.claim(path)).release();
    expect(readdirSync(records())).toEqual([]);
  });

  it('is available when all processes of a killed start have stopped', async () => {
    const { starter, part } = await startAnother('permanent', ['sleep', '600']);
    await isHeldBy(starter.pid);
    await killed(starter);
    const folder = await DataFolder.claim(path);
    expect(isProcessRunning(part)).toBe(false);
    folder.release();
  });

  it('stays locked if the watcher is killed; if both are killed, the next start stops their processes', async () => {
    const { starter, part, watcher } = await startAnother('permanent', ['sleep', '600']);
    process.kill(watcher, 'SIGKILL');
    await waitFor('the watcher has ended', async () => !isProcessRunning(watcher));
    await isHeldBy(starter.pid);
    await killed(starter);
    expect(isProcessRunning(part)).toBe(true);
    const folder = await DataFolder.claim(path);
    expect(isProcessRunning(part)).toBe(false);
    folder.release();
  });

  it('is removed with the processes of a killed start if it was temporary', async () => {
    const { starter, part } = await startAnother('temporary', ['sleep', '600']);
    starter.kill('SIGKILL');
    await waitFor('the folder is removed', async () => !existsSync(path));
    expect(isProcessRunning(part)).toBe(false);
  });
});

describe('A process of npm start that crashes', () => {
  it('is described even without its log file', async () => {
    const manager = new ProcessManager(path, 'permanent');
    const logFile = join(path, 'part.log');
    const part = await manager.start({ name: 'the part', command: process.execPath, args: ['-e', 'process.exitCode = 3'], logFile });
    rmSync(logFile, { force: true });
    await part.ended;
    expect((part.endSignal.reason as Error).message).toMatch(/^the part ended with code 3\. It wrote no output\./);
    await manager.stopAll();
  });
});
