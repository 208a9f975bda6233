import { timeIssue } from '../../../src/domain/field-formats';

describe('a time is accepted if every store can hold it', () => {
  it.each([
    '1970-01-01T00:00:00.000Z',
    '2028-02-29T23:59:59.123456789+14:00',
    '9998-12-31T23:59:59Z',
    '1970-01-01T12:00:00+11:59',
    '2026-11-26T10:00:00+0000',
    '2026-11-26T10:00:00.5-0530',
    '2026-11-26t10:00:00z',
  ])('%s', (time) => {
    expect(timeIssue(time)).toBeNull();
    expect(Number.isNaN(Date.parse(time))).toBe(false);
  });

  it.each([
    '1969-12-31T23:59:59Z',
    '9999-01-01T00:00:00Z',
    '2027-02-29T00:00:00Z',
    // In UTC it is in the next or previous year.
    '9998-12-31T23:59:59-23:59',
    '1970-01-01T00:00:00+00:01',
    '1970-01-01T00:00:00+0001',
    '2026-11-26T10:00:00+00',
    '2026-11-26T10:00:00+2400',
  ])('not %s', (time) => {
    expect(timeIssue(time)).toContain('RFC 3339 time such as 2026-01-31T09:30:00Z, in the years 1970 to 9998');
  });
});
