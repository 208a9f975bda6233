import fc from 'fast-check';
import type Joi from 'joi';
import { withoutControl } from '../../../../src/domain/field-forms';
import type { Kind } from '../../../../src/http/schemas/kinds';

/** What `schema.describe()` tells, as far as a value can be made of it. */
interface Description {
  type?: string;
  flags?: { presence?: string };
  allow?: unknown[];
  metas?: Kind[];
  keys?: Record<string, Description>;
  items?: Description[];
  rules?: { name: string; args?: { limit?: number } }[];
  matches?: { then?: Description }[];
}

/** Values by name of a field, where a schema cannot know what exists; tried before the schema. */
export type Known = Record<string, fc.Arbitrary<unknown>>;

/** Values that this schema accepts, mostly. */
export const valuesOf = (schema: Joi.Schema, known: Known): fc.Arbitrary<unknown> => described(schema.describe() as Description, known, '');

function described(at: Description, known: Known, name: string): fc.Arbitrary<unknown> {
  const value = known[name] ?? plain(at, known);
  const nulls = at.allow?.includes(null) === true ? [{ weight: 1, arbitrary: fc.constant<unknown>(null) }] : [];
  return fc.oneof({ weight: 6, arbitrary: value }, ...nulls);
}

function plain(at: Description, known: Known): fc.Arbitrary<unknown> {
  const kind = at.metas?.at(-1);
  if (kind !== undefined) return ofKind(kind);
  const [match] = at.matches ?? [];
  if (match?.then !== undefined) return plain(match.then, known);
  switch (at.type) {
    case 'object':
    case 'component':
    case 'documented':
      return ofKeys(at.keys ?? {}, known);
    case 'array':
      return listed(at, known);
    case 'metadata':
      return fc.dictionary(textOf(1, 40).map(withoutControl), textOf(0, 200), { maxKeys: 4 });
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function ofKeys(keys: Record<string, Description>, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(keys).map(([key, child]) => [key, described(child, known, key)]));
  // What is known works best when it is there; mutations take it away often enough.
  const required = Object.entries(keys)
    .filter(([key, { flags }]) => flags?.presence === 'required' || known[key] !== undefined)
    .map(([key]) => key);
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true });
}

function listed({ items = [], rules = [] }: Description, known: Known): fc.Arbitrary<unknown> {
  const limit = (name: string, otherwise: number): number => rules.find((rule) => rule.name === name)?.args?.limit ?? otherwise;
  const [each = {}] = items;
  return fc.uniqueArray(described(each, known, ''), {
    minLength: limit('min', 0),
    maxLength: Math.min(4, limit('max', 4)),
    selector: (value) => JSON.stringify(value),
  });
}

function ofKind(kind: Kind): fc.Arbitrary<unknown> {
  switch (kind.kind) {
    case 'text':
      return textOf(kind.min, kind.max);
    case 'machineText':
      return textOf(kind.min, kind.max).map(withoutControl);
    case 'integer':
      return fc.oneof(fc.integer({ min: kind.min, max: Math.min(kind.max, kind.min + 20) }), fc.integer({ min: kind.min, max: kind.max }));
    case 'oneOf':
      return fc.constantFrom(...kind.values);
    case 'boolean':
      return fc.boolean();
    case 'like':
      return fc.stringMatching(new RegExp(kind.pattern));
    case 'email':
      return fc.constantFrom('ada@example.com', "o'hara@büro.example", 'a+b@c.example');
    case 'url':
    case 'webUrl':
      return fc.constantFrom('https://storage.example/a.jpg', 'https://images.example/%F0%9F%96%BC?x=1#y');
    case 'timestamp':
    case 'dayOrTimestamp':
      return fc
        .date({ min: new Date('2027-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
        .map((date) => date.toISOString());
    case 'selections':
      return fc.dictionary(fc.string(), fc.string(), { maxKeys: 4 });
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Mostly words, sometimes anything that can be stored. */
function textOf(min: number, max: number): fc.Arbitrary<string> {
  const length = { minLength: min, maxLength: Math.max(min, Math.min(max, 40)) };
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ ...length, unit: fc.constantFrom(...'abcdefghij KLMNO-_0123') }) },
    { weight: 1, arbitrary: fc.string({ ...length, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.string({ ...length, unit: 'binary' }).map((text) => text.replaceAll('\u0000', '0')) },
  );
}

/** Stands in JSON text for what JSON.stringify would not write: `"@@raw:01@@"` becomes `01`. */
const raw = (text: string): string => `@@raw:${text}@@`;
const RAW = [
  '1e400',
  '-0',
  '1E2',
  '0.1e-7',
  '9007199254740993',
  '123456789012345678901234567890',
  'NaN',
  'Infinity',
  '01',
  '-',
  '[',
  '"',
  'undefined',
].map(raw);

/** What stands where something else should. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    0.5,
    991,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    1e300,
    Number.MAX_SAFE_INTEGER,
    '',
    ' ',
    '0',
    '1',
    [],
    {},
    [[]],
    [null],
    ...RAW,
  ),
  fc.constantFrom<unknown>(
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\u202e',
    '\ufeff',
    '🖼'.repeat(300),
    '__proto__',
    'constructor',
    'toString',
    '../../secret',
    '%00',
    '${7*7}',
    "' OR 1=1 --",
    '"; DROP TABLE orders; --',
    '\\',
    '<script>',
  ),
  fc.constantFrom<unknown>(
    { $ne: null },
    { __proto__: { x: 1 } },
    JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
    { length: 1e9 },
    { toString: 1 },
    { toJSON: 1 },
  ),
  fc.constantFrom(100, 1000, 20_000, 100_000).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 40 }).map(nested),
  fc.constantFrom(100, 5000, 25_000).map((length): unknown => Array.from({ length }, () => 0)),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

type Tree = Record<string, unknown>;
interface Spot {
  parent: Tree;
  key: string;
}

function spotsOf(value: unknown): Spot[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [{ parent: value as Tree, key }, ...spotsOf(child)]);
}

/** Changes a tree in one place that `at` picks. */
type Mutation = (tree: unknown, at: number) => void;
const spot =
  (change: (spot: Spot) => void): Mutation =>
  (tree, at) => {
    const spots = spotsOf(tree);
    const chosen = spots[at % Math.max(1, spots.length)];
    if (chosen !== undefined) change(chosen);
  };

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: oddValue.map((value) => spot(({ parent, key }) => void (parent[key] = structuredClone(value)))) },
  { weight: 2, arbitrary: fc.constant(spot(({ parent, key }) => void delete parent[key])) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'id', 'a.b', '')), oddValue)
      .map(([name, value]) =>
        spot(
          ({ parent }) =>
            void Object.defineProperty(parent, name, {
              value: structuredClone(value),
              enumerable: true,
              configurable: true,
              writable: true,
            }),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      spot(({ parent, key }) => {
        parent[key.toUpperCase()] = parent[key];
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      spot(({ parent, key }) => {
        parent[key] = [parent[key]];
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      spot(({ parent, key }) => {
        parent[key] = JSON.stringify(parent[key]);
      }),
    ),
  },
);

/** JSON texts: of the value as it is, or changed in one to three places. */
export const jsonOf = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> => values.map(write);
export function mutatedJsonOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.tuple(values, fc.array(fc.tuple(mutation, fc.nat()), { minLength: 1, maxLength: 3 })).map(([value, mutations]) => {
    const copy: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
    for (const [change, at] of mutations) change(copy, at);
    return write(copy);
  });
}

const write = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(/"@@raw:((?:[^"\\@]|\\.)*)@@"/g, (_all, text: string) => JSON.parse(`"${text}"`) as string);

/** Text that was JSON: cut, doubled, with a key twice, with bytes that are none. */
export function brokenTextOf(texts: fc.Arbitrary<string>): fc.Arbitrary<string | Buffer> {
  return fc.tuple(texts, fc.nat(), fc.nat({ max: 7 })).map(([text, at, how]) => {
    const place = at % (text.length + 1);
    switch (how) {
      case 0:
        return text.slice(0, place);
      case 1:
        return `${text.slice(0, place)}\u0000${text.slice(place)}`;
      case 2:
        return Buffer.concat([Buffer.from(text.slice(0, place)), Buffer.from([0xff, 0xed, 0xa0, 0x80]), Buffer.from(text.slice(place))]);
      case 3:
        return `${text}${text}`;
      case 4:
        return text.replace(/\{"([^"]*)":/, '{"$1":null,"$1":');
      case 5:
        return `[${text}]`;
      case 6:
        return `\ufeff${text}`;
      default:
        return text.replaceAll('"', "'");
    }
  });
}
