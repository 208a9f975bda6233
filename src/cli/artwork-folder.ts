import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import * as path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nullIfMissing, systemCode } from '../storage/durable-files';
import { CommandFailure, errorMessage, usageError } from './errors';
import { FolderLock } from './folder-lock';
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
type LineKey = Pick<ArtworkFile, 'orderNumber' | 'line'>;

/** What a file was compared with: its own SHA-256, the MD5 of an S3 store, or only its size. */
export type Verified = 'sha256' | 'md5' | 'size';

/** The folder cannot be used, for example because the disk is full. Other failures concern one file. */
export class FolderFailure extends CommandFailure {}

/**
 * A row of the manifest. `fetched`: the file is verified and waits under the name `temp`. `placed`: it got its own name in the folder. Print
 * programs may take it from there at any time. `withdrawn`: the line can be fetched again. A withdrawal first moves the file back to `temp`.
 */
interface ManifestRow extends ArtworkFile {
  at: string;
  state: 'fetched' | 'placed' | 'withdrawn';
  verified: Verified;
  sha256: string;
  temp: string;
}

/** Print programs watch the folder itself, so unfinished files, the manifest and the lock are in this folder below it. */
const OWN_FOLDER = '.trade-print';
const MANIFEST = 'manifest.jsonl';
const LOCK = 'lock';
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

const keyOf = ({ orderNumber, line }: LineKey): string => `${orderNumber}/${line}`;

/** A folder with artwork, with a manifest of every file that was ever placed there. Only one program at a time writes to it. */
export class ArtworkFolder {
  /** The last row of each line. */
  private readonly rows = new Map<string, ManifestRow>();
  /** The SHA-256 of all files that ever had a name. */
  private readonly hashes = new Map<string, Set<string>>();
  /** The `temp` names under which verified files wait. */
  private readonly waiting = new Set<string>();

  private constructor(
    private readonly folder: string,
    private readonly own: string,
    private readonly manifest: nodeFs.FileHandle,
    private readonly lock: FolderLock,
  ) {}

  /** Opens or creates the folder. @throws CommandFailure */
  static async open(folder: string): Promise<ArtworkFolder> {
    const own = path.join(folder, OWN_FOLDER);
    try {
      await nodeFs.mkdir(own, { recursive: true });
    } catch (error) {
      throw usageError(`cannot use the folder ${safeText(folder)}: ${safeText(errorMessage(error))}`);
    }
    const lock = await FolderLock.acquire(path.join(own, LOCK));
    let manifest: nodeFs.FileHandle | null = null;
    try {
      manifest = await nodeFs.open(path.join(own, MANIFEST), 'a+');
      const opened = new ArtworkFolder(folder, own, manifest, lock);
      await opened.load();
      return opened;
    } catch (error) {
      await manifest?.close();
      await lock.release();
      return throwFolderFailure(error);
    }
  }

  async close(): Promise<void> {
    await this.manifest.close();
    await this.lock.release();
  }

  /** Whether this content of the line was placed before. The print program may have taken it since. */
  hasPlaced(file: ArtworkFile): boolean {
    const row = this.rows.get(keyOf(file));
    return row !== undefined && row.state !== 'withdrawn' && row.checksum === file.checksum;
  }

  /** Whether an interrupted run left a verified file of the line without its name. */
  isWaiting(line: LineKey): boolean {
    return this.waiting.has(this.rows.get(keyOf(line))?.temp ?? '');
  }

  /** The files that wait, or whose names are in the folder. */
  async currentFiles(): Promise<ArtworkFile[]> {
    const names = new Set(await nodeFs.readdir(this.folder).catch(throwFolderFailure));
    return [...this.rows.values()].filter((row) => row.state !== 'withdrawn' && (this.waiting.has(row.temp) || names.has(row.name)));
  }

  /** The path for the unfinished file. */
  newTemp(): string {
    return path.join(this.own, `${randomBytes(8).toString('hex')}.part`);
  }

  /**
   * Gives a verified file its name. The manifest first says that the file is fetched. After a crash the next run decides about the file, or
   * finds that it was placed. So no file is placed twice, even if a print program took it at once.
   */
  async place(file: ArtworkFile, temp: string, { verified, sha256 }: { verified: Verified; sha256: string }): Promise<void> {
    await this.assertLocked();
    const row: ManifestRow = { at: new Date().toISOString(), state: 'fetched', ...file, verified, sha256, temp: path.basename(temp) };
    await this.append(row);
    this.waiting.add(row.temp);
    await this.finish(row);
  }

  /**
   * Places the waiting file of a line if its checksum is still the `wanted` one. Withdraws the line's file if it is not. A rejected line can
   * be fetched again even if the print program took its file.
   * @returns the effect on the folder in words, or null
   */
  async reconcile(line: LineKey, wanted: string | null, isRejected: boolean): Promise<string | null> {
    const row = this.rows.get(keyOf(line));
    if (row === undefined || row.state === 'withdrawn') return null;
    const isWaiting = this.waiting.has(row.temp);
    if (row.checksum === wanted && !isWaiting) return null;
    await this.assertLocked();
    if (row.checksum === wanted) {
      await this.finish(row);
      return null;
    }
    const isOwn = await this.isOwn(row.name);
    const temp = path.join(this.own, row.temp);
    if (isOwn === true) {
      await aboutFile('remove', row.name, nodeFs.rename(path.join(this.folder, row.name), temp));
      await syncFolder(this.folder);
    }
    if (isOwn === true || isWaiting || isRejected) await this.append({ ...row, at: new Date().toISOString(), state: 'withdrawn' });
    this.waiting.delete(row.temp);
    // `load` also removes it.
    await nodeFs.rm(temp, { force: true }).catch(() => undefined);
    if (isOwn === false) return `${row.name} stays in the folder, because it is not the fetched file`;
    return isOwn === true ? `removed ${row.name} from the folder` : null;
  }

  /** @throws CommandFailure if a file that this command did not place has the name */
  async assertFree(name: string): Promise<void> {
    if ((await this.isOwn(name)) === false)
      throw new CommandFailure(`${name} exists already and is not from this command; move it to another folder`);
  }

  /** Whether this command placed the file that has the name; null without a file. @throws CommandFailure if it cannot be read */
  private async isOwn(name: string): Promise<boolean | null> {
    const file = path.join(this.folder, name);
    const stats = await aboutFile('read', name, nullIfMissing(nodeFs.lstat(file)));
    if (stats === null) return null;
    if (!stats.isFile()) throw new CommandFailure(`${name} in the folder is not a file; move it to another folder`);
    const hash = createHash('sha256');
    const isRead = await aboutFile('read', name, nullIfMissing(pipeline(createReadStream(file), hash).then(() => true)));
    return isRead === null ? null : this.hashes.get(name)?.has(hash.digest('hex')) === true;
  }

  /** @throws CommandFailure; the file then waits for the next run */
  private async finish(row: ManifestRow): Promise<void> {
    await this.assertFree(row.name);
    await aboutFile('place', row.name, nodeFs.rename(path.join(this.own, row.temp), path.join(this.folder, row.name)));
    this.waiting.delete(row.temp);
    await syncFolder(this.folder);
    await this.append({ ...row, state: 'placed' });
  }

  /** @throws FolderFailure */
  private async assertLocked(): Promise<void> {
    if (!(await this.lock.isHeld())) throw new FolderFailure('another trade-print has taken over the folder; run the command again');
  }

  private async append(row: ManifestRow): Promise<void> {
    await this.manifest.appendFile(`${JSON.stringify(row)}\n`).catch(throwFolderFailure);
    await this.manifest.sync().catch(throwFolderFailure);
    this.remember(row);
  }

  private remember(row: ManifestRow): void {
    this.rows.set(keyOf(row), row);
    this.hashes.set(row.name, (this.hashes.get(row.name) ?? new Set()).add(row.sha256));
  }

  private async load(): Promise<void> {
    const text = await this.manifest.readFile('utf8');
    const end = text.lastIndexOf('\n') + 1;
    // A crash or a full disk can leave part of a row, which must not merge with the next one.
    // By its path, because Windows truncates no file that is open for appending.
    if (end < text.length) await nodeFs.truncate(path.join(this.own, MANIFEST), Buffer.byteLength(text.slice(0, end)));
    for (const line of text.slice(0, end).split('\n').filter(Boolean)) {
      const row = parseRow(line);
      if (row !== null) this.remember(row);
    }
    const entries = await nodeFs.readdir(this.own, { withFileTypes: true });
    const parts = new Set(entries.filter((entry) => entry.isFile() && entry.name.endsWith('.part')).map(({ name }) => name));
    for (const row of this.rows.values()) {
      if (row.state === 'withdrawn') continue;
      if (parts.delete(row.temp)) this.waiting.add(row.temp);
      else if (row.state === 'fetched') await this.append({ ...row, state: 'placed' });
    }
    for (const name of parts) await nodeFs.rm(path.join(this.own, name), { force: true }).catch(() => undefined);
  }
}

function parseRow(line: string): ManifestRow | null {
  try {
    const row = JSON.parse(line) as ManifestRow | null;
    return isSafeName(row?.name) && isSafeName(row?.temp) ? row : null;
  } catch {
    return null;
  }
}

/** Whether a name is that of a plain file in the folder on every system. */
export const isSafeName = (name: unknown): boolean => typeof name === 'string' && SAFE_NAME.test(name) && !name.endsWith('.');

const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');

/** Errors of the file system become a `FolderFailure`. */
export function throwFolderFailure(error: unknown): never {
  if (error instanceof CommandFailure || systemCode(error) === undefined) throw error;
  const cause = isDiskFull(error) ? 'the disk is full' : safeText(errorMessage(error));
  throw new FolderFailure(`cannot write to the folder: ${cause}. The files so far are complete; run the command again to continue.`);
}

/** Another program can lock one file, so other errors than a full disk concern that file. */
async function aboutFile<T>(verb: string, name: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (isDiskFull(error)) return throwFolderFailure(error);
    throw new CommandFailure(`cannot ${verb} ${name} in the folder: ${safeText(errorMessage(error))}; the next run tries again`);
  }
}

/** Some file systems, such as network shares, cannot sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await nodeFs.open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
