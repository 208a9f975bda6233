import type { Database } from '../db/database';
import type { Clock } from '../platform/clock';
import { claimHandovers, markHandedOver, releaseClaims, type DeliveryHandover } from '../db/repositories/relay';
import { readUrl } from '../domain/urls';
import type { Logger } from '../platform/logger';
import { KeyedQueue } from '../runtime/keyed-queue';
import type { Temporal } from '../temporal';
import { TemporalUnavailable } from '../temporal/breaker';
import type { DeliveryInput } from '../../workflows/webhook-messages';

/** Concurrent handovers in total and for each endpoint. The failures of one endpoint must not fill the orders' task queue. */
const MAX_HANDOVERS = 16;
const MAX_PER_ENDPOINT = 4;

interface HandoverQueueDeps {
  database: Database;
  temporal: Temporal;
  clock: Clock;
  logger: Logger;
}

/**
 * Hands deliveries whose first attempt failed over to their order's workflow, which makes the retries. The row keeps `handed_over_at` null
 * until the workflow has confirmed. While Temporal is unavailable, no handover starts.
 */
export class HandoverQueue {
  private readonly queue = new KeyedQueue({ concurrency: MAX_PER_ENDPOINT });
  private readonly running = new Set<Promise<void>>();

  /** @param onCapacity called when another handover can start */
  constructor(
    private readonly deps: HandoverQueueDeps,
    private readonly onCapacity: () => void,
  ) {}

  async poll(): Promise<void> {
    const capacity = MAX_HANDOVERS - this.running.size;
    if (capacity <= 0 || this.deps.temporal.breaker.isOpen) return;
    const endpoints = this.queue.keys().map((id) => ({ id, capacity: MAX_PER_ENDPOINT - this.queue.size(id) }));
    const handovers = await claimHandovers(this.deps.database, { endpoints, defaultCapacity: MAX_PER_ENDPOINT, maxTotal: capacity });
    for (const delivery of handovers) this.start(delivery);
  }

  async close(): Promise<void> {
    await Promise.all(this.running);
  }

  private start(delivery: DeliveryHandover): void {
    const work = this.queue
      .run(delivery.endpoint_id, () => this.handOver(delivery))
      .then((succeeded) => {
        this.running.delete(work);
        if (succeeded) this.onCapacity(); // failed handovers are retried at the next poll
      });
    this.running.add(work);
  }

  private async handOver(delivery: DeliveryHandover): Promise<boolean> {
    const { database, temporal, clock, logger } = this.deps;
    try {
      await temporal.orders.retryDelivery(delivery.order_id, toDeliveryInput(delivery));
      await markHandedOver(database, delivery, clock.now());
      return true;
    } catch (error) {
      logger.info({ err: error, deliveryId: delivery.id }, 'a delivery was not handed over to its order; the handover will be retried');
      // A handover that fails for another reason keeps its claim until the claim ends, so that it does not block others.
      if (error instanceof TemporalUnavailable) await releaseClaims(database, [delivery]).catch(() => undefined);
      return false;
    }
  }
}

function toDeliveryInput(delivery: DeliveryHandover): DeliveryInput {
  return {
    deliveryId: delivery.id,
    chain: delivery.chain,
    attempt: delivery.attempts + 1,
    notBefore: delivery.next_attempt_at.toISOString(),
    endpointId: delivery.endpoint_id,
    accountId: delivery.account_id,
    title: `${delivery.event_type} ${delivery.order_number} → ${hostOf(delivery.url)}`,
    lastAnswer: delivery.last_status === null ? (delivery.last_error ?? 'no answer') : `answered ${delivery.last_status}`,
  };
}

function hostOf(url: string): string {
  return readUrl(url)?.host.slice(0, 300) ?? 'an endpoint';
}
