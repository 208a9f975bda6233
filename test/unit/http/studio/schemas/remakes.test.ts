import { remakeRequest } from '../../../../../src/http/studio/remakes';
import { anAddress } from '../../../domain/pricing/basket';
import { studioPaths } from '../../schemas/paths';

describe('the body of POST /orders/{id}/remakes', () => {
  it.each<[string, object, string[]]>([
    ['no lines', { lines: [] }, ['lines']],
    ['a negative line', { lines: [{ line: -1, quantity: 1 }] }, ['lines.0.line']],
    ['a quantity of 0', { lines: [{ line: 0, quantity: 0 }] }, ['lines.0.quantity']],
    ['no reason', { reason: '' }, ['reason']],
    ['no id', { remakeId: undefined }, ['remakeId']],
    ['an id that cannot be in a URL', { remakeId: '..' }, ['remakeId']],
    ['an address without a street', { shippingAddress: { ...anAddress(), line1: undefined } }, ['shippingAddress.line1']],
    ['an unknown field', { quantity: 1 }, ['quantity']],
  ])('%s is refused', (_title, changes, paths) => {
    const body = { remakeId: 'complaint-1', lines: [{ line: 0, quantity: 2 }], reason: 'scratched in transit', ...changes };
    expect(studioPaths(remakeRequest, body)).toEqual(paths);
  });
});
