import { validateBody } from '../../../../src/http/schemas/validate';
import { orderRequest } from '../../../../src/http/trade/orders/place-order';
import { astralText, bodyPaths } from './paths';

describe('the body of POST /orders', () => {
  it.each<[string, object, string[]]>([
    ['no quoteId', {}, ['quoteId']],
    ['quoteId null', { quoteId: null }, ['quoteId']],
    ['quoteId a number', { quoteId: 1 }, ['quoteId']],
    ['quoteId an array', { quoteId: ['quo_00'] }, ['quoteId']],
    ['quoteId an object', { quoteId: {} }, ['quoteId']],
    ['quoteId true', { quoteId: true }, ['quoteId']],
    ['quoteId empty', { quoteId: '' }, ['quoteId']],
    ['quoteId of 65 characters', { quoteId: 'x'.repeat(65) }, ['quoteId']],
    ['quoteId of 65 astral characters', { quoteId: astralText(65) }, ['quoteId']],
    ['quoteId with NUL', { quoteId: 'quo_\u0000' }, ['quoteId']],
    ['quoteId with a lone surrogate', { quoteId: '\ud800' }, ['quoteId']],
    ['quoteId misspelled', { quoteID: 'quo_00' }, ['quoteId']],
    ['specialInstructions a number', { quoteId: 'quo_00', specialInstructions: 1 }, ['specialInstructions']],
    ['specialInstructions an array', { quoteId: 'quo_00', specialInstructions: [] }, ['specialInstructions']],
    ['specialInstructions of 2001 characters', { quoteId: 'quo_00', specialInstructions: 'x'.repeat(2001) }, ['specialInstructions']],
    [
      'specialInstructions of 2001 astral characters',
      { quoteId: 'quo_00', specialInstructions: astralText(2001) },
      ['specialInstructions'],
    ],
    ['specialInstructions with NUL', { quoteId: 'quo_00', specialInstructions: 'a\u0000b' }, ['specialInstructions']],
    ['specialInstructions with a low surrogate', { quoteId: 'quo_00', specialInstructions: '\udc00x' }, ['specialInstructions']],
    ['reference empty', { quoteId: 'quo_00', reference: '' }, ['reference']],
    ['reference of 129 characters', { quoteId: 'quo_00', reference: 'x'.repeat(129) }, ['reference']],
    ['reference with a line break', { quoteId: 'quo_00', reference: 'PO\n1' }, ['reference']],
    ['both wrong', { quoteId: 1, specialInstructions: 1 }, ['quoteId', 'specialInstructions']],
  ])('%s is refused', (_title, body, paths) => {
    expect(bodyPaths(orderRequest, body)).toEqual(paths);
  });

  it.each([
    ['one character', 'x'],
    ['64 characters', 'x'.repeat(64)],
    ['64 astral characters', astralText(64)],
    ['blanks', '   '],
    ['another prefix', 'ord_00'],
    ['white space around a valid id', ' quo_00 '],
    ['SQL', `quo_' OR 1=1`],
    ['upper case', 'QUO_00'],
  ])('quoteId of %s is accepted', (_title, quoteId) => {
    expect(bodyPaths(orderRequest, { quoteId })).toEqual([]);
  });

  it.each([
    ['absent', undefined],
    ['null', null],
    ['empty', ''],
    ['blanks', '  '],
    ['2000 astral characters', astralText(2000)],
    ['line breaks and tabs', 'a\r\n\tb'],
  ])('specialInstructions %s are accepted unchanged', (_title, specialInstructions) => {
    const body = { quoteId: 'quo_00', ...(specialInstructions === undefined ? {} : { specialInstructions }) };
    expect(validateBody(orderRequest, body)).toEqual(body);
  });
});
