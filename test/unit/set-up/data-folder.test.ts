import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolder } from '../../../scripts/start/data-folder';
import { ProcessKeeper } from '../../../scripts/start/process-keeper';
import { SetupError } from '../../../scripts/start/setup-error';

describe('The data folder of npm start', () => {
  let path: string;
  let keepers: ProcessKeeper[];
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'trade-print-data-'));
    keepers = [];
  });
  afterEach(async () => {
    await Promise.all(keepers.map((keeper) => keeper.stopAll()));
    rmSync(path, { recursive: true, force: true });
  });

  function keeperOf(): ProcessKeeper {
    const keeper = new ProcessKeeper();
    keepers.push(keeper);
    return keeper;
  }

  const lock = () => join(path, 'npm-start.lock');

  async function endedPid(): Promise<number> {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'close');
    return child.pid ?? 0;
  }

  it('has one holder; nothing but the lock is in it, and release removes that', async () => {
    const folder = await DataFolder.claim(path, keeperOf());
    expect(readdirSync(path).sort()).toEqual(['logs', 'npm-start.lock']);
    await expect(DataFolder.claim(path, keeperOf())).rejects.toThrow(new RegExp(`process ${process.pid}\\) is running`));
    folder.release();
    expect(readdirSync(path)).toEqual(['logs']);
  });

  it.each<[string, () => Promise<string>]>([
    ['of an ended process', async () => JSON.stringify([{ pid: await endedPid(), identity: 'x' }])],
    ['of another process with the same pid', async () => JSON.stringify([{ pid: process.pid, identity: 'x' }])],
    ['of the version before', async () => JSON.stringify({ pid: await endedPid(), identity: 'x' })],
    ['that a crash cut short', async () => '['],
  ])('is free with the lock %s', async (_what, content) => {
    writeFileSync(lock(), await content());
    const folder = await DataFolder.claim(path, keeperOf());
    expect(readFileSync(lock(), 'utf8')).toContain(`{"pid":${process.pid},`);
    folder.release();
  });

  it('is not free with the lock of the version before, whose process runs', async () => {
    (await DataFolder.claim(path, keeperOf())).release();
    await DataFolder.claim(path, keeperOf());
    const [starter] = JSON.parse(readFileSync(lock(), 'utf8')) as [unknown];
    writeFileSync(lock(), JSON.stringify(starter));
    await expect(DataFolder.claim(path, keeperOf())).rejects.toThrow(SetupError);
  });

  it('is freed of what runs after starter and reaper have been killed', async () => {
    const killed = keeperOf();
    await DataFolder.claim(path, killed);
    const part = await killed.start({ name: 'a part', command: 'sleep', args: ['600'], logFile: join(path, 'logs', 'part.log') });
    process.kill(killed.reaperPid ?? 0, 'SIGKILL');
    writeFileSync(lock(), JSON.stringify([{ pid: await endedPid(), identity: 'x' }]));
    const folder = await DataFolder.claim(path, keeperOf());
    expect(await part.ended).toEqual({ code: null, signal: 'SIGTERM' });
    folder.release();
    expect(readdirSync(path)).toEqual(['logs']);
  });
});

describe('A part of npm start that crashes', () => {
  it('is described without its log file too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trade-print-part-'));
    const keeper = new ProcessKeeper();
    const logFile = join(folder, 'part.log');
    const part = await keeper.start({ name: 'the part', command: process.execPath, args: ['-e', 'process.exitCode = 3'], logFile });
    rmSync(logFile, { force: true });
    expect(await part.describeEnd()).toMatch(/^the part ended with code 3\. It wrote nothing\./);
    await keeper.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
});
