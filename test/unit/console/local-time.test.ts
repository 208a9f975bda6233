/** A module for browsers. */
const localTimeModule = import('../../../packages/console/src/shared/local-time.js');

describe('times of the studio on the screens of the console', () => {
  it.each([
    ['Australia/Melbourne', '2026-11-22T09:30', '2026-11-21T22:30:00.000Z'],
    ['America/New_York', '2026-07-01T12:00', '2026-07-01T16:00:00.000Z'],
    ['Asia/Kathmandu', '2026-07-01T00:00', '2026-06-30T18:15:00.000Z'],
    ['UTC', '2026-07-01T00:00', '2026-07-01T00:00:00.000Z'],
    // An hour that occurs twice: the later one.
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T06:30:00.000Z'],
    ['Australia/Melbourne', '2026-04-05T02:30', '2026-04-04T16:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T01:30:00.000Z'],
    // A skipped hour: an hour later.
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
    ['Australia/Melbourne', '2026-10-04T02:30', '2026-10-03T16:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    // Times next to the changes.
    ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59:00.000Z'],
    ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '2026-11-01T00:59', '2026-11-01T04:59:00.000Z'],
    ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00:00.000Z'],
  ])('in %s %s is %s', async (timeZone, local, instant) => {
    const { parseLocalTime } = await localTimeModule;
    expect(parseLocalTime(local, timeZone)).toBe(instant);
  });

  it('invalid times are refused, and a time is shown as entered', async () => {
    const { parseLocalTime, formatLocalTime } = await localTimeModule;
    expect(parseLocalTime('soon', 'UTC')).toBeNull();
    expect(formatLocalTime(new Date(parseLocalTime('2026-07-01T12:00', 'America/New_York') ?? ''), 'America/New_York')).toBe(
      '2026-07-01T12:00',
    );
  });

  it.each([
    ['Australia/Melbourne', '2026-11-22T12:59:00Z', '2026-11-22', 60_000],
    ['Australia/Melbourne', '2026-11-22T13:00:00Z', '2026-11-23', 86_400_000],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01', 25 * 3_600_000],
    ['America/New_York', '2026-03-08T05:00:00Z', '2026-03-08', 23 * 3_600_000],
  ])('in %s at %s it is %s, for the given number of ms', async (timeZone, now, today, leftMs) => {
    const { msToMidnight, todayIn } = await localTimeModule;
    expect([todayIn(timeZone, new Date(now)), msToMidnight(timeZone, new Date(now))]).toEqual([today, leftMs]);
  });

  it.each([
    ['2026-11-22T00:00:00Z', false],
    ['2026-11-21T13:00:00Z', false],
    ['2026-11-21T12:59:59Z', true],
  ])('at noon on 22 November in Melbourne, what was due at %s is past due: %s', async (dueAt, isPast) => {
    const { isPastDue } = await localTimeModule;
    expect(isPastDue(dueAt, 'Australia/Melbourne', new Date('2026-11-22T01:00:00Z'))).toBe(isPast);
  });
});
