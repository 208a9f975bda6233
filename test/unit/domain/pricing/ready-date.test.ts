import {
  addDays,
  holidaysEndSoon,
  holidaysUntil,
  localDate,
  readyDate,
  startOfDay,
  timeAt,
} from '../../../../src/domain/pricing/ready-date';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { anInput, anItem, refusalOutcome, priceItems } from './basket';

describe('the end of the known holidays', () => {
  it.each([
    ['2027-10-01', false],
    ['2027-10-02', true],
    ['2028-03-01', true],
  ])('on %s needs a new price book: %s', (today, isSoon) => {
    expect(holidaysEndSoon(holidaysUntil(FIRST_PRICE_BOOK), today)).toBe(isSoon);
  });
  it('is unknown for a book without holidays, which needs no new book', () => {
    const until = holidaysUntil({ ...FIRST_PRICE_BOOK, holidays: [] });
    expect([until, holidaysEndSoon(until, '2030-01-01')]).toEqual([null, false]);
  });
});

describe('the promised date, studio-local', () => {
  // Melbourne is UTC+10, and UTC+11 from 4 October 2026 to 4 April 2027.
  it.each([
    ['a morning counts from that day', '2026-06-02T00:00:00Z', 3, '2026-06-05'],
    ['the minute before the cut-off counts from that day', '2026-06-02T03:59:59.999Z', 3, '2026-06-05'],
    ['the cut-off itself counts from the next day', '2026-06-02T04:00:00Z', 3, '2026-06-09'],
    ['a weekend between is skipped', '2026-06-04T00:00:00Z', 1, '2026-06-05'],
    ['Friday after the cut-off counts from Monday, here a holiday, so from Tuesday', '2026-06-05T05:00:00Z', 1, '2026-06-10'],
    ['Saturday counts from the next business day', '2026-06-06T00:00:00Z', 1, '2026-06-10'],
    ['late on Sunday in UTC is Monday in Melbourne', '2026-06-14T20:00:00Z', 1, '2026-06-16'],
    ['a holiday counts from the day after it', '2026-11-02T23:00:00Z', 1, '2026-11-05'],
    ['Christmas and New Year', '2026-12-23T23:00:00Z', 3, '2026-12-31'],
    ['across the year', '2026-12-31T00:00:00Z', 1, '2027-01-04'],
    ['summer time moves the cut-off in UTC: 13:59 local', '2026-10-06T02:59:00Z', 1, '2026-10-07'],
    ['summer time moves the cut-off in UTC: 14:00 local', '2026-10-06T03:00:00Z', 1, '2026-10-08'],
    ['over the start of summer time', '2026-10-02T03:00:00Z', 3, '2026-10-07'],
    ['over the end of summer time', '2027-04-02T02:00:00Z', 3, '2027-04-07'],
    ['no days at all is the same day', '2026-06-02T00:00:00Z', 0, '2026-06-02'],
  ])('%s', (_title, now, days, expected) => {
    expect(readyDate(FIRST_PRICE_BOOK, new Date(now), days)).toBe(expected);
  });

  it('midnight in the studio belongs to the new day', () => {
    expect(readyDate(FIRST_PRICE_BOOK, new Date('2026-06-01T14:00:00Z'), 1)).toBe('2026-06-03');
  });
});

describe('rush tiers', () => {
  const items = [anItem('fine-art-printing')];
  it('standard equals unset', () => {
    expect(priceItems(items, { request: { rushTier: 'standard' } })).toEqual(priceItems(items));
    expect(priceItems(items)).toMatchObject({ rushFeeCents: 0, promisedReadyDate: null });
  });
  it('express promises three business days', () => {
    expect(priceItems(items, { request: { rushTier: 'express' } })).toMatchObject({ rushFeeCents: 1500, promisedReadyDate: '2026-06-04' });
  });
  it('critical is refused while switched off, before anything else', () => {
    const request = { rushTier: 'critical' as const, shippingAddress: anInput([]).request.shippingAddress };
    expect(refusalOutcome([anItem('scanning')], { request })).toEqual({ code: 'VALIDATION_ERROR', paths: ['rushTier'] });
  });
  it('critical promises the next business day while switched on', () => {
    const quote = priceItems(items, { request: { rushTier: 'critical' }, criticalRushEnabled: true });
    expect(quote).toMatchObject({ rushFeeCents: 4000, promisedReadyDate: '2026-06-02' });
  });
});

describe('a number of days later', () => {
  it.each([
    ['just after midnight, over the end of summer time', 'Australia/Melbourne', '2027-03-31T13:10:09Z', 30, '2027-04-30T14:10:09.000Z'],
    ['late in the evening, over its beginning', 'Australia/Melbourne', '2026-09-30T13:30:00Z', 14, '2026-10-14T12:30:00.000Z'],
    ['without a clock change', 'Australia/Melbourne', '2026-06-01T00:00:00.123Z', 30, '2026-07-01T00:00:00.123Z'],
    ['the same moment', 'Australia/Melbourne', '2026-06-01T00:00:00Z', 0, '2026-06-01T00:00:00.000Z'],
    ['a time that this day does not have is its first moment', 'America/Santiago', '2026-08-30T04:30:00Z', 7, '2026-09-06T04:00:00.000Z'],
  ])('%s', (_title, timeZone, now, days, later) => {
    expect(addDays(timeZone, new Date(now), days).toISOString()).toBe(later);
  });
});

describe('the first moment of a day', () => {
  it.each([
    ['Australia/Melbourne', '2026-04-05', '2026-04-04T13:00:00.000Z'], // of 25 hours
    ['Australia/Melbourne', '2026-04-06', '2026-04-05T14:00:00.000Z'],
    ['Australia/Melbourne', '2026-10-04', '2026-10-03T14:00:00.000Z'], // of 23 hours
    ['Australia/Melbourne', '2026-10-05', '2026-10-04T13:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'], // without a midnight
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'], // with two midnights
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    ['UTC', '2026-01-01', '2026-01-01T00:00:00.000Z'],
  ])('in %s, %s begins at %s', (timeZone, date, begins) => {
    expect(startOfDay(timeZone, date).toISOString()).toBe(begins);
    expect(localDate(timeZone, new Date(Date.parse(begins) - 1))).toBe(new Date(Date.parse(date) - 1).toISOString().slice(0, 10));
  });
});

it.each([
  ['2026-03-05', '10:15:30', '2026-03-04T23:15:30.000Z'],
  ['2026-07-05', '00:00:00', '2026-07-04T14:00:00.000Z'],
  ['2026-04-05', '02:30:00', '2026-04-04T15:30:00.000Z'], // twice; the earlier
  ['2026-10-04', '02:30:00', '2026-10-03T16:30:00.000Z'], // skipped; as before the change
])('the local time %s %s in Melbourne is %s', (date, time, expected) => {
  expect(timeAt('Australia/Melbourne', date, time).toISOString()).toBe(expected);
});
