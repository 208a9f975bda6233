/**
 * Artwork on disk. One object is two files below `artwork/<accountId>/`:
 *   `<uploadId>.<revision>.<ext>`   the bytes, never changed once written
 *   `<uploadId>.<ext>.json`         its record: which revision is current, its size and content type
 * The record's rename is the one commit point, so bytes and type always change together, a second PUT replaces the first
 * atomically (as in S3), and a crash leaves either the old object or the new one. One process writes to a folder.
 */
import { randomBytes } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import type { Readable } from 'node:stream';
import { parseArtworkKey, type ArtworkKeyParts } from './artwork-key';
import { exactly, orNullIfMissing, syncFolder, writeDurably, type FileOperations } from './durable-files';
import type { ArtworkStat } from './types';

interface ArtworkRecord extends ArtworkStat {
  revision: string;
}

export interface OpenArtwork extends ArtworkStat {
  /** Reads all bytes, and closes the file at the end or on destroy. */
  stream(): Readable;
  close(): Promise<void>;
}

export class ArtworkFiles {
  private readonly commits = new Map<string, Promise<void>>();

  constructor(
    private readonly dir: string,
    private readonly operations: FileOperations = nodeFs,
  ) {}

  async stat(key: string): Promise<ArtworkStat | null> {
    const artwork = await this.open(key);
    await artwork?.close();
    return artwork && { sizeBytes: artwork.sizeBytes, contentType: artwork.contentType };
  }

  /** Null when nothing is stored. A replacement between record and bytes is met by reading the record again. */
  async open(key: string): Promise<OpenArtwork | null> {
    const parts = parseArtworkKey(key);
    if (!parts) return null;
    let missing: string | null = null;
    for (;;) {
      const record = await this.readRecord(parts);
      if (!record || record.revision === missing) return null;
      const handle = await orNullIfMissing(nodeFs.open(this.bytesPath(parts, record.revision), 'r'));
      if (handle) return openArtwork(record, handle);
      missing = record.revision;
    }
  }

  /**
   * Stores the whole body under the key, durable (file and folder fsynced) when it resolves. Whatever goes wrong, nothing
   * of the body is left: SizeMismatchError, the body's own error, or the file system's (ENOSPC).
   */
  async write(key: string, body: AsyncIterable<Buffer>, about: ArtworkStat): Promise<void> {
    const parts = parseArtworkKey(key);
    if (!parts) throw new RangeError('not an artwork key');
    const record = { ...about, revision: randomBytes(8).toString('hex') };
    const temp = this.tempPath(record.revision);
    try {
      await writeDurably(this.operations, temp, exactly(about.sizeBytes, body));
      await this.oneAtATime(key, () => this.commit(parts, record, temp));
    } finally {
      await nodeFs.rm(temp, { force: true });
    }
  }

  /** Makes the folders, and removes what a crash left of uploads that were last written before `olderThanMs` (epoch). */
  async prepare(olderThanMs: number): Promise<{ removed: number }> {
    await nodeFs.mkdir(this.tempDir, { recursive: true });
    await nodeFs.mkdir(path.join(this.dir, 'artwork'), { recursive: true });
    let removed = 0;
    for (const name of await nodeFs.readdir(this.tempDir)) {
      const file = path.join(this.tempDir, name);
      const stats = await orNullIfMissing(nodeFs.stat(file));
      if (!stats || stats.mtimeMs >= olderThanMs) continue;
      await nodeFs.rm(file, { force: true });
      removed += 1;
    }
    return { removed };
  }

  private async commit(parts: ArtworkKeyParts, record: ArtworkRecord, temp: string): Promise<void> {
    const folder = path.dirname(this.recordPath(parts));
    if (await nodeFs.mkdir(folder, { recursive: true })) await syncFolder(this.operations, path.dirname(folder));
    const bytes = this.bytesPath(parts, record.revision);
    const recordTemp = `${temp}.json`;
    try {
      await writeDurably(this.operations, recordTemp, [Buffer.from(JSON.stringify(record))]);
      await this.operations.rename(temp, bytes);
      await this.operations.rename(recordTemp, this.recordPath(parts));
    } catch (error) {
      await Promise.all([bytes, recordTemp].map((file) => nodeFs.rm(file, { force: true })));
      throw error;
    }
    await syncFolder(this.operations, folder);
    await this.removeOtherRevisions(parts, record.revision);
  }

  private async removeOtherRevisions(parts: ArtworkKeyParts, revision: string): Promise<void> {
    const current = this.bytesPath(parts, revision);
    const folder = path.dirname(current);
    const ours = new RegExp(`^${parts.uploadId}\\.[0-9a-f]{16}\\.${parts.extension}$`);
    const stale = (await nodeFs.readdir(folder)).filter((name) => ours.test(name) && path.join(folder, name) !== current);
    await Promise.all(stale.map((name) => nodeFs.rm(path.join(folder, name), { force: true })));
  }

  /** Commits to one key follow each other, so that none removes bytes another is about to name. */
  private async oneAtATime(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.commits.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.commits.set(key, mine);
    try {
      await mine;
    } finally {
      if (this.commits.get(key) === mine) this.commits.delete(key);
    }
  }

  private async readRecord(parts: ArtworkKeyParts): Promise<ArtworkRecord | null> {
    const text = await orNullIfMissing(nodeFs.readFile(this.recordPath(parts), 'utf8'));
    return text === null ? null : (JSON.parse(text) as ArtworkRecord);
  }

  private get tempDir(): string {
    return path.join(this.dir, 'incoming');
  }
  private tempPath(revision: string): string {
    return path.join(this.tempDir, `${revision}.part`);
  }
  private recordPath(parts: ArtworkKeyParts): string {
    return path.join(this.dir, 'artwork', parts.accountId, `${parts.uploadId}.${parts.extension}.json`);
  }
  private bytesPath(parts: ArtworkKeyParts, revision: string): string {
    return path.join(this.dir, 'artwork', parts.accountId, `${parts.uploadId}.${revision}.${parts.extension}`);
  }
}

function openArtwork(record: ArtworkRecord, handle: FileHandle): OpenArtwork {
  return {
    sizeBytes: record.sizeBytes,
    contentType: record.contentType,
    stream: () => handle.createReadStream(),
    close: () => handle.close(),
  };
}
