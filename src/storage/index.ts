/** Artwork storage: the embedded store, or an S3-compatible one (specification "POST /uploads"). */
import { createLocalStorage, type LocalStorageSettings } from './local';
import { S3ArtworkStorage, type S3Settings } from './s3';
import type { ArtworkStorage } from './types';

export { artworkKey, parseArtworkKey } from './artwork-key';
export { createLocalStorage } from './local';
export { startStorageServer, type StorageServer, type StorageServerOptions } from './server';
export { StoreUnavailable } from './types';
export type { ArrivalRecorder, ArtworkStat, ArtworkStorage, UploadTarget } from './types';

interface StorageSettings {
  /** Set with `S3_BUCKET`; then nothing is stored on this machine. */
  s3: S3Settings | null;
  local: LocalStorageSettings;
}

/** S3 if it is configured, otherwise the embedded store, whose HTTP server is `startStorageServer`. */
export function createArtworkStorage(settings: StorageSettings): ArtworkStorage {
  return settings.s3 ? new S3ArtworkStorage(settings.s3) : createLocalStorage(settings.local);
}
