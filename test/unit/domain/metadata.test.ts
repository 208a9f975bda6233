import { metadataIssue } from '../../../src/domain/metadata';

const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, '']));

it.each<[string, unknown]>([
  ['nothing', {}],
  ['20 entries', entries(20)],
  ['a key of 40 and a value of 200 characters, counted as code points', { ['🖼'.repeat(40)]: '🖼'.repeat(200) }],
  ['a line break in a value', { note: 'one\ntwo' }],
  ['a key of the object prototype', { constructor: 'a', toString: 'b' }],
])('metadata may be %s', (_what, value) => {
  expect(metadataIssue(value)).toBeNull();
});

it.each<[string, unknown, string]>([
  ['a string', 'a', 'must be an object whose values are strings'],
  ['a list', ['a'], 'must be an object whose values are strings'],
  ['21 entries', entries(21), 'must have at most 20 entries, it has 21'],
  ['a value of 201 characters', { a: 'x'.repeat(201) }, 'has an entry "a" that must have at most 200 characters, it has 201'],
  ['a number', { a: 1 }, 'has an entry "a" that must be a string of at most 200 characters'],
  ['null in an entry', { a: null }, 'has an entry "a" that must be a string of at most 200 characters'],
  ['U+0000', { a: '\0' }, 'has an entry "a" that must not contain U+0000 or lone surrogates'],
  ['an empty key', { '': 'a' }, 'has a key that must have 1 to 40 characters, it has 0'],
  ['a key of 41 characters', { ['k'.repeat(41)]: 'a' }, 'has a key that must have 1 to 40 characters, it has 41'],
  ['__proto__', JSON.parse('{"__proto__":"a"}'), 'must not have the key "__proto__" or "(__proto__)"; choose another'],
  ['__proto__ as the body reader renames it', { '(__proto__)': 'a' }, 'must not have the key "__proto__" or "(__proto__)"; choose another'],
  ['a key with a line break', { 'a\n': 'a' }, 'has a key that must not contain control characters or line breaks; it contains U+000A'],
])('metadata with %s is refused, and the issue says what works', (_what, value, issue) => {
  expect(metadataIssue(value)).toBe(issue);
});
