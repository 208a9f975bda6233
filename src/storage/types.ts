import type { Readable } from 'node:stream';
import type { UploadContentType } from '../domain/limits';
import { LONGEST_URL_SECONDS } from '../security/signed-urls';

/** How long an upload URL is good for, in seconds, where the caller does not say; a caller may only shorten it. */
export const DEFAULT_UPLOAD_EXPIRY_SECONDS = LONGEST_URL_SECONDS;
/** The same for a read URL. */
export const DEFAULT_READ_EXPIRY_SECONDS = LONGEST_URL_SECONDS;

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
  expiresInSeconds?: number;
}

/** Specification "Upload target". */
export interface UploadTarget {
  uploadUrl: string;
  contentType: string;
  url: string;
  key: string;
}

export interface ArtworkStat {
  sizeBytes: number;
  /** As sent with the PUT, right or wrong (specification "POST /uploads"). */
  contentType: string;
}

/** Where artwork lives. Keys come from `artworkKey`. */
export interface ArtworkStorage {
  createUploadTarget(input: UploadTargetRequest): Promise<UploadTarget>;
  /** Null when nothing (or nothing complete) is stored under the key. */
  stat(key: string): Promise<ArtworkStat | null>;
  /** Throws ApiError NOT_FOUND when nothing is stored under the key. */
  openRead(key: string): Promise<Readable>;
  /** A short-lived GET URL for the studio's job sheet; artwork is readable no other way. */
  signedReadUrl(key: string, expiresInSeconds?: number): Promise<string>;
  close?(): Promise<void>;
}
