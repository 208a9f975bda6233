import type { Readable } from 'node:stream';
import type { PreviewSize } from '../domain/inspection';
import type { UploadContentType } from '../domain/limits';

/** The content type of all served artwork. The uploader's type is not trusted, because an HTML file must never open as a page. */
export const SERVED_CONTENT_TYPE = 'application/octet-stream';

/** Returns `attachment` with the object's own name, whose characters are all safe. The client's filename is not used. */
export function servedDisposition(key: string): string {
  return `attachment; filename="${key.slice(key.lastIndexOf('/') + 1)}"`;
}

export interface UploadTargetRequest {
  key: string;
  contentType: UploadContentType;
  /** The exact number of bytes; the store refuses any other. */
  sizeBytes: number;
}

/** The upload URL and the later URL of an artwork. */
export interface UploadTarget {
  uploadUrl: string;
  contentType: string;
  url: string;
  key: string;
  expiresAt: Date;
}

export interface ArtworkStat {
  sizeBytes: number;
  /** `sha256:…` (embedded store) or `etag:…` (S3); it changes with the content. Null if the store has none. */
  checksum: string | null;
}

/** The artwork store did not answer, or cannot work now. The same request may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  constructor(override readonly cause: unknown) {
    super('the artwork store does not answer');
  }
}

export interface StoredObject {
  key: string;
  storedAt: Date;
}

/** A file that is complete and on disk. */
export interface Arrival {
  key: string;
  sizeBytes: number;
  checksum: string;
}

/** Makes a stored file the artwork of its upload, unless an order already uses another one. */
export interface ArrivalRecorder {
  /** @throws ApiError NOT_FOUND if the upload does not exist, ARTWORK_IN_USE if an order uses another file */
  record(arrival: Arrival): Promise<void>;
}

/**
 * Stores artwork under keys of `artworkKey`. The embedded store may hold several files of one key for a moment. The upload's row decides by
 * its checksum which of them is the artwork. An S3-compatible store holds one file, and ignores `checksum`.
 */
export interface ArtworkStorage {
  /** `reported`: the store records each arrival in the upload's row. `polled`: the store must be queried. */
  readonly arrivals: 'reported' | 'polled';
  /** False if the embedded store's folder is on another machine; then stored files cannot be checked here. */
  isAvailable(): Promise<boolean>;
  createUploadTarget(input: UploadTargetRequest): Promise<UploadTarget>;
  /** The file with this checksum, otherwise the newest file of the key. Null if there is no complete file. */
  stat(key: string, checksum: string | null): Promise<ArtworkStat | null>;
  /** @throws ApiError NOT_FOUND if there is no file with this checksum */
  openRead(key: string, checksum: string | null): Promise<Readable>;
  /** A short-lived GET URL for the studio. Artwork has no other readable URL. */
  signedReadUrl(key: string, checksum: string | null): Promise<string>;
  /** Removes all files of the key, and the previews. Does nothing if there are none. */
  remove(key: string): Promise<void>;
  /** Stores or replaces the preview of the artwork with this key, a WebP. */
  writePreview(key: string, size: PreviewSize, bytes: Buffer): Promise<void>;
  /** Null if the artwork has no preview of this size. */
  readPreview(key: string, size: PreviewSize): Promise<Buffer | null>;
  /** Removes only the previews. Does nothing if there are none. */
  removePreview(key: string): Promise<void>;
  /** Up to `limit` objects after the key `after` ('' for the first), sorted by key; may include foreign objects. */
  list(after: string, limit: number): Promise<StoredObject[]>;
  close?(): Promise<void>;
}
