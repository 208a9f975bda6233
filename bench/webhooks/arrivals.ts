import { until } from '../../dev/ports';
import type { Arrival } from '../floor/receiver';
import { call } from '../http';
import type { Stage } from '../stage';

/** About as long as an event's body. */
const BODY_BYTES = 1200;
const PATIENCE_MS = 150_000;

/** How many bodies the receiver has had so far. */
export async function countArrivals({ receiverOrigin }: Stage): Promise<number> {
  return (await (await fetch(`${receiverOrigin}/count`)).json()) as number;
}

/** How many it has had that it only counts. */
export async function countSunk({ receiverOrigin }: Stage): Promise<number> {
  return (await (await fetch(`${receiverOrigin}/sunk`)).json()) as number;
}

/** Waits for so many more bodies than `before`. @throws Error when they have not come after `timeoutMs` */
export async function whenArrived(stage: Stage, before: number, more: number, timeoutMs: number = PATIENCE_MS): Promise<void> {
  await until('the deliveries did not arrive', async () => ((await countArrivals(stage)) - before >= more ? true : undefined), {
    timeoutMs,
    everyMs: 50,
  });
}

export async function arrivalsSince({ receiverOrigin }: Stage, before: number): Promise<Arrival[]> {
  return (await (await fetch(`${receiverOrigin}/arrivals/${before}`)).json()) as Arrival[];
}

/** The least a delivery could be: a post over a kept connection. */
export async function barePost(stage: Stage, id: string): Promise<void> {
  await call(stage, {
    method: 'POST',
    url: stage.receiverOrigin,
    path: '/floor',
    body: { filler: 'x'.repeat(BODY_BYTES) },
    headers: { 'service-event-id': id },
  });
}
