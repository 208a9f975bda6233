import { ApiError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { KeyedQueue } from '../runtime/keyed-queue';
import { parseArtworkKey } from './artwork-key';

const RETRY_AFTER_SECONDS = 1;

/** Limits uploads at the same time: one per URL, and `LIMITS.uploadsAtOncePerAccount` per account. */
export class UploadSlots {
  private readonly busyKeys = new Set<string>();
  private readonly uploadCounts = new Map<string, number>();
  private readonly records = new KeyedQueue({ concurrency: 1 });

  /** Receives an upload in a slot. @throws ApiError RATE_LIMITED at once if none is free */
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

  /** Records one account's uploads one at a time, so that they hold one database connection. */
  record(key: string, work: () => Promise<void>): Promise<void> {
    return this.records.run(parseArtworkKey(key)?.accountId ?? '', work);
  }
}

const tooManyUploads = (message: string): ApiError => new ApiError('RATE_LIMITED', message, undefined, RETRY_AFTER_SECONDS);
