import type { Sql } from '../db/database';
import { deleteOldChanges, CHANGE_RETENTION_SECONDS, readChangesSince, readCurrentSnapshot } from '../db/repositories/change-feed';
import { toChangeFeedItems, type ChangeFeedItem } from '../domain/change-feed';
import type { Logger } from '../platform/logger';

/** The poll interval while there are listeners, ms. */
const POLL_INTERVAL_MS = 250;
/** The interval after a failed poll, ms. */
const RETRY_INTERVAL_MS = 1000;
const CLEANUP_INTERVAL_MS = 60_000;
/** The longest time between two polls, ms. After a longer gap, the cleanup may have removed changes that were not read. */
const MAX_GAP_MS = (CHANGE_RETENTION_SECONDS * 1000) / 2;

/** Receives the changes since the last call, without duplicates. Null means that the client must read everything again. */
export type ChangeListener = (items: ChangeFeedItem[] | null) => void;

/**
 * Distributes changes to all listeners of this process. One poll serves all listeners, and uses a connection only while it runs. Every
 * listener receives the changes of each committed transaction once, also of transactions of other processes.
 */
export class ChangeFeed {
  private readonly listeners = new Set<ChangeListener>();
  private lastPoll: { snapshot: string; atMs: number } | null = null;
  private starting: Promise<void> | null = null;
  private pollTimer: NodeJS.Timeout | undefined;
  private cleanupTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly sql: Sql,
    private readonly logger: Logger,
  ) {}

  /** Starts the regular removal of changes older than the retention time. */
  startCleanup(): void {
    // oxlint-disable-next-line typescript/no-misused-promises -- `removeOld` logs its failures
    this.cleanupTimer ??= setInterval(() => this.removeOld(), CLEANUP_INTERVAL_MS).unref();
  }

  /**
   * Subscribes to changes. Once it resolves, `listener` receives every change committed from then on.
   * @returns a function that ends the subscription
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
      this.lastPoll = { snapshot: await readCurrentSnapshot(this.sql), atMs: performance.now() };
      this.schedulePoll(POLL_INTERVAL_MS);
    } finally {
      this.starting = null;
    }
  }

  private schedulePoll(ms: number): void {
    // oxlint-disable-next-line typescript/no-misused-promises -- logs its failures
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
      // Listeners must read everything again: a crash of the server empties the table, and another server has other snapshots.
      if (this.lastPoll !== null) this.lastPoll.snapshot = '';
      this.logger.warn({ err: error }, 'reading changes failed; listeners will read everything again afterwards');
      this.schedulePoll(RETRY_INTERVAL_MS);
    }
  }

  private async loadChanges(): Promise<ChangeFeedItem[] | null> {
    const { snapshot: previousSnapshot, atMs } = this.lastPoll ?? { snapshot: '', atMs: 0 };
    const now = performance.now();
    if (previousSnapshot === '' || now - atMs > MAX_GAP_MS) {
      this.lastPoll = { snapshot: await readCurrentSnapshot(this.sql), atMs: now };
      return null;
    }
    const { snapshot, rows } = await readChangesSince(this.sql, previousSnapshot);
    this.lastPoll = { snapshot, atMs: now };
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
      this.logger.info({ err: error }, 'old changes were not removed; the cleanup is retried in a minute');
    }
  }
}
