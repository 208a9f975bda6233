import type { Database } from '../db/database';
import { findRelayEndpoints, type RelayEndpoint, type StoredRelayEndpoint } from '../db/repositories/relay';
import { signingKeys } from '../db/repositories/webhook-endpoints';
import type { SecretBox } from '../security/secret-box';

/** The maximum age of an endpoint's row when a POST is sent. Rows in use are refreshed more often. */
const MAX_AGE_MS = 1_000;
const REFRESH_INTERVAL_MS = 400;

interface CachedEndpoint {
  endpoint: RelayEndpoint | null;
  /** Set if the endpoint's secrets cannot be decrypted. Other endpoints are not affected. */
  error: unknown;
  readAtMs: number;
}

/**
 * Caches endpoints for at most a second. A relay that was paused must not send to an old URL, with an old secret or to a disabled endpoint.
 * Uses the monotonic clock, which continues while a process is frozen.
 */
export class EndpointCache {
  private readonly entries = new Map<string, CachedEndpoint>();
  private readonly inUse = new Map<string, number>();
  private pendingReads = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
  ) {}

  /** Keeps the endpoint's row fresh until `release`. */
  retain(id: string): void {
    this.inUse.set(id, (this.inUse.get(id) ?? 0) + 1);
    this.timer ??= setInterval(() => this.refreshInUse(), REFRESH_INTERVAL_MS).unref();
  }

  release(id: string): void {
    const users = (this.inUse.get(id) ?? 1) - 1;
    if (users > 0) this.inUse.set(id, users);
    else this.inUse.delete(id);
    if (this.inUse.size === 0) this.close();
  }

  /** Null if the endpoint does not exist. Rejects if the database does not answer or the endpoint's secret cannot be decrypted. */
  async get(id: string): Promise<RelayEndpoint | null> {
    if (!this.isFresh(id)) await this.read([id]);
    const entry = this.entries.get(id);
    if (entry !== undefined && entry.error !== null) throw entry.error;
    return entry?.endpoint ?? null;
  }

  /** True while the cached row is unchanged. */
  isCurrent(endpoint: RelayEndpoint): boolean {
    const current = this.entries.get(endpoint.id)?.endpoint;
    return (
      this.isFresh(endpoint.id) &&
      current?.updated_at.getTime() === endpoint.updated_at.getTime() &&
      current.state === endpoint.state &&
      current.url === endpoint.url &&
      current.signing.current === endpoint.signing.current &&
      current.deleted_at === null
    );
  }

  /** Removes a row that is known to be outdated. */
  evict(id: string): void {
    this.entries.delete(id);
  }

  close(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.entries.clear();
  }

  private isFresh(id: string): boolean {
    const entry = this.entries.get(id);
    return entry !== undefined && performance.now() - entry.readAtMs < MAX_AGE_MS;
  }

  private refreshInUse(): void {
    const ids = [...this.inUse.keys()];
    for (const id of this.entries.keys()) if (!this.inUse.has(id)) this.entries.delete(id);
    // Errors are ignored here: a caller that needs the row reads it again and gets the error.
    if (ids.length > 0) this.read(ids).catch(() => undefined);
  }

  /** Concurrent reads of the same endpoint share one query. */
  private async read(ids: string[]): Promise<void> {
    const missing = ids.filter((id) => !this.pendingReads.has(id));
    if (missing.length > 0) {
      const pendingRead = this.load(missing).finally(() => {
        for (const id of missing) this.pendingReads.delete(id);
      });
      for (const id of missing) this.pendingReads.set(id, pendingRead);
    }
    await Promise.all(ids.map(async (id) => this.pendingReads.get(id)));
  }

  private async load(ids: string[]): Promise<void> {
    const requestedAtMs = performance.now();
    const rowsById = new Map((await findRelayEndpoints(this.database, ids)).map((endpoint) => [endpoint.id, endpoint]));
    for (const id of ids) this.entries.set(id, { ...(await this.decrypt(rowsById.get(id))), readAtMs: requestedAtMs });
  }

  /** The secret box caches decrypted secrets, so repeated reads are cheap. */
  private async decrypt(stored: StoredRelayEndpoint | undefined): Promise<Omit<CachedEndpoint, 'readAtMs'>> {
    if (stored === undefined) return { endpoint: null, error: null };
    try {
      return { endpoint: { ...stored, signing: await signingKeys(this.secretBox, stored) }, error: null };
    } catch (error) {
      return { endpoint: null, error };
    }
  }
}
