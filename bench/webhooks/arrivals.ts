import { until } from '../../src/dev/ports';
import { FLOOR_TASK_QUEUE } from '../floor/messages';
import type { Arrival } from '../floor/receiver';
import type { barePost } from '../floor/workflows';
import type { Stage } from '../stage';

/** About as long as an event's body. */
const BODY_BYTES = 1200;
const PATIENCE_MS = 150_000;

/** How many bodies the receiver has had so far. */
export async function countArrivals({ receiverOrigin }: Stage): Promise<number> {
  return await (await fetch(`${receiverOrigin}/count`)).json() as number;
}

/** Waits for so many more bodies than `before`. @throws Error when they have not come after `timeoutMs` */
export async function whenArrived(stage: Stage, before: number, more: number, timeoutMs: number = PATIENCE_MS): Promise<void> {
  await until('the deliveries did not arrive', async () => ((await countArrivals(stage)) - before >= more ? true : undefined), { timeoutMs, everyMs: 100 });
}

export async function arrivalsSince({ receiverOrigin }: Stage, before: number): Promise<Arrival[]> {
  return await (await fetch(`${receiverOrigin}/arrivals/${before}`)).json() as Arrival[];
}

/** The floor's delivery: a workflow with one activity that posts. */
export async function startBarePost(stage: Stage, id: string): Promise<void> {
  const body = JSON.stringify({ id, filler: 'x'.repeat(BODY_BYTES) });
  await stage.temporal.workflow.start<typeof barePost>('barePost', { workflowId: `floor-post/${id}`, taskQueue: FLOOR_TASK_QUEUE, args: [body] });
}
