import type { DataSource } from 'typeorm';
import { readEndpoints, type RelayEndpoint } from '../db/repositories/relay';

/** A POST only goes out where the endpoint's row was read within this time; rows in use are read again in good time before it is over. */
const FRESH_MS = 1_000;
const READ_EVERY_MS = 400;

interface Seen {
  endpoint: RelayEndpoint | null;
  readAtMs: number;
}

/**
 * Endpoints as they are now, or were a second ago at most: a relay that was paused sends nothing to an old URL, with an old secret or to
 * a disabled endpoint. Time is the monotonic clock's, which goes on while a process is frozen.
 */
export class FreshEndpoints {
  private readonly seen = new Map<string, Seen>();
  private readonly inUse = new Map<string, number>();
  private reading = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** Keeps the endpoint's row fresh until `release`; for as long as something is on its way to it. */
  use(id: string): void {
    this.inUse.set(id, (this.inUse.get(id) ?? 0) + 1);
    this.timer ??= setInterval(() => this.readInUse(), READ_EVERY_MS).unref();
  }

  release(id: string): void {
    const users = (this.inUse.get(id) ?? 1) - 1;
    if (users > 0) this.inUse.set(id, users);
    else this.inUse.delete(id);
    if (this.inUse.size === 0) this.close();
  }

  /** Null where there is no such endpoint. Rejects when the database does not answer. */
  async get(id: string): Promise<RelayEndpoint | null> {
    if (!this.isFresh(id)) await this.read([id]);
    return this.seen.get(id)?.endpoint ?? null;
  }

  /** True while what was read as this row still stands. */
  stands(endpoint: RelayEndpoint): boolean {
    const now = this.seen.get(endpoint.id)?.endpoint;
    return this.isFresh(endpoint.id) && now?.updated_at.getTime() === endpoint.updated_at.getTime() && now.state === endpoint.state && now.url === endpoint.url
      && now.secret === endpoint.secret && now.deleted_at === null;
  }

  /** What was read of it is known to be out of date. */
  forget(id: string): void {
    this.seen.delete(id);
  }

  close(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.seen.clear();
  }

  private isFresh(id: string): boolean {
    const seen = this.seen.get(id);
    return seen !== undefined && performance.now() - seen.readAtMs < FRESH_MS;
  }

  private readInUse(): void {
    const ids = [...this.inUse.keys()];
    for (const id of this.seen.keys()) if (!this.inUse.has(id)) this.seen.delete(id);
    // Whoever needs a row that could not be read asks again, and is told.
    if (ids.length > 0) this.read(ids).catch(() => undefined);
  }

  /** Several who ask for the same endpoint at once ask the database once. */
  private async read(ids: string[]): Promise<void> {
    const missing = ids.filter((id) => !this.reading.has(id));
    if (missing.length > 0) {
      const reading = this.load(missing).finally(() => {
        for (const id of missing) this.reading.delete(id);
      });
      for (const id of missing) this.reading.set(id, reading);
    }
    await Promise.all(ids.map((id) => this.reading.get(id)));
  }

  private async load(ids: string[]): Promise<void> {
    const askedAtMs = performance.now();
    const found = new Map((await readEndpoints(this.dataSource.manager, ids)).map((endpoint) => [endpoint.id, endpoint]));
    for (const id of ids) this.seen.set(id, { endpoint: found.get(id) ?? null, readAtMs: askedAtMs });
  }
}
