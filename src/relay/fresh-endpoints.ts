import type { Database } from '../db/database';
import { readEndpoints, type RelayEndpoint, type StoredRelayEndpoint } from '../db/repositories/relay';
import { signingKeys } from '../db/repositories/webhook-endpoints';
import type { SecretBox } from '../security/secret-box';

/** A POST only goes out where the endpoint's row was read within this time; rows in use are read again in good time before it is over. */
const FRESH_MS = 1_000;
const READ_EVERY_MS = 400;

interface Seen {
  endpoint: RelayEndpoint | null;
  /** Why its secrets cannot be read; the others' can. */
  trouble: unknown;
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

  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
  ) {}

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

  /** Null where there is no such endpoint. Rejects when the database does not answer, or the endpoint's secret cannot be read. */
  async get(id: string): Promise<RelayEndpoint | null> {
    if (!this.isFresh(id)) await this.read([id]);
    const seen = this.seen.get(id);
    if (seen !== undefined && seen.trouble !== null) throw seen.trouble;
    return seen?.endpoint ?? null;
  }

  /** True while what was read as this row still stands. */
  stands(endpoint: RelayEndpoint): boolean {
    const now = this.seen.get(endpoint.id)?.endpoint;
    return (
      this.isFresh(endpoint.id) &&
      now?.updated_at.getTime() === endpoint.updated_at.getTime() &&
      now.state === endpoint.state &&
      now.url === endpoint.url &&
      now.signing.present === endpoint.signing.present &&
      now.deleted_at === null
    );
  }

  /** Forgets what was read of it, which is known to be out of date. */
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
    await Promise.all(ids.map(async (id) => this.reading.get(id)));
  }

  private async load(ids: string[]): Promise<void> {
    const askedAtMs = performance.now();
    const found = new Map((await readEndpoints(this.database, ids)).map((endpoint) => [endpoint.id, endpoint]));
    for (const id of ids) this.seen.set(id, { ...(await this.opened(found.get(id))), readAtMs: askedAtMs });
  }

  /** Rows that are read again and again are decrypted once: the box remembers. */
  private async opened(stored: StoredRelayEndpoint | undefined): Promise<Omit<Seen, 'readAtMs'>> {
    if (stored === undefined) return { endpoint: null, trouble: null };
    try {
      return { endpoint: { ...stored, signing: await signingKeys(this.secretBox, stored) }, trouble: null };
    } catch (trouble) {
      return { endpoint: null, trouble };
    }
  }
}
