import { parcelRequest } from '../../../../../src/http/studio/parcels';
import { studioPaths } from '../../schemas/paths';

describe('the body of POST /orders/{id}/parcels', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['an empty parcel id', { parcelId: '' }, 'parcelId'],
    ['a parcel id of 101 characters', { parcelId: 'x'.repeat(101) }, 'parcelId'],
    ['an id that cannot be in a URL', { parcelId: '..' }, 'parcelId'],
    ['no tracking number', { trackingNumber: undefined }, 'trackingNumber'],
    ['a tracking number of 201 characters', { trackingNumber: 'x'.repeat(201) }, 'trackingNumber'],
    ['a tab in its tracking number', { trackingNumber: 'AP\t1' }, 'trackingNumber'],
    ['the number of an order as tracking number', { trackingNumber: 'P-10001' }, 'trackingNumber'],
    ['a line separator in its carrier', { carrier: 'Aus\u2028Post' }, 'carrier'],
    ['a C1 control in its id', { parcelId: 'box\u0080' }, 'parcelId'],
    ['a carrier of 101 characters', { carrier: 'x'.repeat(101) }, 'carrier'],
    ['a tracking URL with a space', { trackingUrl: 'https://a b' }, 'trackingUrl'],
    ['a script as tracking URL', { trackingUrl: 'javascript:alert(1)' }, 'trackingUrl'],
    ['a relative tracking URL', { trackingUrl: '/AP-1' }, 'trackingUrl'],
    ['a tracking URL over 2000 characters', { trackingUrl: `https://t.example/${'x'.repeat(2000)}` }, 'trackingUrl'],
    ['a date without a time', { shippedAt: '2026-03-01' }, 'shippedAt'],
    ['lines that are not a list', { lines: 'all' }, 'lines'],
    ['no lines', { lines: [] }, 'lines'],
    ['half a piece', { lines: [{ line: 0, quantity: 0.5 }] }, 'lines.0.quantity'],
    ['a misspelt line', { lines: [{ line: 0, quantity: 1, colour: 'red' }] }, 'lines.0.colour'],
  ])('with %s is refused', (_title, fields, path) => {
    expect(studioPaths(parcelRequest, { parcelId: 'box-1', trackingNumber: 'AP-1', ...fields })).toEqual([path]);
  });
});
