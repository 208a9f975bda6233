import { ApiError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { KeyedQueue } from '../runtime/keyed-queue';
import { parseArtworkKey } from './artwork-key';

const RETRY_AFTER_SECONDS = 1;

/** Limits concurrent uploads: one for each URL, and `LIMITS.uploadsAtOncePerAccount` for each account. */
export class UploadSlots {
  private readonly busyKeys = new Set<string>();
  private readonly uploadCounts = new Map<string, number>();
  private readonly records = new KeyedQueue({ concurrency: 1 });

  /** Receives an upload. @throws ApiError RATE_LIMITED if the limit is reached */
  async run(key: string, receive: () => Promise<void>): Promise<void> {
    const accountId = parseArtworkKey(key)?.accountId ?? '';
    const uploads = this.uploadCounts.get(accountId) ?? 0;
    if (this.busyKeys.has(key)) throw tooManyUploads('Another upload to this URL is running. Wait for its answer, then try again.');
    if (uploads >= LIMITS.uploadsAtOncePerAccount)
      throw tooManyUploads(`This account is sending ${uploads} files, the maximum. Wait until one is stored, then try again.`);
    this.busyKeys.add(key);
    this.uploadCounts.set(accountId, uploads + 1);
    try {
      await receive();
    } finally {
      this.busyKeys.delete(key);
      const remaining = (this.uploadCounts.get(accountId) ?? 1) - 1;
      if (remaining > 0) this.uploadCounts.set(accountId, remaining);
      else this.uploadCounts.delete(accountId);
    }
  }

  /** Records the uploads of an account one at a time, so that they use one database connection. */
  record(key: string, work: () => Promise<void>): Promise<void> {
    return this.records.run(parseArtworkKey(key)?.accountId ?? '', work);
  }
}

const tooManyUploads = (message: string): ApiError => new ApiError('RATE_LIMITED', message, undefined, RETRY_AFTER_SECONDS);
