import type { Report } from '../report';
import type { Stage } from '../stage';
import { latency } from '../webhooks/latency';
import { throughput } from '../webhooks/throughput';

/** Deliveries a second, and how long after it was stored an event reaches its receiver, while all answer and while one of twenty hangs. */
export async function webhooks(stage: Stage, quick: boolean, report: Report): Promise<void> {
  await throughput(stage, quick ? 1 : 2, quick ? 12 : 20, report);
  // Enough that the nineteen's p99 rests on three hundred values.
  for (const hanging of [0, 1]) await latency(stage, quick ? 60 : hanging === 0 ? 200 : 320, hanging, report);
}
