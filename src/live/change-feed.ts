import type { Sql } from '../db/database';
import { deleteOldChanges, CHANGE_RETENTION_SECONDS, readChangesSince, readCurrentMark } from '../db/repositories/change-feed';
import { toChangeFeedItems, type ChangeFeedItem } from '../domain/change-feed';
import type { Logger } from '../logger';

/** How often is looked for news while somebody listens, ms. */
const POLL_INTERVAL_MS = 250;
/** After a look that failed. */
const RETRY_INTERVAL_MS = 1000;
const CLEANUP_INTERVAL_MS = 60_000;
/** Who has not looked for so long may have missed what was removed meanwhile. */
const MAX_GAP_MS = (CHANGE_RETENTION_SECONDS * 1000) / 2;

/** What changed since the last call, each thing once; null: too much to tell, or not known, so that everything is to be read again. */
export type ChangeListener = (items: ChangeFeedItem[] | null) => void;

/**
 * News for all that listen in this process: one look for all of them, and none while nobody listens. A connection is borrowed for the look
 * alone. What a transaction changed is told once after its commit, whichever process it was of.
 */
export class ChangeFeed {
  private readonly listeners = new Set<ChangeListener>();
  private lastPoll: { mark: string; atMs: number } | null = null;
  private starting: Promise<void> | null = null;
  private pollTimer: NodeJS.Timeout | undefined;
  private cleanupTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly sql: Sql,
    private readonly logger: Logger,
  ) {}

  /** Removes news that is too old for anybody, from now on. */
  startCleanup(): void {
    // oxlint-disable-next-line typescript/no-misused-promises -- it says of a failure itself
    this.cleanupTimer ??= setInterval(() => this.removeOld(), CLEANUP_INTERVAL_MS).unref();
  }

  /**
   * Whatever is committed after this resolves is told to `listener`.
   * @returns what ends it
   */
  async listen(listener: ChangeListener): Promise<() => void> {
    while (this.lastPoll === null) await (this.starting ??= this.startPolling());
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  close(): void {
    this.isClosed = true;
    this.listeners.clear();
    clearTimeout(this.pollTimer);
    clearInterval(this.cleanupTimer);
  }

  private async startPolling(): Promise<void> {
    try {
      this.lastPoll = { mark: await readCurrentMark(this.sql), atMs: performance.now() };
      this.schedulePoll(POLL_INTERVAL_MS);
    } finally {
      this.starting = null;
    }
  }

  private schedulePoll(ms: number): void {
    // oxlint-disable-next-line typescript/no-misused-promises -- it says of a failure itself
    if (!this.isClosed) this.pollTimer = setTimeout(() => this.poll(), ms).unref();
  }

  private async poll(): Promise<void> {
    if (this.listeners.size === 0) {
      this.lastPoll = null;
      return;
    }
    try {
      this.notifyListeners(await this.loadChanges());
      this.schedulePoll(POLL_INTERVAL_MS);
    } catch (error) {
      // Whatever was missed meanwhile: after a crash the table is empty, and on another server the marks mean nothing.
      if (this.lastPoll !== null) this.lastPoll.mark = '';
      this.logger.warn({ err: error }, 'what changes cannot be told now; everything is read again once it can');
      this.schedulePoll(RETRY_INTERVAL_MS);
    }
  }

  private async loadChanges(): Promise<ChangeFeedItem[] | null> {
    const { mark: previousMark, atMs } = this.lastPoll ?? { mark: '', atMs: 0 };
    const now = performance.now();
    if (previousMark === '' || now - atMs > MAX_GAP_MS) {
      this.lastPoll = { mark: await readCurrentMark(this.sql), atMs: now };
      return null;
    }
    const { mark, rows } = await readChangesSince(this.sql, previousMark);
    this.lastPoll = { mark, atMs: now };
    return rows === null ? null : toChangeFeedItems(rows);
  }

  private notifyListeners(items: ChangeFeedItem[] | null): void {
    if (items?.length === 0) return;
    for (const listener of this.listeners) listener(items);
  }

  private async removeOld(): Promise<void> {
    try {
      while (!this.isClosed && (await deleteOldChanges(this.sql)));
    } catch (error) {
      this.logger.info({ err: error }, 'old news was not removed; it is tried again in a minute');
    }
  }
}
