import { attemptsInChain, DEFAULT_RETRY_SCHEDULE_MS, delayBeforeAttempt, lastAttemptAt } from '../../../src/domain/webhook-rules';
import { parseDuration } from '../../../src/domain/duration';

const MINUTE = 60_000;

/** The time of each attempt after the first, if attempts take no time. */
function offsetsMs(schedule: readonly number[]): number[] {
  const delays = [0, ...schedule].map((_, at) => delayBeforeAttempt(schedule, at + 1) ?? Number.NaN);
  return delays.map((_, at) => delays.slice(0, at + 1).reduce((sum, ms) => sum + ms, 0));
}

describe('the documented schedule', () => {
  it('is 1m, 5m, 15m, 1h, 4h, 12h', () => {
    expect(DEFAULT_RETRY_SCHEDULE_MS).toEqual('1m,5m,15m,1h,4h,12h'.split(',').map(parseDuration));
  });

  it('makes seven attempts, the last after 17 hours and 21 minutes', () => {
    expect(attemptsInChain(DEFAULT_RETRY_SCHEDULE_MS)).toBe(7);
    expect(offsetsMs(DEFAULT_RETRY_SCHEDULE_MS).map((ms) => ms / MINUTE)).toEqual([0, 1, 6, 21, 81, 321, 1041]);
  });

  it('is immutable', () => {
    expect(Object.isFrozen(DEFAULT_RETRY_SCHEDULE_MS)).toBe(true);
  });
});

describe('delayBeforeAttempt', () => {
  it.each([
    [1, 0],
    [2, 1],
    [3, 5],
    [4, 15],
    [5, 60],
    [6, 240],
    [7, 720],
  ])('before attempt %d it is %d minutes', (attempt, minutes) => {
    expect(delayBeforeAttempt(DEFAULT_RETRY_SCHEDULE_MS, attempt)).toBe(minutes * MINUTE);
  });

  it('is null after the last attempt', () => {
    expect(delayBeforeAttempt(DEFAULT_RETRY_SCHEDULE_MS, 8)).toBeNull();
    expect(delayBeforeAttempt([], 2)).toBeNull();
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses attempt %d', (attempt) => {
    expect(() => delayBeforeAttempt(DEFAULT_RETRY_SCHEDULE_MS, attempt)).toThrow(RangeError);
  });

  it('adds up, for any schedule', () => {
    expect(offsetsMs([200, 300, 500])).toEqual([0, 200, 500, 1000]);
  });
});

describe('lastAttemptAt', () => {
  it.each([
    [0, 1041],
    [1, 1040],
    [5, 720],
    [6, 0],
  ])('after %d attempts it is %d minutes from the next', (attempts, minutes) => {
    const next = new Date('2026-03-02T00:00:00Z');
    expect(lastAttemptAt(DEFAULT_RETRY_SCHEDULE_MS, attempts, next).getTime() - next.getTime()).toBe(minutes * MINUTE);
  });
});
