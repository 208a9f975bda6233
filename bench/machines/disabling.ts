import { until } from '../../dev/ports';
import { anEndpoint } from '../../test/support/endpoints';
import { deliveryWorkflowId } from '../../workflows/webhook-messages';
import { oneBuyer, someQuotes, type Buyer } from '../fixtures';
import { call, placeOrder } from '../http';
import type { Report } from '../report';
import type { Stage } from '../stage';
import { atOnce } from './send';

const FAILURES = 20;
const ORDERS = 60;
const AT_ONCE = 16;
const ORDERS_PER_KEY = 20;
const WAIT = { timeoutMs: 120_000, everyMs: 200 };

interface Standing {
  state: string;
  consecutive_failures: number;
  pending: number;
  failed: number;
  held: number;
}

/** An endpoint that refuses everything while two relays deliver: the stored count stops at twenty, and one success clears it. */
export async function disabling(stage: Stage, apis: readonly string[], report: Report): Promise<void> {
  const buyers = await oneBuyer(stage, Math.ceil((ORDERS + FAILURES) / ORDERS_PER_KEY));
  const { id } = await anEndpoint(stage.database, buyers[0]?.accountId ?? '', `${stage.receiverOrigin}/switch`);
  const quotes = await someQuotes(stage, buyers, ORDERS + FAILURES);
  const orders = (from: number, count: number): Promise<void> =>
    atOnce(AT_ONCE, count, async (index) => {
      const buyer = buyers[(from + index) % buyers.length] as Buyer;
      await placeOrder(stage, buyer.key, quotes[from + index] ?? '', apis[index % apis.length]);
    });
  const settled = (): Promise<Standing> =>
    until(
      'deliveries are still pending',
      async () => {
        const now = await standingOf(stage, id);
        return now.pending === 0 ? now : undefined;
      },
      WAIT,
    );

  await refuse(stage, true);
  await orders(0, ORDERS);
  const disabled = await settled();
  const exact =
    disabled.state === 'disabled' &&
    disabled.consecutive_failures === FAILURES &&
    disabled.failed === FAILURES &&
    disabled.failed + disabled.held === ORDERS;
  report.rows.push({
    what: `deliveries failed when an endpoint was disabled, ${ORDERS} orders, two relays`,
    concurrency: AT_ONCE,
    ours: String(disabled.failed),
    goal: `exactly ${FAILURES}, count ${FAILURES}`,
    met: exact,
  });
  report.notes.push(
    `the endpoint that refuses: ${disabled.state}, count ${disabled.consecutive_failures}, ${disabled.failed} failed, ${disabled.held} held; retries by relay: ${await retriesByRelay(stage, id)}`,
  );

  await refuse(stage, false);
  await call(stage, {
    method: 'POST',
    url: stage.studioUrl,
    path: `/studio/v1/webhook-endpoints/${id}/enable`,
    credential: stage.adminToken,
    body: {},
  });
  await refuse(stage, true);
  await orders(ORDERS, FAILURES - 1);
  const onTheBrink = await settled();
  await refuse(stage, false);
  await orders(ORDERS + FAILURES - 1, 1);
  const cleared = await settled();
  report.rows.push({
    what: `count of the same endpoint, enabled again, after ${FAILURES - 1} more failures and one success`,
    ours: `${onTheBrink.consecutive_failures}, then ${cleared.consecutive_failures}`,
    goal: `${FAILURES - 1}, then 0`,
    met: onTheBrink.consecutive_failures === FAILURES - 1 && cleared.consecutive_failures === 0 && cleared.state === 'enabled',
  });
}

async function refuse(stage: Stage, yes: boolean): Promise<void> {
  await fetch(`${stage.receiverOrigin}/switch/${yes ? 500 : 204}`, { method: 'PUT' });
}

async function standingOf(stage: Stage, id: string): Promise<Standing> {
  const [found] = await stage.database.rows<Standing>(
    `
    SELECT w.state, h.consecutive_failures, count(*) FILTER (WHERE d.state = 'pending')::int AS pending,
           count(*) FILTER (WHERE d.state = 'failed')::int AS failed, count(*) FILTER (WHERE d.state = 'held')::int AS held
      FROM webhook_endpoints w JOIN webhook_endpoint_health h ON h.endpoint_id = w.id LEFT JOIN webhook_deliveries d ON d.endpoint_id = w.id WHERE w.id = $1 GROUP BY w.id, h.endpoint_id`,
    [id],
  );
  if (found === undefined) throw new Error('the endpoint has gone');
  return found;
}

/** By the identities in the histories of the retries: both have to have had their share for the count to mean anything. */
async function retriesByRelay(stage: Stage, endpointId: string): Promise<string> {
  const deliveries = await stage.database.rows<{ id: string }>(
    'SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND handed_over_at IS NOT NULL',
    [endpointId],
  );
  const histories = await Promise.all(deliveries.map(({ id }) => stage.temporal.workflow.getHandle(deliveryWorkflowId(id)).fetchHistory()));
  const counts = new Map<string, number>();
  for (const { activityTaskStartedEventAttributes: started } of histories.flatMap(({ events }) => events ?? [])) {
    if (started !== null && started !== undefined) counts.set(started.identity ?? '', (counts.get(started.identity ?? '') ?? 0) + 1);
  }
  return [...counts.values()].join(' and ');
}
