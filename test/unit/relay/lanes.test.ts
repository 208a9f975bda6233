import { InFlightLimit } from '../../../src/domain/in-flight';
import { Lanes } from '../../../src/relay/lanes';
import type { Leased } from '../../../src/relay/attempt';

/** Deliveries to endpoints that answer only when they are told to. */
function aWorld() {
  const open = new Map<string, (() => void)[]>();
  const begun: string[] = [];
  const hangs = new Set<string>();
  const limit = new InFlightLimit(4, () => performance.now());
  const lanes = new Lanes(
    limit,
    (leased) => {
      const id = leased.delivery.endpoint_id;
      begun.push(id);
      if (!hangs.has(id)) return Promise.resolve();
      return new Promise((resolve) => open.set(id, [...(open.get(id) ?? []), resolve]));
    },
    () => undefined,
  );
  const add = (id: string, count: number): void =>
    lanes.add(
      Array.from({ length: count }, () => ({ delivery: { endpoint_id: id }, askedAtMs: 0 }) as unknown as Leased),
      lanes.rooms(),
    );
  const of = (id: string): number => begun.filter((other) => other === id).length;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { lanes, limit, hangs, add, of, settle, answer: (id: string) => open.get(id)?.shift()?.() };
}

describe('lanes', () => {
  it('an endpoint gets four attempts at once, and one more for each that ends', async () => {
    const { add, of, settle, hangs, answer } = aWorld();
    hangs.add('a');
    add('a', 9);
    expect(of('a')).toBe(4);
    answer('a');
    await settle();
    expect(of('a')).toBe(5);
  });

  it('where many are unknown each gets one until it has answered', async () => {
    const { add, of, settle, hangs, answer } = aWorld();
    for (let index = 0; index < 8; index += 1) {
      hangs.add(`h${index}`);
      add(`h${index}`, 4);
    }
    hangs.add('a');
    add('a', 9);
    expect(of('a')).toBe(1);
    answer('a');
    await settle();
    expect(of('a')).toBe(5);
  });

  it('hundreds of endpoints that hang leave room for one that answers, whether it is known or not', async () => {
    const { add, of, settle, hangs } = aWorld();
    add('known', 1);
    await settle();
    for (let index = 0; index < 60; index += 1) {
      hangs.add(`h${index}`);
      add(`h${index}`, 4);
    }
    add('known', 2);
    add('new', 1);
    await settle();
    expect([of('known'), of('new')]).toEqual([3, 1]);
    for (let index = 60; index < 400; index += 1) {
      hangs.add(`h${index}`);
      add(`h${index}`, 4);
    }
    add('known', 3);
    await settle();
    expect(of('known')).toBe(6);
  });

  it('remembers how an endpoint answered after its queue has emptied', async () => {
    const { add, of, settle, hangs } = aWorld();
    add('a', 1);
    await settle();
    hangs.add('a');
    for (let index = 0; index < 8; index += 1) {
      hangs.add(`h${index}`);
      add(`h${index}`, 4); // so many unknown that another would get one
    }
    add('a', 6);
    expect(of('a')).toBe(5);
  });

  it('a place that becomes free is kept for a retry that was turned away', async () => {
    const { add, of, settle, hangs, limit, answer } = aWorld();
    add('a', 1);
    await settle();
    hangs.add('a');
    add('a', 12);
    expect(limit.enter('a')).toBeGreaterThan(0); // a retry finds no room
    answer('a');
    await settle();
    expect(of('a')).toBe(1 + 4);
    expect(limit.enter('a')).toBe(0);
    limit.leave('a');
    await settle();
    expect(of('a')).toBe(1 + 5);
  });

  it('what is not begun when it stops is given back', async () => {
    const { add, lanes, hangs } = aWorld();
    hangs.add('a');
    add('a', 7);
    expect(lanes.stop()).toHaveLength(3);
  });
});
