import { DEFAULT_CARRIERS } from '../../../src/domain/carriers';
import { DEFAULT_LABEL_PROGRAM } from '../../../src/domain/label-program';
import { localDate, timeAt } from '../../../src/domain/pricing/ready-date';
import {
  type ColumnPlaces,
  findColumns,
  type LocalClock,
  planRow,
  readTrackingRow,
  type TrackedOrder,
  type TrackingRow,
  type WrongRow,
} from '../../../src/domain/tracking-file';

const clockAt = (now: string): LocalClock => ({
  now: new Date(now),
  dayOf: (at) => localDate('Australia/Sydney', at),
  timeAt: (day, time) => timeAt('Australia/Sydney', day, time),
});
const places = findColumns(['Order Number', 'Tracking Number', 'Delivered Date'], DEFAULT_LABEL_PROGRAM.trackingColumns) as ColumnPlaces;
const read = (cells: string[], clock = clockAt('2026-03-10T00:00:00Z')): TrackingRow | WrongRow =>
  readTrackingRow(cells, places, DEFAULT_CARRIERS, clock);

const anOrder = (parcels: TrackedOrder['parcels']): TrackedOrder => ({
  id: 'ord_1',
  status: 'shipped',
  baseStatus: 'in_production',
  isErased: false,
  placedAt: new Date('2026-02-27T13:30:00Z'), // 28 February in Sydney
  parcels,
});

describe('a row of a tracking file', () => {
  it.each([
    ['="P-10001"', '="39312345"'],
    ["'P-10001", "'39312345"],
    ['\u00a0P\u00a010001\u202f', '\u00a039312345\u00a0'],
    ['10001\u0000', '\ufeff39312345\u001a'],
    ['="\'10001"', '="\u00a039312345"'],
  ])('is read from %j and %j', (order, number) => {
    expect(read([order, number, '5\u00a0Mar\u00a02026 2:15\u202fpm'])).toMatchObject({
      orderNumber: 'P-10001',
      trackingNumber: '39312345',
      deliveredAt: { at: new Date('2026-03-05T03:15:00Z') },
    });
  });

  it.each([
    '3.93E+17',
    '3,93E+17',
    '39.3E+16',
    '4E+11',
    '3.93e+17',
    '3.93E+100',
    '="3.93E+17"',
    '393123456789.00',
    '1234567890.0',
    '393123456789,00',
  ])('is refused if a spreadsheet has changed the number to %s', (number) => {
    expect(read(['P-10001', number, ''])).toMatchObject({ issue: expect.stringContaining('spreadsheet has changed') });
  });

  it.each(['AP123456789AU, AP123456790AU', 'AP1;AP2', 'AP1 / AP2', 'AP1 & AP2', 'AP1 + AP2', 'AP1|AP2', 'AP1\r\nAP2'])(
    'is refused with several numbers: %j',
    (number) => {
      expect(read(['P-10001', number, ''])).toMatchObject({ issue: expect.stringContaining('one tracking number') });
    },
  );

  it.each(['-', 'N/A', 'TBA', 'collected'])('is refused if %j stands for a missing number', (number) => {
    expect(read(['P-10001', number, ''])).toMatchObject({ issue: expect.stringContaining('digit') });
  });

  it.each(['#N/A', '#n/a', '#REF!', '#NAME?', '#DIV/0!', '#VALUE!', '#SPILL!', '#NV', '#WERT!', '#\u00bfNOMBRE?', 'Err:502'])(
    'is refused if a formula failed with %s',
    (failed) => {
      const columns = findColumns(['Order Number', 'Tracking Number', 'Carrier'], DEFAULT_LABEL_PROGRAM.trackingColumns) as ColumnPlaces;
      const readRow = (cells: string[]) => readTrackingRow(cells, columns, DEFAULT_CARRIERS, clockAt('2026-03-10T00:00:00Z'));
      expect(readRow(['P-10001', failed, 'Toll'])).toMatchObject({ issue: expect.stringContaining(failed) });
      expect(readRow(['P-10001', 'AP1', failed])).toMatchObject({ issue: expect.stringContaining(failed) });
    },
  );

  it.each([
    ['2026-03-05 14:15:00+11:00', '03:15:00.000'],
    ['2026-03-05 14:15:00+11', '03:15:00.000'],
    ['2026-03-05 14:15:30.25 +1100', '03:15:30.250'],
    ['2026-03-05T03:15Z', '03:15:00.000'],
    ['2026-03-05 03:15:00 UTC', '03:15:00.000'],
    ['2026-03-05T14:15+11:00', '03:15:00.000'],
  ])('can have the time %s', (text, time) => {
    expect(read(['P-10001', 'AP1', text])).toMatchObject({ deliveredAt: { at: new Date(`2026-03-05T${time}Z`), isDay: false } });
  });

  it.each(['2026-03-05 14:15:00+99', '2026-13-05 14:15:00Z', '2026-03-05 25:15 UTC', '05-Mar-26'])('cannot have the time %s', (text) => {
    expect(read(['P-10001', 'AP1', text])).toMatchObject({ issue: expect.stringContaining('deliveredAt') });
  });

  it('has no invisible characters in its numbers', () => {
    const cells = ['P-100\u200b01', '393\u00ad12\u200b345', ''];
    expect(read(cells)).toMatchObject({ orderNumber: 'P-10001', trackingNumber: '39312345' });
  });

  it.each(['#39312345', 'JD01 4600 0061', 'AB/12345', '(00)393123450000000017', 'R-1.2'])('can have the label %s', (label) => {
    expect(read(['P-10001', label, ''])).not.toHaveProperty('issue');
  });

  it.each(['5E1234567', '5E12', '12E+1234', '393123456789012000', 'AB3.9E+17'])('can have the number %s', (number) => {
    const row = read(['P-10001', number, '']);
    expect(row).toMatchObject({ orderNumber: 'P-10001', trackingNumber: number });
    expect(row).not.toHaveProperty('issue');
  });

  it('with an issue has the number of its order, and that of its label', () => {
    expect(read(['p 10001', '(00)019931265099999891ABC', 'soon'])).toEqual({
      orderNumber: 'P-10001',
      trackingNumber: read(['P-10001', '(00)019931265099999891ABC', '']).trackingNumber,
      issue: expect.stringContaining('deliveredAt'),
    });
    expect(read(['Total', '2', ''])).toEqual({ orderNumber: 'Total', trackingNumber: '2', issue: expect.any(String) });
  });

  it('is refused if an unquoted separator shifts its cells', () => {
    expect(read(['P-10001', 'gloss', '', 'AP1'])).toMatchObject({ issue: expect.stringContaining('more cells') });
    expect(read(['P-10001', 'AP1', '', '', '\u00a0'])).toMatchObject({ trackingNumber: 'AP1' });
  });

  it.each([
    ['2026-04-04T13:30:00Z', '2026-04-05', '2026-04-04T13:30:00.000Z'], // 00:30 on the day with 25 hours
    ['2026-04-05T13:30:00Z', '2026-04-05', '2026-04-05T13:30:00.000Z'],
    ['2026-04-05T14:30:00Z', '2026-04-05', '2026-04-05T13:59:59.000Z'],
    ['2026-04-04T12:59:00Z', '2026-04-05', null],
    ['2026-10-02T14:00:01Z', '2026-10-04', null], // tomorrow has 23 hours
  ])('at %s with the delivery %s delivers at %s', (now, day, deliveredAt) => {
    const clock = clockAt(now);
    const order = anOrder([
      { id: 'p', trackingNumber: 'AP1', shippedAt: new Date('2026-03-01T00:00:00Z'), deliveredAt: null, isVoided: false },
    ]);
    const plan = planRow(read(['P-10001', 'AP1', day], clock) as TrackingRow, order, clock, 'p');
    expect(plan).toEqual(
      deliveredAt === null
        ? { outcome: 'refused', issue: expect.stringContaining('future') }
        : { outcome: 'delivered', parcelId: 'p', deliveredAt: new Date(deliveredAt) },
    );
  });

  it.each([
    ['Shipped Date', '28/2/2026', null],
    ['Shipped Date', '27/2/2026', 'shippedAt is before the order was placed; in a day such as 5/3/2026 the day is first'],
    ['Shipped Date', '3/2/2026', 'shippedAt is before the order was placed; in a day such as 5/3/2026 the day is first'],
    ['Delivered Date', '27/2/2026', 'deliveredAt is before the order was placed; in a day such as 5/3/2026 the day is first'],
  ])('with the %s %s of an order of 28 February has the issue %s', (heading, day, issue) => {
    const clock = clockAt('2026-03-10T00:00:00Z');
    const columns = findColumns(['Order Number', 'Tracking Number', heading], DEFAULT_LABEL_PROGRAM.trackingColumns) as ColumnPlaces;
    const row = readTrackingRow(['P-10001', 'AP1', day], columns, DEFAULT_CARRIERS, clock) as TrackingRow;
    expect(planRow(row, anOrder([]), clock, 'p')).toMatchObject(issue === null ? { outcome: 'added' } : { outcome: 'refused', issue });
  });

  it.each(['3/2/2026', '5/6/2026'])('of a known parcel, with the shipping day %s that is not used, is recorded', (day) => {
    const clock = clockAt('2026-03-10T00:00:00Z');
    const headings = ['Order Number', 'Tracking Number', 'Shipped Date', 'Delivered Date'];
    const columns = findColumns(headings, DEFAULT_LABEL_PROGRAM.trackingColumns) as ColumnPlaces;
    const row = readTrackingRow(['P-10001', 'AP1', day, '9/3/2026'], columns, DEFAULT_CARRIERS, clock) as TrackingRow;
    const shippedAt = new Date('2026-03-02T00:00:00Z');
    const order = anOrder([{ id: 'p', trackingNumber: 'AP1', shippedAt, deliveredAt: null, isVoided: false }]);
    expect(planRow(row, order, clock, 'p')).toMatchObject({ outcome: 'delivered', parcelId: 'p' });
  });
});
