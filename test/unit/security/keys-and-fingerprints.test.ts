import fc from 'fast-check';
import { canonicalJson } from '../../../src/domain/canonical-json';
import { isIdentifier } from '../../../src/domain/identifiers';
import { bearerCredential, hashKey, newApiKey, newStudioToken } from '../../../src/security/api-keys';
import { requestFingerprint, equalInConstantTime, sha256, hmacTag } from '../../../src/security/fingerprint';
import { newId, newSecret } from '../../../src/security/ids';
import { propertyRuns } from '../../support/property-runs';

describe('API keys', () => {
  test.each(['live', 'test'] as const)('a %s key is its prefix and 64 hexadecimal characters, and is unique', (environment) => {
    const keys = Array.from({ length: 100 }, () => newApiKey(environment));
    for (const key of keys) expect(key).toMatch(new RegExp(`^lpk_${environment}_[0-9a-f]{64}$`));
    expect(new Set(keys).size).toBe(100);
  });

  it('a studio token is lps_ and 64 hexadecimal characters', () => {
    expect(newStudioToken()).toMatch(/^lps_[0-9a-f]{64}$/);
  });

  it('the stored hash is SHA-256 of the exact text', () => {
    expect(hashKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hashKey('ABC').equals(hashKey('abc'))).toBe(false);
  });

  test.each<[string | undefined, string | null]>([
    ['Bearer k', 'k'],
    ['bearer k', 'k'],
    ['BEARER k', 'k'],
    ['Bearer   k', 'k'],
    ['Bearer K-k_9', 'K-k_9'],
    [undefined, null],
    ['', null],
    ['Bearer', null],
    ['Bearer ', null],
    ['k', null],
    ['Basic k', null],
    ['Bearer k k', null],
    ['Bearer k ', null],
    [' Bearer k', null],
    ['Bearer\tk', null],
    ['Bearer k\n', null],
    ['Bearer ké', null],
    [`Bearer ${'k'.repeat(201)}`, null],
    ['Bearerk', null],
    ['xBearer k', null],
  ])('reads the credential of %j as %j', (header, credential) => {
    expect(bearerCredential(header)).toBe(credential);
  });
});

describe('Identifiers', () => {
  it('are their prefix and lowercase hex, have at most 64 characters, and are unique', () => {
    for (const prefix of ['quo', 'ord', 'upl', 'evt'] as const) {
      const ids = Array.from({ length: 100 }, () => newId(prefix));
      expect(new Set(ids).size).toBe(100);
      for (const id of ids) {
        expect(id).toMatch(new RegExp(`^${prefix}_[0-9a-f]+$`));
        expect(id.length).toBeLessThanOrEqual(64);
        expect(isIdentifier(prefix, id)).toBe(true);
      }
    }
    expect(newSecret()).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, boolean]>([
    ['quo_0', true],
    [`quo_${'f'.repeat(60)}`, true],
    [`quo_${'f'.repeat(61)}`, false],
    ['quo_', false],
    ['quo', false],
    ['', false],
    ['ord_0', false],
    ['quo_A', false],
    ['QUO_0', false],
    ['quo_g', false],
    ['quo_0 ', false],
    ['quo_0\n', false],
    [' quo_0', false],
    ['quo_0\u0000', false],
    ['quo__0', false],
    ['quo_０', false],
  ])('%j as a quote id: %j', (text, expected) => {
    expect(isIdentifier('quo', text)).toBe(expected);
  });
});

describe('Canonical JSON and the fingerprint of a body', () => {
  type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
  const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

  /** The same data with the keys of every object reordered by `swap`. */
  function shuffled(value: Json, swap: (keys: string[]) => string[]): Json {
    if (Array.isArray(value)) return value.map((item) => shuffled(item, swap));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(swap(Object.keys(value)).map((key) => [key, shuffled(value[key] as Json, swap)]));
  }

  it('key order does not matter at any depth', () => {
    fc.assert(
      fc.property(json, fc.integer(), (value, seed) => {
        const swap = (keys: string[]) => [...keys].sort((a, b) => sha256(`${seed}${a}`).localeCompare(sha256(`${seed}${b}`)));
        expect(canonicalJson(shuffled(value, swap))).toBe(canonicalJson(value));
        expect(requestFingerprint('test', 'POST /orders', JSON.stringify(shuffled(value, swap)))).toBe(
          requestFingerprint('test', 'POST /orders', JSON.stringify(value)),
        );
      }),
      propertyRuns(100),
    );
  });

  it('parses to the same value', () => {
    fc.assert(
      fc.property(json, (value) => expect(JSON.parse(canonicalJson(value))).toEqual(value)),
      propertyRuns(100),
    );
  });

  it('different values have different texts', () => {
    fc.assert(
      fc.property(json, json, (one, two) => {
        const same = canonicalJson(one) === canonicalJson(two);
        // -0 is 0 in JSON.
        expect(same).toBe(JSON.stringify(shuffled(one, (keys) => keys.sort())) === JSON.stringify(shuffled(two, (keys) => keys.sort())));
      }),
      propertyRuns(100),
    );
  });

  it('undefined values are dropped like absent ones, and null is kept', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (object) => {
        expect(canonicalJson({ ...object, dropped: undefined })).toBe(
          canonicalJson(Object.fromEntries(Object.entries(object).filter(([key]) => key !== 'dropped'))),
        );
        expect(canonicalJson({ ...object, kept: null })).not.toBe(canonicalJson({ ...object, kept: undefined }));
      }),
      propertyRuns(100),
    );
  });

  it('array order matters', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 2 }), (items) => {
        expect(canonicalJson([...items].reverse())).not.toBe(canonicalJson(items));
      }),
      propertyRuns(100),
    );
  });

  it('the environment is part of the fingerprint', () => {
    fc.assert(
      fc.property(json, (value) =>
        expect(requestFingerprint('test', 'POST /orders', JSON.stringify(value))).not.toBe(
          requestFingerprint('live', 'POST /orders', JSON.stringify(value)),
        ),
      ),
      propertyRuns(100),
    );
  });

  test.each<[unknown, string]>([
    [{ b: 1, a: { d: [3, { f: 1, e: 2 }], c: null } }, '{"a":{"c":null,"d":[3,{"e":2,"f":1}]},"b":1}'],
    [{ 10: 'x', 9: 'y', a: 'z' }, '{"10":"x","9":"y","a":"z"}'],
    [{ é: 1, z: 2 }, '{"z":2,"é":1}'],
    ['"\u2028', '"\\"\u2028"'],
    [[], '[]'],
    [{}, '{}'],
    [1e21, '1e+21'],
  ])('%j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe('Tags', () => {
  it('differ for different texts and secrets', () => {
    expect(hmacTag('a', 's')).toMatch(/^[0-9a-f]{32}$/);
    expect(equalInConstantTime(hmacTag('a', 's'), hmacTag('a', 's'))).toBe(true);
    for (const other of [hmacTag('b', 's'), hmacTag('a', 't'), '', hmacTag('a', 's').slice(1), `${hmacTag('a', 's')}0`, 'é'.repeat(16)])
      expect(equalInConstantTime(other, hmacTag('a', 's'))).toBe(false);
  });
});
