import type { DataSource } from 'typeorm';
import { createDataSource, UNFLUSHED, type Sql } from './data-source';

/** One connection of its own whose commits do not wait for the disk, opened when it is first needed. */
export class UnflushedDatabase {
  private opening: Promise<DataSource> | null = null;

  constructor(private readonly url: string) {}

  /** Rejects when the database does not answer; the next call tries again. */
  async sql(): Promise<Sql> {
    this.opening ??= createDataSource(this.url, 1, UNFLUSHED).initialize();
    try {
      return (await this.opening).manager;
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => null);
    await opened?.destroy();
  }
}
