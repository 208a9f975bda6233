import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MINUTE_MS } from '../domain/duration';
import { systemCode } from '../storage/durable-files';
import { CommandFailure, errorMessage, usageError } from './errors';
import { safeText } from './safe-text';

/** A file of a line, as the service lists it. */
export interface ArtworkFile {
  orderNumber: string;
  /** From 0. */
  line: number;
  name: string;
  sizeBytes: number;
  checksum: string;
}

/** What a file was compared with: its own SHA-256, the MD5 of an S3 store, or only its size. */
export type Verified = 'sha256' | 'md5' | 'size';

/**
 * A row of the manifest. `fetched`: the file is verified and lies under the name `temp`. `placed`: it has its own name in the folder, and no
 * `temp`. Print programs may take it from there at any time. `withdrawn`: it was taken back before a print program took it.
 */
interface ManifestRow extends ArtworkFile {
  at: string;
  state: 'fetched' | 'placed' | 'withdrawn';
  verified: Verified;
  sha256: string;
  temp?: string;
}

/** Print programs watch the folder itself, so unfinished files, the manifest and the lock are in this folder below it. */
const OWN_FOLDER = '.trade-print';
const MANIFEST = 'manifest.jsonl';
const LOCK = 'lock';
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

const keyOf = ({ orderNumber, line }: Pick<ArtworkFile, 'orderNumber' | 'line'>): string => `${orderNumber}/${line}`;

/** A folder with artwork, with a manifest of every file that was ever placed there. Only one program at a time writes to it. */
export class ArtworkFolder {
  private readonly rows = new Map<string, ManifestRow>();

  private constructor(
    private readonly folder: string,
    private readonly own: string,
    private readonly manifest: nodeFs.FileHandle,
    private readonly lock: NodeJS.Timeout,
  ) {}

  /** Opens or creates the folder, and completes what an interrupted run left. @throws CommandFailure */
  static async open(folder: string): Promise<ArtworkFolder> {
    const own = path.join(folder, OWN_FOLDER);
    try {
      await nodeFs.mkdir(own, { recursive: true });
    } catch (error) {
      throw usageError(`cannot use the folder ${safeText(folder)}: ${safeText(errorMessage(error))}`);
    }
    const lock = await acquireLock(path.join(own, LOCK));
    const opened = new ArtworkFolder(folder, own, await nodeFs.open(path.join(own, MANIFEST), 'a+'), lock);
    try {
      await opened.load();
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.lock);
    await this.manifest.close();
    await nodeFs.rm(path.join(this.own, LOCK), { force: true });
  }

  /** Whether this content of the line was placed before. The print program may have taken it since. */
  hasPlaced(file: ArtworkFile): boolean {
    const row = this.rows.get(keyOf(file));
    return row !== undefined && row.state !== 'withdrawn' && row.checksum === file.checksum;
  }

  /** The path for the unfinished file. */
  newTemp(): string {
    return path.join(this.own, `${randomBytes(8).toString('hex')}.part`);
  }

  /**
   * Gives a verified file its name. The manifest first says that the file is fetched: after a crash the next run places the file, or finds
   * that it was placed. So no file is placed twice, even if a print program took it at once. From now on `temp` belongs to the manifest.
   */
  async place(file: ArtworkFile, temp: string, { verified, sha256 }: { verified: Verified; sha256: string }): Promise<void> {
    if (this.rows.get(keyOf(file))?.name !== file.name) await this.withdraw(file);
    const row: ManifestRow = { at: new Date().toISOString(), state: 'fetched', ...file, verified, sha256, temp: path.basename(temp) };
    await this.append(row);
    await this.finish(row);
  }

  /** Removes the placed file of a line, unless it was taken or changed. @returns its name, or null if nothing was removed */
  async withdraw(line: Pick<ArtworkFile, 'orderNumber' | 'line'>): Promise<string | null> {
    const row = this.rows.get(keyOf(line));
    if (row === undefined || (await sha256Of(path.join(this.folder, row.name))) !== row.sha256) return null;
    // The manifest first, so that the file can be fetched again even after a crash here.
    await this.append({ ...row, at: new Date().toISOString(), state: 'withdrawn' });
    await nodeFs.rm(path.join(this.folder, row.name), { force: true });
    return row.name;
  }

  /** Only an earlier artwork of the same line may be replaced. @throws CommandFailure if another file has the name */
  async assertFree(file: ArtworkFile): Promise<void> {
    const { name } = file;
    const exists = await nodeFs.lstat(path.join(this.folder, name)).then(
      () => true,
      () => false,
    );
    if (exists && this.rows.get(keyOf(file))?.name !== name)
      throw new CommandFailure(`${name} exists already and is not from this command; move it to another folder`);
  }

  private async finish({ temp = '', ...row }: ManifestRow): Promise<void> {
    await nodeFs.rename(path.join(this.own, temp), path.join(this.folder, row.name));
    await syncFolder(this.folder);
    await this.append({ ...row, state: 'placed' });
  }

  private async append(row: ManifestRow): Promise<void> {
    await this.manifest.appendFile(`${JSON.stringify(row)}\n`);
    await this.manifest.sync();
    this.rows.set(keyOf(row), row);
  }

  private async load(): Promise<void> {
    const text = await this.manifest.readFile('utf8');
    const end = text.lastIndexOf('\n') + 1;
    // A crash or a full disk can leave part of a row, which must not merge with the next one.
    if (end < text.length) await this.manifest.truncate(Buffer.byteLength(text.slice(0, end)));
    for (const line of text.slice(0, end).split('\n').filter(Boolean)) {
      const row = parseRow(line);
      if (row !== null) this.rows.set(keyOf(row), row);
    }
    const unfinished = [...this.rows.values()].filter(({ state }) => state === 'fetched');
    for (const row of unfinished) {
      const isWaiting = await nodeFs.stat(path.join(this.own, row.temp ?? '')).then(
        (stats) => stats.isFile(),
        () => false,
      );
      const { temp: _, ...placed } = row;
      if (isWaiting) await this.finish(row);
      else await this.append({ ...placed, state: 'placed' });
    }
    const parts = (await nodeFs.readdir(this.own)).filter((name) => name.endsWith('.part'));
    for (const name of parts) await nodeFs.rm(path.join(this.own, name), { force: true });
  }
}

function parseRow(line: string): ManifestRow | null {
  try {
    const row = JSON.parse(line) as ManifestRow | null;
    const hasSafeNames = isSafeName(row?.name) && (row?.temp === undefined || isSafeName(row.temp));
    return hasSafeNames ? row : null;
  } catch {
    return null;
  }
}

/** Whether a name is that of a plain file in the folder on every system. */
export const isSafeName = (name: unknown): boolean => typeof name === 'string' && SAFE_NAME.test(name) && !name.endsWith('.');

const TOUCH_EVERY_MS = 15_000;
/** The program that holds a lock touches it until it ends. */
const ABANDONED_AFTER_MS = 2 * MINUTE_MS;

/** Takes the lock and keeps it. @throws CommandFailure while another program writes to the folder */
async function acquireLock(file: string): Promise<NodeJS.Timeout> {
  const holder = JSON.stringify({ pid: process.pid, host: hostname() });
  for (;;) {
    try {
      await nodeFs.writeFile(file, holder, { flag: 'wx' });
      const touch = (): void => void nodeFs.utimes(file, new Date(), new Date()).catch(() => undefined);
      return setInterval(touch, TOUCH_EVERY_MS).unref();
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw usageError(`cannot write to ${safeText(path.dirname(file))}: ${errorMessage(error)}`);
    }
    if (await isHeld(file)) throw new CommandFailure(`another trade-print uses this folder; its lock is ${safeText(file)}`);
    await nodeFs.rm(file, { force: true });
  }
}

/** A lock is not held once it is abandoned, or once its program on this computer has ended. */
async function isHeld(file: string): Promise<boolean> {
  const stats = await nodeFs.stat(file).catch(() => null);
  if (stats === null || Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) return false;
  try {
    const { pid, host } = JSON.parse(await nodeFs.readFile(file, 'utf8')) as { pid: number; host: string };
    if (host === hostname()) process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH' && systemCode(error) !== 'ENOENT'; // a half-written lock is new
  }
}

/** The SHA-256 of a file, or null if there is no such file. */
async function sha256Of(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  return pipeline(createReadStream(file), hash).then(
    () => hash.digest('hex'),
    () => null,
  );
}

/** Some file systems, such as network shares, cannot sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await nodeFs.open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
