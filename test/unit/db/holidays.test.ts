import { holidaysFrom } from '../../../src/db/seed/price-book';

/** As the state of Victoria published them. */
const PUBLISHED: Record<number, string> = {
  2022: '01-03 01-26 03-14 04-15 04-18 04-25 06-13 09-23 11-01 12-26 12-27',
  2024: '01-01 01-26 03-11 03-29 04-01 04-25 06-10 09-27 11-05 12-25 12-26',
  2025: '01-01 01-27 03-10 04-18 04-21 04-25 06-09 09-26 11-04 12-25 12-26',
  2026: '01-01 01-26 03-09 04-03 04-06 06-08 09-25 11-03 12-25 12-28',
  2027: '01-01 01-26 03-08 03-26 03-29 06-14 09-24 11-02 12-27 12-28',
};
const published = (year: number): string[] => (PUBLISHED[year] ?? '').split(' ').map((day) => `${year}-${day}`);

describe('the holidays of a new studio', () => {
  it.each([2024, 2025, 2026])('are those of Victoria in %i and the next year', (year) => {
    expect(holidaysFrom(`${year}-12-31`)).toEqual([...published(year), ...published(year + 1)]);
  });

  it('at a weekend are on the next free weekday', () => {
    expect(holidaysFrom('2022-01-01')).toEqual(expect.arrayContaining(published(2022)));
  });
});
