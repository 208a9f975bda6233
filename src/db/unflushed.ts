import { openDatabase, UNFLUSHED, type Database, type Sql } from './database';

/** One connection of its own whose commits do not wait for the disk, opened when it is first needed. */
export class UnflushedDatabase {
  private opening: Promise<Database> | null = null;

  constructor(private readonly url: string) {}

  /** Rejects when the database does not answer; the next call tries again. */
  async sql(): Promise<Sql> {
    this.opening ??= openDatabase(this.url, 1, UNFLUSHED);
    try {
      return await this.opening;
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => null);
    await opened?.close();
  }
}
