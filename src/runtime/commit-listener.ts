import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../platform/logger';

const RECONNECT_MS = 1_000;
/** Regular checks detect a connection that delivers no notifications, because of a pooler or a failure without an error. */
const CHECK_INTERVAL_MS = 30_000;
const CHECK_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;

export interface CommitListenerOptions {
  databaseUrl: string;
  channel: string;
  /** Sends a notification through the pool, as commits do. */
  notify: () => Promise<void>;
  onNotification: () => void;
  logger: Logger;
}

/** Listens on a PostgreSQL channel for commits. While `isReceiving` is false, notifications may be lost and the owner polls more often. */
export class CommitListener {
  private client: Client | null = null;
  private hasReceived = false;
  private hasReceivedSinceCheck = false;
  private isClosed = false;

  constructor(private readonly options: CommitListenerOptions) {}

  /** True if the last test notification arrived. */
  get isReceiving(): boolean {
    return this.hasReceived;
  }

  start(): void {
    // oxlint-disable-next-line typescript/no-floating-promises -- logs failures and reconnects
    this.connect();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { client } = this;
    if (client === null) return;
    await Promise.race([client.end().catch(() => undefined), delay(CLOSE_TIMEOUT_MS)]);
    client.connection.stream.destroy(); // a frozen server never closes the connection, which would keep the process
  }

  private async connect(): Promise<void> {
    if (this.isClosed) return;
    const { databaseUrl, channel, logger } = this.options;
    const client = new Client({
      connectionString: databaseUrl,
      application_name: 'trade-print listener',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    this.client = client;
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    client.on('notification', () => {
      this.hasReceived = true;
      this.hasReceivedSinceCheck = true;
      this.options.onNotification();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.check(client);
    } catch (error) {
      logger.info({ err: error, channel }, 'listening for commits failed; polling more often');
      this.reconnect(client);
    }
  }

  /** Sends a test notification. If it does not arrive, others may not arrive either. */
  private check(client: Client): void {
    if (this.isClosed || this.client !== client) return;
    this.hasReceivedSinceCheck = false;
    this.options.notify().catch(() => undefined);
    setTimeout(() => {
      if (!this.hasReceivedSinceCheck && this.client === client) this.hasReceived = false;
    }, CHECK_TIMEOUT_MS).unref();
    setTimeout(() => this.check(client), CHECK_INTERVAL_MS).unref();
  }

  private reconnect(client: Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.hasReceived = false;
    client.removeAllListeners('notification');
    client.end().catch(() => undefined);
    setTimeout(() => void this.connect(), RECONNECT_MS).unref();
  }
}
