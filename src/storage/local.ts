/** The embedded store for the service. Its HTTP server is in `server.ts`. */
import type { Readable } from 'node:stream';
import { targetLifetimeSeconds } from '../domain/artwork-rules';
import { ApiError } from '../domain/errors';
import type { PreviewSize } from '../domain/inspection';
import { READ_URL_SECONDS, signedUrl, unsignedUrl } from '../security/signed-urls';
import { ArtworkFiles } from './artwork-files';
import { parseArtworkKey } from './artwork-key';
import { DiskSpace } from './disk-space';
import { PreviewFiles } from './preview-files';
import type { ArtworkStat, ArtworkStorage, StoredObject, UploadTarget, UploadTargetRequest } from './types';

export interface LocalStorageSettings {
  dir: string;
  /** HMAC key shared with the storage server (`STORAGE_SIGNING_SECRET`). */
  secret: string;
  /** The storage server's URL for clients (`STORAGE_PUBLIC_URL`). */
  publicUrl: string;
  /** Free space, in bytes, that uploads must leave on the disk. Default 0. */
  reserveBytes?: number;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

export function createLocalStorage(settings: LocalStorageSettings): ArtworkStorage {
  return new LocalArtworkStorage(settings, new ArtworkFiles(settings.dir), new PreviewFiles(settings.dir));
}

class LocalArtworkStorage implements ArtworkStorage {
  readonly arrivals = 'reported';
  private readonly diskSpace: DiskSpace;

  constructor(
    private readonly settings: LocalStorageSettings,
    private readonly files: ArtworkFiles,
    private readonly previews: PreviewFiles,
  ) {
    this.diskSpace = new DiskSpace(settings.dir, settings.reserveBytes ?? 0);
  }

  async hasSpaceFor(sizeBytes: number): Promise<boolean> {
    return (await this.diskSpace.availableBytes()) >= sizeBytes;
  }

  freeBytes(): Promise<number> {
    return this.diskSpace.availableBytes();
  }

  async createUploadTarget(input: UploadTargetRequest): Promise<UploadTarget> {
    assertKey(input.key);
    const { publicUrl, secret } = this.settings;
    const expiresAtSeconds = this.secondsFromNow(targetLifetimeSeconds(input.sizeBytes));
    const grant = { method: 'PUT', key: input.key, sizeBytes: input.sizeBytes, expiresAtSeconds } as const;
    return {
      uploadUrl: signedUrl(publicUrl, grant, secret),
      contentType: input.contentType,
      url: unsignedUrl(publicUrl, input.key),
      key: input.key,
      expiresAt: new Date(expiresAtSeconds * 1000),
    };
  }

  stat(key: string): Promise<ArtworkStat | null> {
    return this.files.stat(key);
  }

  async openRead(key: string): Promise<Readable> {
    const artwork = await this.files.open(key);
    if (!artwork) throw new ApiError('NOT_FOUND', 'No artwork is stored here.');
    return artwork.stream();
  }

  async signedReadUrl(key: string): Promise<string> {
    assertKey(key);
    const expiresAtSeconds = this.secondsFromNow(READ_URL_SECONDS);
    return signedUrl(this.settings.publicUrl, { method: 'GET', key, expiresAtSeconds }, this.settings.secret);
  }

  isAvailable(): Promise<boolean> {
    return this.files.isPrepared();
  }

  /** Removes the previews first. After a crash in between, the artwork still exists, and a repeated removal finds it. */
  async remove(key: string): Promise<void> {
    if (parseArtworkKey(key) !== null) await this.previews.remove(key);
    await this.files.remove(key);
  }

  writePreview(key: string, size: PreviewSize, bytes: Buffer): Promise<void> {
    return this.previews.write(key, size, bytes);
  }

  readPreview(key: string, size: PreviewSize): Promise<Buffer | null> {
    return this.previews.read(key, size);
  }

  removePreview(key: string): Promise<void> {
    return this.previews.remove(key);
  }

  list(after: string, limit: number): Promise<StoredObject[]> {
    return this.files.list(after, limit);
  }

  private secondsFromNow(seconds: number): number {
    const nowMs = (this.settings.clock ?? Date.now)();
    return Math.floor(nowMs / 1000) + seconds;
  }
}

/** @throws RangeError if the key is invalid, which is an error of the calling code */
export function assertKey(key: string): void {
  if (!parseArtworkKey(key)) throw new RangeError('not an artwork key');
}
