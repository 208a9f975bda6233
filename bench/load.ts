import { setTimeout as delay } from 'node:timers/promises';
import type { Burst } from './figure';

export type Work = (index: number) => Promise<unknown>;

/**
 * Runs `count` calls by `clients` clients. Each client waits for a response before its next request.
 * @throws the first failure, after all clients have ended
 */
export async function closedLoop(count: number, clients: number, work: Work): Promise<Burst> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      const [index, sentAt] = [next++, performance.now()];
      try {
        await work(index);
      } catch (error) {
        next = count; // the other clients stop after their current request
        throw error;
      }
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: clients }, client));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { done: count, elapsedMs: performance.now() - startedAt, latenciesMs };
}

/** Starts `perSecond` calls a second without waiting for responses. */
export async function openLoop(count: number, perSecond: number, work: Work): Promise<void> {
  const startedAt = performance.now();
  const calls: Promise<unknown>[] = [];
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
    const call = work(index);
    call.catch(() => undefined); // `Promise.all` below reports it
    calls.push(call);
  }
  await Promise.all(calls);
}

/** Returns each item once, in order. @throws Error if none is left */
export function createSupply<T>(items: readonly T[]): () => T {
  const remaining = items.values();
  return () => {
    const { value, done } = remaining.next();
    if (done === true) throw new Error('the burst needs more items than were prepared');
    return value;
  };
}
