import { ATTEMPTS_PER_ENDPOINT, EndpointQueues } from '../../../src/relay/endpoint-queues';
import { KeyedQueue } from '../../../src/runtime/keyed-queue';
import type { LeasedDelivery } from '../../../src/relay/attempt';

/** Deliveries to endpoints that respond when the test says so. */
function createQueues() {
  const pendingResolves = new Map<string, (() => void)[]>();
  const startedIds: LeasedDelivery['delivery'][] = [];
  let added = 0;
  const hangs = new Set<string>();
  const attemptQueue = new KeyedQueue({ concurrency: ATTEMPTS_PER_ENDPOINT });
  const endpointQueues = new EndpointQueues(
    attemptQueue,
    (leased) => {
      const id = leased.delivery.endpoint_id;
      startedIds.push(leased.delivery);
      if (!hangs.has(id)) return Promise.resolve();
      return new Promise((resolve) => pendingResolves.set(id, [...(pendingResolves.get(id) ?? []), resolve]));
    },
    () => undefined,
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const add = async (id: string, count: number): Promise<void> => {
    endpointQueues.add(
      Array.from(
        { length: count },
        () => ({ delivery: { endpoint_id: id, claim: (added += 1) }, askedAtMs: 0 }) as unknown as LeasedDelivery,
      ),
      endpointQueues.capacity(),
    );
    await settle();
  };
  const claimsOf = (id: string): number[] => startedIds.filter((delivery) => delivery.endpoint_id === id).map(({ claim }) => claim);
  const countStarted = (id: string): number => claimsOf(id).length;
  const endOldest = async (id: string): Promise<void> => {
    pendingResolves.get(id)?.shift()?.();
    await settle();
  };
  return { lanes: endpointQueues, attempts: attemptQueue, hangs, add, of: countStarted, claimsOf, settle, answer: endOldest };
}

describe('endpoint queues', () => {
  it('an endpoint gets four concurrent attempts, and the next when one ends', async () => {
    const { add, of, hangs, answer } = createQueues();
    hangs.add('a');
    await add('a', 9);
    expect(of('a')).toBe(4);
    await answer('a');
    expect(of('a')).toBe(5);
  });

  it('many unknown endpoints get one attempt each until they answer', async () => {
    const { add, of, hangs, answer } = createQueues();
    for (let index = 0; index < 8; index += 1) {
      hangs.add(`h${index}`);
      await add(`h${index}`, 4);
    }
    hangs.add('a');
    await add('a', 9);
    expect(of('a')).toBe(1);
    await answer('a');
    expect(of('a')).toBe(5);
  });

  it('an attempt that waits for retries of its endpoint uses no capacity', async () => {
    const { add, of, attempts } = createQueues();
    const ends: (() => void)[] = [];
    const retry = () => new Promise<void>((resolve) => ends.push(resolve));
    const retries: Promise<void>[] = [];
    for (let index = 0; index < 100; index += 1) {
      for (let count = 0; count < ATTEMPTS_PER_ENDPOINT; count += 1) retries.push(attempts.run(`h${index}`, retry));
      await add(`h${index}`, 1);
    }
    await add('new', 1);
    expect([of('h0'), of('new')]).toEqual([0, 1]);
    for (const end of ends) end();
    await Promise.all(retries);
  });

  it('an endpoint that becomes fast keeps the order of its events', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { add, of, claimsOf, hangs, answer } = createQueues();
    const others = Array.from({ length: 95 }, (_, index) => `s${index}`);
    for (const id of [...others, 'a']) {
      hangs.add(id);
      await add(id, 1);
    }
    clock.mockReturnValue(500);
    for (const id of [...others, 'a']) await answer(id);
    for (const id of others) await add(id, 1); // all places of slow endpoints except one
    await add('a', 6);
    await answer('a');
    await answer('a');
    expect(of('a')).toBe(1 + 5);
    expect(claimsOf('a')).toEqual(claimsOf('a').toSorted((one, other) => one - other));
    clock.mockRestore();
  });

  it('hundreds of endpoints that hang do not delay one that responds, known or unknown', async () => {
    const { add, of, hangs } = createQueues();
    await add('known', 1);
    for (let index = 0; index < 60; index += 1) {
      hangs.add(`h${index}`);
      await add(`h${index}`, 4);
    }
    await add('known', 2);
    await add('new', 1);
    expect([of('known'), of('new')]).toEqual([3, 1]);
    for (let index = 60; index < 400; index += 1) {
      hangs.add(`h${index}`);
      await add(`h${index}`, 4);
    }
    await add('known', 3);
    expect(of('known')).toBe(6);
  });

  it('remembers the speed of an endpoint after its queue is empty', async () => {
    const { add, of, hangs } = createQueues();
    await add('a', 1);
    hangs.add('a');
    for (let index = 0; index < 8; index += 1) {
      hangs.add(`h${index}`);
      await add(`h${index}`, 4); // enough unknown endpoints for one attempt each
    }
    await add('a', 6);
    expect(of('a')).toBe(5);
  });

  it('a retry is queued among first attempts instead of behind all claimed ones', async () => {
    const { add, of, settle, hangs, attempts, answer } = createQueues();
    await add('a', 1);
    hangs.add('a');
    await add('a', 12);
    let end: (() => void) | undefined;
    const retry = attempts.run('a', () => new Promise<void>((resolve) => (end = resolve)));
    await settle();
    expect([end, of('a')]).toEqual([undefined, 1 + 4]);
    await answer('a');
    expect([end, of('a')]).toEqual([expect.any(Function), 1 + 4]);
    end?.();
    await retry;
    await settle();
    expect(of('a')).toBe(1 + 5);
  });

  it('returns attempts that have not started when it stops, and does not start them later', async () => {
    const { add, of, lanes, hangs, answer } = createQueues();
    hangs.add('a');
    await add('a', 7);
    expect(lanes.stop()).toHaveLength(3);
    await answer('a');
    expect(of('a')).toBe(4);
  });
});
