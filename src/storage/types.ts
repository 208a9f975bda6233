import type { Readable } from 'node:stream';
import type { UploadContentType } from '../domain/limits';

/**
 * What an artwork is served as, whatever type it was sent with: a type is the uploader's word, and what came as a page must never open
 * as one.
 */
export const SERVED_CONTENT_TYPE = 'application/octet-stream';

/** `attachment` under the object's own name, which is made of safe characters; the client's file name never gets here. */
export function servedDisposition(key: string): string {
  return `attachment; filename="${key.slice(key.lastIndexOf('/') + 1)}"`;
}

export interface UploadTargetRequest {
  key: string;
  contentType: UploadContentType;
  /** Exact byte length; the store refuses any other. */
  sizeBytes: number;
}

/** Where to PUT an artwork, and how to name it afterwards (trade endpoints "UploadTarget object"). */
export interface UploadTarget {
  uploadUrl: string;
  contentType: string;
  url: string;
  key: string;
  expiresAt: Date;
}

export interface ArtworkStat {
  sizeBytes: number;
  /** As sent with the PUT, right or wrong (specification "POST /uploads"). */
  contentType: string;
  /** `sha256:…` of the bytes (embedded store) or `etag:…` (S3): other bytes, another text. Null where the store kept none. */
  checksum: string | null;
}

export interface StoredObject {
  key: string;
  storedAt: Date;
}

/** Bytes that have arrived whole and are on the disk. */
export interface Arrival {
  key: string;
  sizeBytes: number;
  checksum: string;
}

/** Records that bytes arrived, and decides whether they may become the artwork: not once an order has fixed others (ruling 49). */
export interface ArrivalRecorder {
  /**
   * `store` makes the bytes the artwork, and is called once at most.
   * @throws ApiError NOT_FOUND where there is no such upload, ARTWORK_IN_USE where an order rests on other bytes
   */
  record(arrival: Arrival, store: () => Promise<void>): Promise<void>;
}

/** Where artwork lives. Keys come from `artworkKey`. */
export interface ArtworkStorage {
  /**
   * How one learns that bytes arrived. `told`: the upload's row says so, from the last byte on. `asked`: only the store knows (ruling 59).
   */
  readonly arrivals: 'reported' | 'polled';
  /** False where the embedded store's folder is not on this machine: then what is stored cannot be judged here. */
  isAvailable(): Promise<boolean>;
  /** False if the disk of the embedded store has no room for the upload; an S3-compatible store always has room. */
  hasSpaceFor(sizeBytes: number): Promise<boolean>;
  createUploadTarget(input: UploadTargetRequest): Promise<UploadTarget>;
  /** Null when nothing (or nothing complete) is stored under the key. */
  stat(key: string): Promise<ArtworkStat | null>;
  /** Throws ApiError NOT_FOUND when nothing is stored under the key. */
  openRead(key: string): Promise<Readable>;
  /** A short-lived GET URL for the studio's job sheet; artwork is readable no other way. */
  signedReadUrl(key: string): Promise<string>;
  /** Removes the artwork and its preview. Does nothing where nothing is stored. */
  remove(key: string): Promise<void>;
  /** Keeps the preview of the artwork under this key, a WebP, in place of one from before. */
  writePreview(key: string, bytes: Buffer): Promise<void>;
  /** Null where the artwork has none. */
  readPreview(key: string): Promise<Buffer | null>;
  /** Removes the preview alone. Does nothing where there is none. */
  removePreview(key: string): Promise<void>;
  /** Up to `limit` objects whose keys come after `after` ('' for the first), by key; perhaps some that are not ours. */
  list(after: string, limit: number): Promise<StoredObject[]>;
  close?(): Promise<void>;
}
