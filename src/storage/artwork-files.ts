/**
 * Artwork on disk. One object is two files below `artwork/<accountId>/`: `<uploadId>.<revision>.<ext>` is the content, which never changes.
 * `<uploadId>.<ext>.json` is the record with the current revision, size and content type. Renaming the record is the only commit point.
 * Content and type change together, and a second PUT replaces the first atomically, as in S3. A crash leaves either the old object or the
 * new one. Only one process writes to a folder.
 */
import { createHash, randomBytes, type Hash } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import type { Readable } from 'node:stream';
import { KeyedQueue } from '../runtime/keyed-queue';
import { parseArtworkKey, type ArtworkKeyParts } from './artwork-key';
import { withExactSize, nullIfMissing, syncFolder, writeDurably, type FileOperations } from './durable-files';
import type { ArtworkStat, StoredObject } from './types';

interface ArtworkRecord extends ArtworkStat {
  revision: string;
}

interface OpenArtwork extends ArtworkStat {
  /** Reads the content; closes the file at the end or on destroy. */
  stream(): Readable;
  close(): Promise<void>;
}

export class ArtworkFiles {
  /** Runs the commits of one key one at a time, because each removes the content of other revisions. */
  private readonly runningCommits = new KeyedQueue({ concurrency: 1 });

  constructor(
    private readonly dir: string,
    private readonly operations: FileOperations = nodeFs,
  ) {}

  async stat(key: string): Promise<ArtworkStat | null> {
    const artwork = await this.open(key);
    await artwork?.close();
    return artwork && { sizeBytes: artwork.sizeBytes, contentType: artwork.contentType, checksum: artwork.checksum };
  }

  /** Opens the stored object; null if there is none. If the object is replaced after its record was read, the record is read again. */
  async open(key: string): Promise<OpenArtwork | null> {
    const parts = parseArtworkKey(key);
    if (!parts) return null;
    let missingRevision: string | null = null;
    for (;;) {
      const record = await this.readRecord(parts);
      if (!record || record.revision === missingRevision) return null;
      const handle = await nullIfMissing(nodeFs.open(this.bytesPath(parts, record.revision), 'r'));
      if (handle) return openArtwork(record, handle);
      missingRevision = record.revision;
    }
  }

  /**
   * Stores the whole body durably: file and folder are synced. If it fails, no part of the body remains.
   * @param receive gets the checksum of the whole body; to refuse the body, it throws before it calls `store`
   * @throws SizeMismatchError, the body's own error, or an error of the file system such as ENOSPC
   */
  async write(
    key: string,
    body: AsyncIterable<Buffer>,
    attributes: Omit<ArtworkStat, 'checksum'>,
    receive: ArrivalHandler = (_checksum, store) => store(),
  ): Promise<void> {
    const parts = parseArtworkKey(key);
    if (!parts) throw new RangeError('not an artwork key');
    const revision = randomBytes(8).toString('hex');
    const temp = this.tempPath(revision);
    const hash = createHash('sha256');
    try {
      await writeDurably(this.operations, temp, withHash(hash, withExactSize(attributes.sizeBytes, body)));
      const checksum = `sha256:${hash.digest('hex')}`;
      await receive(checksum, () => this.runningCommits.run(key, () => this.commit(parts, { ...attributes, checksum, revision }, temp)));
    } finally {
      await nodeFs.rm(temp, { force: true });
    }
  }

  /** Removes the object. The record goes first, so a crash leaves no record without content. Does nothing if there is no object. */
  async remove(key: string): Promise<void> {
    const parts = parseArtworkKey(key);
    if (!parts) return;
    await this.runningCommits.run(key, async () => {
      const folder = path.dirname(this.recordPath(parts));
      if (!(await nullIfMissing(nodeFs.stat(folder)))) return;
      await nodeFs.rm(this.recordPath(parts), { force: true });
      await this.removeOtherRevisions(parts, null);
      await syncFolder(this.operations, folder);
    });
  }

  /** Objects after the key `after`, sorted by key, with the time of the last change. */
  async list(after: string, limit: number): Promise<StoredObject[]> {
    const objects: StoredObject[] = [];
    const folders = (await nullIfMissing(nodeFs.readdir(path.join(this.dir, 'artwork')))) ?? [];
    const prefixes = folders
      .map((name) => `artwork/${name}/`)
      .filter((prefix) => `${prefix}\uffff` > after)
      .sort();
    for (const accountId of prefixes.map((prefix) => prefix.slice('artwork/'.length, -1))) {
      if (objects.length >= limit) break;
      const names = (await nullIfMissing(nodeFs.readdir(path.join(this.dir, 'artwork', accountId)))) ?? [];
      const keys = [...new Set(names.flatMap((name) => keyOfFile(accountId, name)))].filter((key) => key > after).sort();
      for (const key of keys.slice(0, limit - objects.length))
        objects.push({ key, storedAt: await this.lastWrittenAt(accountId, key, names) });
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

  private async removeOtherRevisions(parts: ArtworkKeyParts, revision: string | null): Promise<void> {
    const current = revision === null ? null : this.bytesPath(parts, revision);
    const folder = path.dirname(this.recordPath(parts));
    const pattern = new RegExp(`^${parts.uploadId}\\.[0-9a-f]{16}\\.${parts.extension}$`);
    const names = (await nullIfMissing(nodeFs.readdir(folder))) ?? [];
    const stale = names.filter((name) => pattern.test(name) && path.join(folder, name) !== current);
    await Promise.all(stale.map((name) => nodeFs.rm(path.join(folder, name), { force: true })));
  }

  private async lastWrittenAt(accountId: string, key: string, names: string[]): Promise<Date> {
    const ownNames = names.filter((name) => keyOfFile(accountId, name)[0] === key);
    const times = await Promise.all(
      ownNames.map(async (name) => (await nullIfMissing(nodeFs.stat(path.join(this.dir, 'artwork', accountId, name))))?.mtimeMs ?? 0),
    );
    return new Date(Math.max(...times));
  }

  private async readRecord(parts: ArtworkKeyParts): Promise<ArtworkRecord | null> {
    const text = await nullIfMissing(nodeFs.readFile(this.recordPath(parts), 'utf8'));
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

type ArrivalHandler = (checksum: string, store: () => Promise<void>) => Promise<void>;

async function* withHash(hash: Hash, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The key of a content or record file; empty for other files. */
function keyOfFile(accountId: string, name: string): string[] {
  const [, uploadId, ofBytes, ofRecord] = /^([A-Za-z0-9_-]{1,64})\.(?:[0-9a-f]{16}\.([a-z]{3,4})|([a-z]{3,4})\.json)$/.exec(name) ?? [];
  const key = `artwork/${accountId}/${uploadId}.${ofBytes ?? ofRecord}`;
  return parseArtworkKey(key) ? [key] : [];
}

function openArtwork(record: ArtworkRecord, handle: FileHandle): OpenArtwork {
  return {
    sizeBytes: record.sizeBytes,
    contentType: record.contentType,
    checksum: record.checksum ?? null,
    stream: () => handle.createReadStream(),
    close: () => handle.close(),
  };
}
