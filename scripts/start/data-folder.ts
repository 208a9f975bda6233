import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../src/private-files';
import { isStartRecord, isRunning, recordName } from './process-records';
import { recordsFolderOf, stopRecordedProcesses } from './processes';
import { SetupError } from './setup-error';

/** Files that `npm start` and its processes create in DATA_DIR. Modes of other files are not changed. */
const OWN_ENTRIES = /^(admin-token|secrets|npm-start\.|postgres\.json|temporal\.db|logs|outbox$|artwork$)/;
/** PostgreSQL's files and programs. PostgreSQL sets their modes, and another user may own them. */
const POSTGRES_ENTRIES = /^postgres(ql-|$|\.creating|\.password)/;

/** DATA_DIR, locked by one `npm start` at a time. `npm-start.running` is the lock and holds a record of each running process. */
export class DataFolder {
  readonly logsDir: string;
  private readonly records: string;

  private constructor(readonly path: string) {
    this.logsDir = join(path, 'logs');
    this.records = recordsFolderOf(path);
  }

  /** @throws SetupError if another `npm start` uses it */
  static async claim(path: string): Promise<DataFolder> {
    const folder = new DataFolder(path);
    try {
      folder.createFolder();
      await folder.lock();
      folder.rotateLogs();
      for (const name of readdirSync(path)) if (OWN_ENTRIES.test(name)) makePrivate(join(path, name));
      return folder;
    } catch (error) {
      if (error instanceof SetupError) throw error;
      throw new SetupError(`the data folder ${path} cannot be used: ${(error as Error).message}\nSet DATA_DIR to another folder.`);
    }
  }

  release(): void {
    rmSync(join(this.records, recordName(process.pid)), { force: true });
  }

  private createFolder(): void {
    mkdirSync(this.path, { recursive: true });
    // As root, PostgreSQL runs as another user, which must be able to enter the folder. All other files are private.
    if (readdirSync(this.path).every((name) => OWN_ENTRIES.test(name) || POSTGRES_ENTRIES.test(name)))
      chmodSync(this.path, process.getuid?.() === 0 ? 0o711 : 0o700);
  }

  /** Keeps the logs of this start and of the previous one. */
  private rotateLogs(): void {
    const previous = `${this.logsDir}.previous`;
    rmSync(previous, { recursive: true, force: true });
    if (existsSync(this.logsDir)) renameSync(this.logsDir, previous);
    mkdirSync(this.logsDir, { mode: 0o700 });
  }

  /** Renaming a folder fails if the target holds files, so only one of several starts gets the lock. */
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
    const earlierStart = records.filter(isStartRecord).find(isRunning);
    if (earlierStart !== undefined)
      throw new SetupError(
        `another npm start (process ${earlierStart.split('.')[0]}) is running on ${this.path}.\n` +
          'Stop it first, or set DATA_DIR and other ports to run a second one.',
      );
    for (const record of records) if (!isRunning(record)) rmSync(join(this.records, record), { force: true });
    if (!records.some(isRunning)) return;
    console.log('stopping the processes of an earlier start …');
    await stopRecordedProcesses(this.records);
  }
}

/** @returns false if the new name is a folder that holds files */
function tryRename(folder: string, name: string): boolean {
  try {
    renameSync(folder, name);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
