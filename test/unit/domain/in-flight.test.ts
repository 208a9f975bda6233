import { InFlightLimit } from '../../../src/domain/in-flight';

describe('the bound on attempts in flight', () => {
  const times = (count: number, what: () => unknown) => Array.from({ length: count }, what);

  it('lets so many in, each endpoint by itself, and one more for each that leaves', () => {
    const limit = new InFlightLimit(4, () => performance.now());
    expect(times(4, () => limit.enter('a'))).toEqual([0, 0, 0, 0]);
    expect(limit.enter('a')).toBeGreaterThan(0);
    expect(limit.enter('b')).toBe(0);
    limit.leave('a');
    expect(limit.enter('a')).toBe(0);
    expect(limit.enter('a')).toBeGreaterThan(0);
  });

  it('tells the others to come back later the more there are, after a minute at most', () => {
    const limit = new InFlightLimit(2, () => performance.now());
    times(2, () => limit.enter('a'));
    expect(times(6, () => limit.enter('a'))).toEqual([1000, 1000, 2000, 2000, 3000, 3000]);
    times(1000, () => limit.enter('a'));
    expect(limit.enter('a')).toBe(60_000);
  });

  it('forgets a crowd once the endpoint is idle', () => {
    const limit = new InFlightLimit(2, () => performance.now());
    times(2, () => limit.enter('a'));
    times(1000, () => limit.enter('a'));
    times(2, () => limit.leave('a'));
    expect(times(3, () => limit.enter('a'))).toEqual([0, 0, 1000]);
  });
});
