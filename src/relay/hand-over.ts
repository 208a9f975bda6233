import type { DataSource } from 'typeorm';
import type { Clock } from '../clock';
import { claimHandOvers, markHandedOver, releaseClaims, type HandOver } from '../db/repositories/relay';
import type { Logger } from '../logger';
import type { Temporal } from '../temporal';
import type { DeliveryInput } from '../../workflows/webhook-messages';

/** Hand-overs under way in all, and for one endpoint: one that fails fast does not fill the orders' task queue. */
const AT_ONCE = 16;
const PER_ENDPOINT = 4;

interface HandOverDeps {
  dataSource: DataSource;
  temporal: Temporal;
  clock: Clock;
  logger: Logger;
}

/**
 * Hands deliveries whose first attempt failed over to their order's workflow, which carries the retries. Until it has said so the row
 * keeps it (`handed_over_at` null); while Temporal is away nothing is tried.
 * @returns true when there may be more
 */
export async function handOver(deps: HandOverDeps): Promise<boolean> {
  if (deps.temporal.breaker.isOpen) return false;
  const found = await claimHandOvers(deps.dataSource.manager, { endpoints: [], elsewhere: PER_ENDPOINT, most: AT_ONCE });
  const done = await Promise.all(found.map((delivery) => handOverOne(deps, delivery)));
  return found.length > 0 && done.every((succeeded) => succeeded);
}

async function handOverOne(deps: HandOverDeps, delivery: HandOver): Promise<boolean> {
  const { order_id: orderId, order_number: orderNumber, account_id: accountId, environment } = delivery;
  try {
    await deps.temporal.orders.retryDelivery({ orderId, orderNumber, accountId, environment }, inputOf(delivery));
    await markHandedOver(deps.dataSource.manager, delivery, deps.clock.now());
    return true;
  } catch (error) {
    deps.logger.info({ err: error, deliveryId: delivery.id }, 'a delivery could not be handed over to its order yet');
    await releaseClaims(deps.dataSource.manager, [delivery]).catch(() => undefined);
    return false;
  }
}

function inputOf(delivery: HandOver): DeliveryInput {
  return {
    deliveryId: delivery.id, chain: delivery.chain, attempt: delivery.attempts + 1, notBefore: delivery.next_attempt_at.toISOString(),
    endpointId: delivery.endpoint_id, accountId: delivery.account_id,
    title: `${delivery.event_type} ${delivery.order_number} → ${hostOf(delivery.url)}`,
    lastAnswer: delivery.last_status === null ? (delivery.last_error ?? 'no answer') : `answered ${delivery.last_status}`,
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an endpoint';
}
