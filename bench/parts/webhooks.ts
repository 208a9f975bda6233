import type { Report } from '../report';
import type { Stage } from '../stage';
import { besideDeliveries } from '../webhooks/beside';
import { drain } from '../webhooks/drain';
import { latency } from '../webhooks/latency';

/** Deliveries a second from stored rows, what they take from orders, and how long after its commit an event reaches its receiver. */
export async function webhooks(stage: Stage, quick: boolean, report: Report): Promise<void> {
  await drain(stage, quick ? 1 : 2, 20_000, report);
  await besideDeliveries(stage, quick ? 1 : 3, quick ? 120 : 160, report);
  await latency(stage, quick ? 40 : 200, report);
}
