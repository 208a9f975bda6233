import { ApiError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { parseArtworkKey } from './artwork-key';

const RETRY_AFTER_SECONDS = 1;

/** Bounds the bodies that arrive at the same time: one for each URL, and some for each account. */
export class UploadSlots {
  private readonly keys = new Set<string>();
  private readonly bodiesOf = new Map<string, number>();
  private readonly lastRecordOf = new Map<string, Promise<void>>();

  /** @throws ApiError RATE_LIMITED at once, where there is no slot */
  async with(key: string, receive: () => Promise<void>): Promise<void> {
    const accountId = parseArtworkKey(key)?.accountId ?? '';
    const bodies = this.bodiesOf.get(accountId) ?? 0;
    if (this.keys.has(key)) throw busy('Another body for this URL is under way. Wait for its answer, then try again.');
    if (bodies >= LIMITS.uploadsAtOncePerAccount)
      throw busy(`This account sends ${bodies} files just now, which is as many as it may. Wait for one of them, then try again.`);
    this.keys.add(key);
    this.bodiesOf.set(accountId, bodies + 1);
    try {
      await receive();
    } finally {
      this.keys.delete(key);
      const left = (this.bodiesOf.get(accountId) ?? 1) - 1;
      if (left > 0) this.bodiesOf.set(accountId, left);
      else this.bodiesOf.delete(accountId);
    }
  }

  /** Records the arrivals of one account one after the other: together they hold one database connection. */
  async record(key: string, work: () => Promise<void>): Promise<void> {
    const accountId = parseArtworkKey(key)?.accountId ?? '';
    const mine = (this.lastRecordOf.get(accountId) ?? Promise.resolve()).then(work, work);
    this.lastRecordOf.set(accountId, mine);
    try {
      await mine;
    } finally {
      if (this.lastRecordOf.get(accountId) === mine) this.lastRecordOf.delete(accountId);
    }
  }
}

const busy = (message: string): ApiError => new ApiError('RATE_LIMITED', message, undefined, RETRY_AFTER_SECONDS);
