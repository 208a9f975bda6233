import { notifyDeliveries } from '../db/repositories/relay';
import type { Sql } from '../db/database';
import type { Logger } from '../logger';

/** At most one ring in so long: a notification takes a lock that all commits with one share. */
const APART_MS = 5;

/** Wakes the relays once deliveries have been committed. Nothing depends on it: they also look by themselves. */
export class DeliveryBell {
  private timer: NodeJS.Timeout | null = null;
  private again = false;

  constructor(
    private readonly sql: Sql,
    private readonly logger: Logger,
  ) {}

  /** After the commit, never inside the transaction. The first rings at once, those close behind it together. */
  ring(): void {
    if (this.timer !== null) {
      this.again = true;
      return;
    }
    notifyDeliveries(this.sql).catch((error: unknown) =>
      this.logger.info({ err: error }, 'the relays were not woken; they look by themselves'),
    );
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.again) this.ring();
    }, APART_MS);
    this.again = false;
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
