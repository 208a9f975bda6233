import { Client } from 'pg';
import { DELIVERIES_CHANNEL } from '../db/repositories/relay';
import type { Logger } from '../logger';

const RECONNECT_MS = 1_000;
/** How often we make sure that we still hear: behind a pooler, or on a line that died silently, nothing would ever come. */
const CHECK_EVERY_MS = 30_000;
const CHECK_ANSWER_MS = 2_000;

/**
 * Listens for commits that made deliveries. `isHearing` says whether a ring of our own came through lately: where it did not, the relay
 * looks often instead.
 */
export class Wake {
  private client: Client | null = null;
  private timers = new Set<NodeJS.Timeout>();
  private heard = false;
  private heardSinceCheck = false;
  private closed = false;

  /** @param ring sends a notification the way commits do: over the pool */
  constructor(
    private readonly url: string,
    private readonly ring: () => Promise<void>,
    private readonly woken: () => void,
    private readonly logger: Logger,
  ) {}

  get isHearing(): boolean {
    return this.heard;
  }

  start(): void {
    // oxlint-disable-next-line typescript/no-floating-promises -- it says of a failure itself, and tries again
    this.connect();
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.client?.end().catch(() => undefined);
  }

  private async connect(): Promise<void> {
    if (this.closed) return;
    const client = new Client({
      connectionString: this.url,
      application_name: 'trade-print relay',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    this.client = client;
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', () => {
      this.heard = true;
      this.heardSinceCheck = true;
      this.woken();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${DELIVERIES_CHANNEL}`);
      this.check(client);
    } catch (error) {
      this.logger.info({ err: error }, 'the relay cannot listen for new deliveries yet; it looks for them often');
      this.lost(client);
    }
  }

  /** Sends a notification to ourselves: only while we hear our own do we rely on hearing others. */
  private check(client: Client): void {
    if (this.closed || this.client !== client) return;
    this.heardSinceCheck = false;
    this.ring().catch(() => undefined);
    this.after(CHECK_ANSWER_MS, () => {
      if (!this.heardSinceCheck && this.client === client) this.heard = false;
    });
    this.after(CHECK_EVERY_MS, () => this.check(client));
  }

  private lost(client: Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.heard = false;
    client.removeAllListeners('notification');
    client.end().catch(() => undefined);
    if (!this.closed) this.after(RECONNECT_MS, () => void this.connect());
  }

  private after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms).unref();
    this.timers.add(timer);
  }
}
