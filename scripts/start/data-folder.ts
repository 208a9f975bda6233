import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../src/platform/private-files';
import { isRecordOfNpmStart, isRunning, recordName } from './process-records';
import { recordsDirIn, stopRecordedProcesses } from './processes';
import { SetupError } from './setup-error';

/** The entries of DATA_DIR that `npm start` and its processes create. It does not change other entries. */
const OWN_ENTRIES = /^(admin-token|secrets|npm-start\.|postgres\.json|temporal\.db|logs(\.previous)?$|outbox$|artwork$)/;
/** PostgreSQL's files and programs. They have their own modes, and may belong to another user. */
const POSTGRES_ENTRIES = /^postgres(ql-|$|\.creating|\.password)/;

/** DATA_DIR, which only one `npm start` at a time may use. Its folder `npm-start.running` is the lock, and lists the running processes. */
export class DataFolder {
  readonly logsDir: string;
  private readonly records: string;

  private constructor(readonly path: string) {
    this.logsDir = join(path, 'logs');
    this.records = recordsDirIn(path);
  }

  /** @throws SetupError if another `npm start` uses the folder */
  static async claim(path: string): Promise<DataFolder> {
    const folder = new DataFolder(path);
    try {
      folder.createFolder();
      await folder.lock();
      for (const name of readdirSync(path)) if (OWN_ENTRIES.test(name)) makePrivate(join(path, name));
      return folder;
    } catch (error) {
      if (error instanceof SetupError) throw error;
      throw new SetupError(`the data folder ${path} cannot be used: ${(error as Error).message}\nSet DATA_DIR to another place.`);
    }
  }

  release(): void {
    rmSync(join(this.records, recordName(process.pid)), { force: true });
  }

  private createFolder(): void {
    mkdirSync(this.path, { recursive: true });
    // If `npm start` runs as root, PostgreSQL runs as another user, who must be able to enter the folder. Nobody else may read it.
    if (readdirSync(this.path).every((name) => OWN_ENTRIES.test(name) || POSTGRES_ENTRIES.test(name)))
      chmodSync(this.path, process.getuid?.() === 0 ? 0o711 : 0o700);
  }

  /** Starts new logs and keeps the logs of the previous start. */
  rotateLogs(): void {
    const previous = `${this.logsDir}.previous`;
    rmSync(previous, { recursive: true, force: true });
    if (existsSync(this.logsDir)) renameSync(this.logsDir, previous);
    mkdirSync(this.logsDir, { mode: 0o700 });
  }

  /** Renames a folder to the name of the lock. The system refuses this if that folder has files, so only one of several starts succeeds. */
  private async lock(): Promise<void> {
    const ownRecordsDir = `${this.records}.${process.pid}`;
    mkdirSync(ownRecordsDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(ownRecordsDir, recordName(process.pid)), '');
    try {
      while (!tryRename(ownRecordsDir, this.records)) await this.stopEarlierStart();
    } finally {
      rmSync(ownRecordsDir, { recursive: true, force: true });
    }
  }

  private async stopEarlierStart(): Promise<void> {
    const records = readdirSync(this.records);
    const earlierStart = records.filter(isRecordOfNpmStart).find(isRunning);
    if (earlierStart !== undefined)
      throw new SetupError(
        `another npm start (process ${earlierStart.split('.')[0]}) is running on ${this.path}.\n` +
          'Stop it first, or set DATA_DIR and the ports to run a second one next to it.',
      );
    for (const record of records) if (!isRunning(record)) rmSync(join(this.records, record), { force: true });
    if (!records.some(isRunning)) return;
    console.log('stopping the processes of an earlier start …');
    await stopRecordedProcesses(this.records);
    const unstoppable = records.find(isRunning);
    if (unstoppable !== undefined)
      throw new SetupError(`process ${unstoppable.split('.')[0]} of an earlier start on ${this.path} cannot be stopped.\nEnd it yourself.`);
  }
}

/** @returns false if a folder with files already has the new name */
function tryRename(folder: string, name: string): boolean {
  try {
    renameSync(folder, name);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
