import { type ApiError, validationError } from '../../../../src/domain/errors';
import { bodyIssues } from '../../../../src/http/schemas/validate';
import { quoteRequest } from '../../../../src/http/trade/quotes/quotes';
import { anAddress, anItem } from '../../domain/pricing/basket';
import { astralText, bodyPaths } from './paths';

type Json = Record<string, any>;

const VALID_REQUEST: Json = { items: [anItem('fine-art-printing')], shippingMethodId: 'standard-parcel', shippingAddress: anAddress() };
const [ITEM] = VALID_REQUEST.items as [Json];

/** A copy of the valid body with the value at `path` replaced. Undefined removes the field. */
function withValue(path: string, value: unknown): Json {
  const copy = structuredClone(VALID_REQUEST);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce<Json>((node, key) => node[key], copy);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return copy;
}
function validationErrorFor(body: unknown): ApiError {
  return validationError(bodyIssues(quoteRequest, body));
}
const paths = (body: unknown): string[] => bodyPaths(quoteRequest, body);

describe('the body of POST /quotes', () => {
  it('accepts the valid body', () => {
    expect(paths(VALID_REQUEST)).toEqual([]);
  });

  it.each<[path: string, min: number, max: number, nullable: boolean, required: boolean]>([
    ['items.0.productSlug', 1, 100, false, true],
    ['items.0.externalReference', 0, 128, true, false],
    ['shippingMethodId', 0, 100, true, false],
    ['reference', 1, 128, true, false],
    ['shippingAddress.name', 1, 200, false, true],
    ['shippingAddress.company', 0, 200, true, false],
    ['shippingAddress.line1', 1, 200, false, true],
    ['shippingAddress.line2', 0, 200, true, false],
    ['shippingAddress.city', 1, 100, false, true],
    ['shippingAddress.state', 1, 100, false, true],
    ['shippingAddress.postcode', 1, 20, false, true],
    ['shippingAddress.phone', 0, 50, true, false],
  ])('%s accepts a string of %d to %d code points', (path, min, max, nullable, required) => {
    const wrong: unknown[] = [1, true, [], {}, ['x'], 'x'.repeat(max + 1), astralText(max + 1), 'a\u0000b', '\ud800', 'x\udfff'];
    const right: unknown[] = ['x'.repeat(max), astralText(max)];
    (min === 0 ? right : wrong).push('');
    (nullable ? right : wrong).push(null);
    (required ? wrong : right).push(undefined);
    for (const value of wrong) expect([value, paths(withValue(path, value))]).toEqual([value, [path]]);
    for (const value of right) expect([value, paths(withValue(path, value))]).toEqual([value, []]);
  });

  it.each(['items.0.productSlug', 'items.0.externalReference', 'shippingMethodId', 'reference'])(
    '%s refuses control characters and breaks',
    (path) => {
      for (const value of ['a\tb', 'two\nlines', 'x\u0085', 'x\u2029'])
        expect([value, paths(withValue(path, value))]).toEqual([value, [path]]);
    },
  );

  it.each<[path: string, wrong: unknown[], right: unknown[]]>([
    ['items', [undefined, null, {}, 'x', 1, []], []],
    ['items.0', [null, 1, 'x', []], []],
    ['items.0.quantity', [undefined, null, '1', '2', 0, -1, 991, 1.5, 1e300, true, [1], {}], [1, 990, 2]],
    ['items.0.variantSelections', [undefined, null, 'x', 1, []], []],
    ['items.0.variantSelections.artworkWidthMm', [300, null, true, [], {}, ['300'], 'a\u0000', '\ud800'], ['1', '1000']],
    ['items.0.variantSelections.unknownKey', [1, null, {}], ['', 'x'.repeat(5000)]],
    [
      'items.0.imageUrl',
      [
        1,
        '',
        'x',
        'artwork.jpg',
        '/artwork/1',
        [],
        {},
        `https://x.example/${'x'.repeat(1983)}`,
        'https://x.example/\u0000',
        'https://x.example/\ud800',
      ],
      [`https://x.example/${'x'.repeat(1982)}`, null, undefined],
    ],
    ['shippingAddress', [null, 'x', [], 1], []],
    ['shippingAddress.country', [undefined, null, 1, [], {}, 'A\u0000', '\ud800'], ['', 'Australia', 'x'.repeat(500), 'au']],
    [
      'shippingAddress.email',
      [
        undefined,
        null,
        1,
        '',
        'x',
        '@',
        'a@',
        '@b.example',
        'a b@c.example',
        'a@b@c.example',
        'a@b..example',
        'a@b.example, c@d.example',
        'A <a@b.example>',
        ' a@b.example',
        'a@b.example ',
        'a@b.example\u0000',
        'a\u001bb@c.example',
        'a@b.example\u0085Bcc',
        'a@b\u007f.example',
        'a@b.example\u200b',
        'a\u202e@b.example',
        `${'a'.repeat(64)}@${'b'.repeat(256)}`,
        `${'a'.repeat(65)}@b.example`,
      ],
      [`${'a'.repeat(64)}@${'b'.repeat(255)}`, 'a@b', 'a+b@c.example', 'jörg@büro.example', 'a@b.invalidtld', "o'hara@c.example"],
    ],
    ['rushTier', [null, '', 'Standard', 'express ', 'fast', 1, [], true], ['standard', 'express', 'critical', undefined]],
    ['whiteLabel', [null, 'true', 'false', 0, 1, '', []], [true, false, undefined]],
  ])('%s refuses wrong values at its path and accepts right ones', (path, wrong, right) => {
    for (const value of wrong) expect([value, paths(withValue(path, value))]).toEqual([value, [path]]);
    for (const value of right) expect([value, paths(withValue(path, value))]).toEqual([value, []]);
  });

  it('names each required field of an address that is missing', () => {
    const required = ['name', 'line1', 'city', 'state', 'postcode', 'country', 'email'].map((field) => `shippingAddress.${field}`);
    expect(paths(withValue('shippingAddress', undefined))).toEqual(['shippingAddress', ...required]);
    expect(paths(withValue('shippingAddress', {}))).toEqual(required);
    expect(paths({})).toEqual(['items', 'shippingAddress', ...required]);
  });

  it('refuses a list of more than 200 items with one issue', () => {
    const many = (count: number, item: unknown = ITEM) => ({ ...VALID_REQUEST, items: Array.from({ length: count }, () => item) });
    expect([paths(many(200)), paths(many(201)), paths(many(15_000, 1))]).toEqual([[], ['items'], ['items']]);
  });

  it('ignores thousands of unknown variant keys and lists the first 200 values that are not strings', () => {
    const keys = (value: unknown) => Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [index.toString(36), value]));
    expect(paths(withValue('items.0.variantSelections', { ...ITEM.variantSelections, ...keys('') }))).toEqual([]);
    expect(paths(withValue('items.0.variantSelections', keys(1)))).toHaveLength(200);
  });

  it('shortens the key of a selection that is not a string in every message', () => {
    const { message, details } = validationErrorFor(
      withValue(`items.0.variantSelections`, { ...ITEM.variantSelections, [astralText(50_000)]: 1 }),
    );
    expect(JSON.stringify({ message, details }).length).toBeLessThan(1_000);
    expect(details?.['paths']).toEqual([expect.stringMatching(/^items\.0\.variantSelections\.🖼+…$/u)]);
  });

  it('names each of 200 invalid items', () => {
    const items = Array.from({ length: 200 }, () => ({ ...ITEM, quantity: 0 }));
    expect(paths({ ...VALID_REQUEST, items })).toEqual(items.map((_, index) => `items.${index}.quantity`));
  });

  it('ignores unknown fields at every level', () => {
    const body = {
      ...VALID_REQUEST,
      unknown: 1,
      items: [{ ...ITEM, unknown: {} }],
      shippingAddress: { ...VALID_REQUEST.shippingAddress, unknown: [] },
    };
    expect(paths(body)).toEqual([]);
  });
});
