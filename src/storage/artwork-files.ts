/**
 * Artwork on disk: `artwork/<accountId>/<uploadId>.<sha256>.<ext>`. A file is complete when it has this name, and never changes. A second PUT
 * of other content has another name. The upload's row names the file that is the artwork, so no file replaces another. Only one process
 * writes to a folder.
 */
import { createHash, randomBytes, type Hash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import * as path from 'node:path';
import type { Readable } from 'node:stream';
import { contentKey, parseArtworkKey, parseContentKey } from './artwork-key';
import { withExactSize, nullIfMissing, syncFolder, writeDurably, type FileOperations } from './durable-files';
import type { Arrival, ArtworkStat, StoredObject } from './types';

interface OpenArtwork {
  sizeBytes: number;
  /** Reads the content; closes the file at the end or on destroy. */
  stream(): Readable;
  close(): Promise<void>;
}

interface ContentFile {
  name: string;
  key: string;
  checksum: string;
}

export class ArtworkFiles {
  constructor(
    private readonly dir: string,
    private readonly operations: FileOperations = nodeFs,
  ) {}

  /** The file of the key with this checksum, otherwise the newest; null if there is none. */
  async stat(key: string, checksum: string | null): Promise<ArtworkStat | null> {
    if (!parseArtworkKey(key)) return null;
    const named = checksum === null ? null : await nullIfMissing(nodeFs.stat(path.join(this.dir, contentKey(key, checksum))));
    if (named !== null) return { sizeBytes: named.size, checksum };
    const [newest] = (await this.withStats(await this.filesOf(key))).toSorted((a, b) => b.storedAt.getTime() - a.storedAt.getTime());
    return newest === undefined ? null : { sizeBytes: newest.sizeBytes, checksum: newest.checksum };
  }

  /** Opens the file with this `contentKey`; null if there is none. */
  async open(fileKey: string): Promise<OpenArtwork | null> {
    if (!parseContentKey(fileKey)) return null;
    const handle = await nullIfMissing(nodeFs.open(path.join(this.dir, fileKey), 'r'));
    if (handle === null) return null;
    const { size } = await handle.stat().catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    return { sizeBytes: size, stream: () => handle.createReadStream(), close: () => handle.close() };
  }

  /**
   * Stores the whole body durably under its checksum: file and folder are synced. If it fails, at most the complete file remains.
   * @returns the arrival, and false if the same content was stored before
   * @throws SizeMismatchError, the body's own error, or an error of the file system such as ENOSPC
   */
  async write(key: string, body: AsyncIterable<Buffer>, sizeBytes: number): Promise<[arrival: Arrival, isNew: boolean]> {
    if (!parseArtworkKey(key)) throw new RangeError('not an artwork key');
    const temp = path.join(this.tempDir, `${randomBytes(8).toString('hex')}.part`);
    const hash = createHash('sha256');
    try {
      await writeDurably(this.operations, temp, withHash(hash, withExactSize(sizeBytes, body)));
      const checksum = `sha256:${hash.digest('hex')}`;
      const isNew = await this.rename(temp, path.join(this.dir, contentKey(key, checksum)));
      return [{ key, sizeBytes, checksum }, isNew];
    } finally {
      await nodeFs.rm(temp, { force: true });
    }
  }

  /** Removes the files of the key, except the one with this checksum. Does nothing if there are none. */
  async remove(key: string, { except = null }: { except?: string | null } = {}): Promise<void> {
    const files = (await this.filesOf(key)).filter((file) => file.checksum !== except);
    await Promise.all(files.map(({ name }) => nodeFs.rm(name, { force: true })));
    if (files.length > 0) await syncFolder(this.operations, path.dirname(path.join(this.dir, key)));
  }

  /** Removes one file. Does nothing if it does not exist. */
  removeFile({ key, checksum }: Arrival): Promise<void> {
    return nodeFs.rm(path.join(this.dir, contentKey(key, checksum)), { force: true });
  }

  /** Objects after the key `after`, sorted by key, with the time of the last change. */
  async list(after: string, limit: number): Promise<StoredObject[]> {
    const objects: StoredObject[] = [];
    const folders = (await nullIfMissing(nodeFs.readdir(path.join(this.dir, 'artwork')))) ?? [];
    const prefixes = folders
      .map((name) => `artwork/${name}/`)
      .filter((prefix) => `${prefix}\uffff` > after)
      .sort();
    for (const prefix of prefixes) {
      if (objects.length >= limit) break;
      const files = await this.filesBelow(prefix);
      const keys = [...new Set(files.map(({ key }) => key))].filter((key) => key > after).sort();
      for (const key of keys.slice(0, limit - objects.length)) {
        const times = (await this.withStats(files.filter((file) => file.key === key))).map(({ storedAt }) => storedAt.getTime());
        objects.push({ key, storedAt: new Date(Math.max(0, ...times)) });
      }
    }
    return objects;
  }

  /** True if a store was prepared in this folder. */
  async isPrepared(): Promise<boolean> {
    return (await nullIfMissing(nodeFs.stat(path.join(this.dir, 'artwork')))) !== null;
  }

  /** Creates the folders and removes partial files of crashed uploads that were not written since `olderThanMs` (epoch). */
  async prepare(olderThanMs: number): Promise<{ removed: number }> {
    await nodeFs.mkdir(this.tempDir, { recursive: true });
    await nodeFs.mkdir(path.join(this.dir, 'artwork'), { recursive: true });
    let removed = 0;
    for (const name of await nodeFs.readdir(this.tempDir)) {
      const file = path.join(this.tempDir, name);
      const stats = await nullIfMissing(nodeFs.stat(file));
      if (!stats || stats.mtimeMs >= olderThanMs) continue;
      await nodeFs.rm(file, { force: true });
      removed += 1;
    }
    return { removed };
  }

  /** Gives a complete file its name. @returns false if a file has the name already, which has the same content */
  private async rename(temp: string, file: string): Promise<boolean> {
    const folder = path.dirname(file);
    if (await nodeFs.mkdir(folder, { recursive: true })) await syncFolder(this.operations, path.dirname(folder));
    const isNew = (await nullIfMissing(nodeFs.stat(file))) === null;
    if (isNew) await this.operations.rename(temp, file);
    await syncFolder(this.operations, folder);
    return isNew;
  }

  private async filesOf(key: string): Promise<ContentFile[]> {
    if (!parseArtworkKey(key)) return [];
    return (await this.filesBelow(`${path.posix.dirname(key)}/`)).filter((file) => file.key === key);
  }

  /** Without the files that were removed meanwhile. */
  private async withStats(files: readonly ContentFile[]): Promise<(ContentFile & { sizeBytes: number; storedAt: Date })[]> {
    const found = await Promise.all(
      files.map(async (file) => {
        const stats = await nullIfMissing(nodeFs.stat(file.name));
        return stats === null ? [] : [{ ...file, sizeBytes: stats.size, storedAt: stats.mtime }];
      }),
    );
    return found.flat();
  }

  /** The files in a folder such as `artwork/acc_1/`. */
  private async filesBelow(prefix: string): Promise<ContentFile[]> {
    const names = (await nullIfMissing(nodeFs.readdir(path.join(this.dir, prefix)))) ?? [];
    return names.flatMap((name) => {
      const content = parseContentKey(`${prefix}${name}`);
      return content === null ? [] : [{ ...content, name: path.join(this.dir, prefix, name) }];
    });
  }

  private get tempDir(): string {
    return path.join(this.dir, 'incoming');
  }
}

async function* withHash(hash: Hash, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
