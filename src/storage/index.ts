/** Artwork storage: the embedded store, or an S3-compatible one (specification "POST /uploads"). */
import { createLocalStorage, type LocalStorageSettings } from './local';
import { S3ArtworkStorage, type S3Settings } from './s3';
import type { ArtworkStorage } from './types';

export { artworkKey, parseArtworkKey } from './artwork-key';
export { storageFull } from './disk-space';
export { createLocalStorage } from './local';
export { startStorageServer, type StorageServer, type StorageServerOptions } from './server';
export type { ArrivalRecorder, ArtworkStat, ArtworkStorage, UploadTarget } from './types';

interface StorageSettings {
  /** Present when `S3_BUCKET` is set; then nothing is kept on this machine. */
  s3: S3Settings | null;
  local: LocalStorageSettings;
}

/** S3 when it is configured, otherwise the embedded store (whose HTTP side is `startStorageServer`). */
export function createArtworkStorage(settings: StorageSettings): ArtworkStorage {
  return settings.s3 ? new S3ArtworkStorage(settings.s3) : createLocalStorage(settings.local);
}
