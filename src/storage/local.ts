/** The embedded store for the service. Its HTTP server is in `server.ts`. */
import type { Readable } from 'node:stream';
import { targetLifetimeSeconds } from '../domain/artwork-rules';
import { ApiError } from '../domain/errors';
import type { PreviewSize } from '../domain/inspection';
import { READ_URL_SECONDS, signedUrl, unsignedUrl } from '../security/signed-urls';
import { ArtworkFiles } from './artwork-files';
import { contentKey, parseArtworkKey } from './artwork-key';
import { PreviewFiles } from './preview-files';
import type { ArtworkStat, ArtworkStorage, StoredObject, UploadTarget, UploadTargetRequest } from './types';

export interface LocalStorageSettings {
  dir: string;
  /** HMAC key shared with the storage server (`STORAGE_SIGNING_SECRET`). */
  secret: string;
  /** The storage server's URL for clients (`STORAGE_PUBLIC_URL`). */
  publicUrl: string;
  /** Milliseconds since the epoch. */
  clock?: () => number;
}

/** The name of no file. */
const NO_CHECKSUM = '0'.repeat(64);

export function createLocalStorage(settings: LocalStorageSettings): ArtworkStorage {
  return new LocalArtworkStorage(settings, new ArtworkFiles(settings.dir), new PreviewFiles(settings.dir));
}

class LocalArtworkStorage implements ArtworkStorage {
  readonly arrivals = 'reported';

  constructor(
    private readonly settings: LocalStorageSettings,
    private readonly files: ArtworkFiles,
    private readonly previews: PreviewFiles,
  ) {}

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

  stat(key: string, checksum: string | null): Promise<ArtworkStat | null> {
    return this.files.stat(key, checksum);
  }

  async openRead(key: string, checksum: string | null): Promise<Readable> {
    const artwork = checksum === null ? null : await this.files.open(contentKey(key, checksum));
    if (!artwork) throw new ApiError('NOT_FOUND', 'No artwork is stored here.');
    return artwork.stream();
  }

  /** Without a checksum, the URL is that of a file which has not arrived. */
  async signedReadUrl(key: string, checksum: string | null): Promise<string> {
    assertKey(key);
    const grant = {
      method: 'GET',
      key: contentKey(key, checksum ?? NO_CHECKSUM),
      expiresAtSeconds: this.secondsFromNow(READ_URL_SECONDS),
    } as const;
    return signedUrl(this.settings.publicUrl, grant, this.settings.secret);
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
