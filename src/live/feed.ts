import type { Sql } from '../db/database';
import { clearNews, NEWS_KEPT_SECONDS, newsSince, presentMark } from '../db/repositories/news';
import { itemsOf, type NewsItem } from '../domain/news';
import type { Logger } from '../logger';

/** How often is looked for news while somebody listens, ms. */
const LOOK_EVERY_MS = 250;
/** After a look that failed. */
const LOOK_AGAIN_MS = 1000;
const CLEAR_EVERY_MS = 60_000;
/** Who has not looked for so long may have missed what was removed meanwhile. */
const MISSED_AFTER_MS = (NEWS_KEPT_SECONDS * 1000) / 2;

/** What changed since the last call, each thing once; null: too much to tell, or not known, so that everything is to be read again. */
export type Listener = (items: NewsItem[] | null) => void;

/**
 * News for all that listen in this process: one look for all of them, and none while nobody listens. A connection is borrowed for the look
 * alone. What a transaction changed is told once after its commit, whichever process it was of.
 */
export class NewsFeed {
  private readonly listeners = new Set<Listener>();
  private looking: { mark: string; atMs: number } | null = null;
  private beginning: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private clearing: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly sql: Sql,
    private readonly logger: Logger,
  ) {}

  /** Removes news that is too old for anybody, from now on. */
  keepShort(): void {
    // oxlint-disable-next-line typescript/no-misused-promises -- it says of a failure itself
    this.clearing ??= setInterval(() => this.clear(), CLEAR_EVERY_MS).unref();
  }

  /**
   * Whatever is committed after this resolves is told to `listener`.
   * @returns what ends it
   */
  async listen(listener: Listener): Promise<() => void> {
    while (this.looking === null) await (this.beginning ??= this.begin());
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  close(): void {
    this.closed = true;
    this.listeners.clear();
    clearTimeout(this.timer);
    clearInterval(this.clearing);
  }

  private async begin(): Promise<void> {
    try {
      this.looking = { mark: await presentMark(this.sql), atMs: performance.now() };
      this.after(LOOK_EVERY_MS);
    } finally {
      this.beginning = null;
    }
  }

  private after(ms: number): void {
    // oxlint-disable-next-line typescript/no-misused-promises -- it says of a failure itself
    if (!this.closed) this.timer = setTimeout(() => this.look(), ms).unref();
  }

  private async look(): Promise<void> {
    if (this.listeners.size === 0) {
      this.looking = null;
      return;
    }
    try {
      this.tell(await this.fresh());
      this.after(LOOK_EVERY_MS);
    } catch (error) {
      // Whatever was missed meanwhile: after a crash the table is empty, and on another server the marks mean nothing.
      if (this.looking !== null) this.looking.mark = '';
      this.logger.warn({ err: error }, 'what changes cannot be told now; everything is read again once it can');
      this.after(LOOK_AGAIN_MS);
    }
  }

  private async fresh(): Promise<NewsItem[] | null> {
    const { mark: before, atMs } = this.looking ?? { mark: '', atMs: 0 };
    const now = performance.now();
    if (before === '' || now - atMs > MISSED_AFTER_MS) {
      this.looking = { mark: await presentMark(this.sql), atMs: now };
      return null;
    }
    const { mark, rows } = await newsSince(this.sql, before);
    this.looking = { mark, atMs: now };
    return rows === null ? null : itemsOf(rows);
  }

  private tell(items: NewsItem[] | null): void {
    if (items?.length === 0) return;
    for (const listener of this.listeners) listener(items);
  }

  private async clear(): Promise<void> {
    try {
      while (!this.closed && (await clearNews(this.sql)));
    } catch (error) {
      this.logger.info({ err: error }, 'old news was not removed; it is tried again in a minute');
    }
  }
}
