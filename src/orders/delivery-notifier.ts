import { notifyDeliveries } from '../db/repositories/relay';
import type { Sql } from '../db/database';
import type { Logger } from '../platform/logger';

/** The minimum time between notifications, because a notification takes a lock that all commits share. */
const MIN_INTERVAL_MS = 5;

/** Notifies the relays after deliveries were committed. A lost notification only delays them, because they also poll. */
export class DeliveryNotifier {
  private timer: NodeJS.Timeout | null = null;
  private isPending = false;

  constructor(
    private readonly sql: Sql,
    private readonly logger: Logger,
  ) {}

  /** Call it after the commit. The first call notifies at once; calls shortly after it share one notification. */
  notify(): void {
    if (this.timer !== null) {
      this.isPending = true;
      return;
    }
    notifyDeliveries(this.sql).catch((error: unknown) => this.logger.info({ err: error }, 'the relays were not notified; they will poll'));
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.isPending) this.notify();
    }, MIN_INTERVAL_MS);
    this.isPending = false;
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
