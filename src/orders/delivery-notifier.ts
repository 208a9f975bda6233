import { notifyDeliveries } from '../db/repositories/relay';
import type { Sql } from '../db/database';
import type { Logger } from '../logger';

/** At most one ring in so long: a notification takes a lock that all commits with one share. */
const MIN_INTERVAL_MS = 5;

/** Wakes the relays once deliveries have been committed. Nothing depends on it: they also look by themselves. */
export class DeliveryNotifier {
  private timer: NodeJS.Timeout | null = null;
  private isPending = false;

  constructor(
    private readonly sql: Sql,
    private readonly logger: Logger,
  ) {}

  /** After the commit, never inside the transaction. The first rings at once, those close behind it together. */
  notify(): void {
    if (this.timer !== null) {
      this.isPending = true;
      return;
    }
    notifyDeliveries(this.sql).catch((error: unknown) =>
      this.logger.info({ err: error }, 'the relays were not woken; they look by themselves'),
    );
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
