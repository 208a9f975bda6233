import { budget } from '../machines/budget';
import { disabling } from '../machines/disabling';
import { idempotency } from '../machines/idempotency';
import { throughput } from '../machines/throughput';
import type { Report } from '../report';
import type { Stage } from '../stage';

/** A delivery that is refused twice has failed. */
export const MACHINES_ENV = { WEBHOOK_RETRY_SCHEDULE: '200ms' };

/** Two of each of the service's processes on one PostgreSQL and one Temporal: as exact as one of each, and no slower. */
export async function machines(stage: Stage, quick: boolean, report: Report): Promise<void> {
  const { tradeUrl } = await stage.processes.startApi('api-2');
  const apis = [stage.tradeUrl, tradeUrl];
  await throughput(stage, apis, quick, report);
  const second = await Promise.all([stage.processes.startWorker('worker-2'), stage.processes.startRelay('relay-2')]);
  await budget(stage, apis, report);
  await idempotency(stage, apis, quick ? 24 : 120, report);
  await disabling(stage, apis, report);
  await Promise.all(second.map((one) => one.stop()));
}
