import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:buffer';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DataFolder } from '../../../scripts/start/data-folder';
import { isRunning, recordName } from '../../../scripts/start/process-records';
import { ProcessManager, stopRecordedProcesses } from '../../../scripts/start/processes';
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

/** Runs a script in another process with `path` and `args`. @returns it and its first line */
async function runInAnother(script: string, ...args: string[]) {
  const code = `
    const { DataFolder } = require(${JSON.stringify(join(scripts, 'data-folder.ts'))});
    const { ProcessManager } = require(${JSON.stringify(join(scripts, 'processes.ts'))});
    const [path, ...args] = process.argv.slice(1);
    ${script}`;
  const register = join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs');
  return spawnUntilLine(process.execPath, ['--require', register, '-e', code, path, ...args]);
}

async function spawnUntilLine(command: string, args: readonly string[]) {
  const starter = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  starters.push(starter);
  const [line] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
  return { starter, line };
}

/** Another process that holds the folder and starts `command`. @returns the records of `command` and its watcher */
async function startAnother(lifetime: string, command: readonly string[]) {
  const script = `
    const [lifetime, command, ...rest] = args;
    DataFolder.claim(path)
      .then((folder) => {
        folder.rotateLogs();
        const manager = new ProcessManager(path, lifetime);
        return manager
          .start({ name: 'a part', command, args: rest, logFile: folder.logsDir + '/part.log' })
          .then(({ pid }) => [pid, manager.watcher.pid]);
      })
      .then((pids) => console.log(pids.join(' ')));`;
  const { starter, line } = await runInAnother(script, lifetime, ...command);
  const [part = '', watcher = ''] = line.split(' ').map((pid) => recordName(Number(pid)));
  return { starter, part, watcher };
}

async function killed(starter: ChildProcess): Promise<void> {
  starter.kill('SIGKILL');
  await once(starter, 'close');
}

describe('The data folder of npm start', () => {
  const records = () => join(path, 'npm-start.running');
  const isHeldBy = (pid?: number) =>
    expect(DataFolder.claim(path)).rejects.toThrow(`another npm start (process ${pid}) is running on ${path}`);

  it('has one holder until that releases it', async () => {
    const folder = await DataFolder.claim(path);
    expect(readdirSync(path).sort()).toEqual(['npm-start.running']);
    await isHeldBy(process.pid);
    folder.release();
    expect(readdirSync(records())).toEqual([]);
    (await DataFolder.claim(path)).release();
  });

  it('goes to one of several that find the same dead start', async () => {
    mkdirSync(records());
    writeFileSync(join(records(), '4194304.1'), '');
    const script = `DataFolder.claim(path).then(
      () => setInterval(() => undefined, 60_000) && console.log('claimed'),
      (error) => console.log(error.message));`;
    const claims = await Promise.all([runInAnother(script), runInAnother(script)]);
    const [winner, loser] = claims[0].line === 'claimed' ? claims : claims.toReversed();
    expect([winner?.line, loser?.line]).toEqual(['claimed', `another npm start (process ${winner?.starter.pid}) is running on ${path}.`]);
  });

  it.each<[string, string]>([
    ['a start that has ended', '4194304.1'],
    ['a start whose process id is reused', `${process.pid}.1`],
    ['a part whose process id is reused', `${process.pid}.1.KILL`],
  ])('is free with the record of %s', async (_what, record) => {
    mkdirSync(records());
    writeFileSync(join(records(), record), '');
    (await DataFolder.claim(path)).release();
    expect(readdirSync(records())).toEqual([]);
  });

  it('names a process of an earlier start that cannot be stopped', async () => {
    mkdirSync(records());
    const pid = `0x${process.pid.toString(16)}`; // the shell cannot signal this number
    writeFileSync(join(records(), recordName(process.pid, 'SIGTERM').replace(/^\d+/, pid)), '');
    await expect(DataFolder.claim(path)).rejects.toThrow(`process ${pid} of an earlier start on ${path} cannot be stopped`);
  });

  it('sends one stop signal to each process, however often it is cleaned up', async () => {
    const [log, end] = [join(path, 'signals'), join(path, 'end')];
    const script = `trap "echo $$ >> '${log}'" TERM; echo ready; while [ ! -e '${end}' ]; do sleep 0.05; done`;
    const parts = await Promise.all([1, 2].map(() => spawnUntilLine('/bin/sh', ['-c', script])));
    const pids = parts.map(({ starter }) => String(starter.pid)).sort(); // in the order in which they get signals
    mkdirSync(records());
    const stops: Promise<void>[] = [];
    for (const [index, pid] of pids.entries()) {
      writeFileSync(join(records(), recordName(Number(pid), 'SIGTERM')), '');
      stops.push(stopRecordedProcesses(records()));
      await waitFor(`signal ${index + 1}`, async () => existsSync(log) && readFileSync(log, 'utf8').includes(pid));
    }
    writeFileSync(end, '');
    await Promise.all(stops);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(pids);
  });

  it('keeps the logs of a start that crashed until the next one rotates them, and the modes of other folders', async () => {
    for (const [name, text] of [
      ['logs', 'crash'],
      ['logs-archive', 'mine'],
    ] as const) {
      mkdirSync(join(path, name));
      chmodSync(join(path, name), 0o755);
      writeFileSync(join(path, name, 'api.log'), text);
    }
    (await DataFolder.claim(path)).release();
    expect(readFileSync(join(path, 'logs', 'api.log'), 'utf8')).toBe('crash');
    const folder = await DataFolder.claim(path);
    folder.rotateLogs();
    folder.release();
    expect(readFileSync(join(path, 'logs.previous', 'api.log'), 'utf8')).toBe('crash');
    expect(statSync(join(path, 'logs-archive')).mode & 0o777).toBe(0o755);
  });

  it('is free when all processes of a killed start have stopped', async () => {
    const { starter, part } = await startAnother('permanent', ['sleep', '600']);
    await isHeldBy(starter.pid);
    await killed(starter);
    const folder = await DataFolder.claim(path);
    expect(isRunning(part)).toBe(false);
    folder.release();
  });

  it('stays with a start whose watcher is killed; if both are killed, the next start ends their processes', async () => {
    const { starter, part, watcher } = await startAnother('permanent', ['sleep', '600']);
    process.kill(Number.parseInt(watcher, 10), 'SIGKILL');
    await waitFor('the watcher has ended', async () => !isRunning(watcher));
    await isHeldBy(starter.pid);
    await killed(starter);
    expect(isRunning(part)).toBe(true);
    const folder = await DataFolder.claim(path);
    expect(isRunning(part)).toBe(false);
    folder.release();
  });

  it('is deleted with the processes of a killed start, if it was temporary', async () => {
    const { starter, part } = await startAnother('temporary', ['sleep', '600']);
    starter.kill('SIGKILL');
    await waitFor('the folder is removed', async () => !existsSync(path));
    expect(isRunning(part)).toBe(false);
  });
});

describe('A part of npm start that crashes', () => {
  it.each<[string, (logFile: string) => void, RegExp]>([
    ['without its log file', (logFile) => rmSync(logFile), /^the part ended with code 3\. It wrote nothing\./],
    [
      'with a log file that is a folder',
      (logFile) => {
        rmSync(logFile);
        mkdirSync(logFile);
      },
      /^the part ended with code 3\. It wrote nothing\./,
    ],
    [
      'with a log file that no string can hold',
      (logFile) => {
        truncateSync(logFile, constants.MAX_STRING_LENGTH + 1);
        appendFileSync(logFile, '\nits last words\n');
      },
      /Its last lines:\n[^]*\n {4}its last words\n/,
    ],
  ])('is described %s', async (_what, change, description) => {
    const manager = new ProcessManager(path, 'permanent');
    const logFile = join(path, 'part.log');
    const go = join(path, 'go');
    const args = ['-c', `while [ ! -e '${go}' ]; do sleep 0.05; done; exit 3`];
    const part = await manager.start({ name: 'the part', command: '/bin/sh', args, logFile });
    change(logFile);
    writeFileSync(go, '');
    await part.ended;
    expect((part.endSignal.reason as Error).message).toMatch(description);
    await manager.stopAll();
  });
});
