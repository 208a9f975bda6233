import { SecretBox, UnreadableSecretError } from '../../../src/security/secret-box';
import { newSecretsKey, readSecretsKeys } from '../../../src/security/secrets-keys';

const [older, newer] = [newSecretsKey('2026a'), newSecretsKey('2026b')];
const boxOf = (...keys: string[]): SecretBox => new SecretBox(readSecretsKeys(keys.join(',')).keys);
const OWNER = 'webhook-endpoint/whe_1';
const SECRET = `lpw_${'5e'.repeat(32)}`;

describe('a secret at rest', () => {
  it('is a compact JWE that names its key and its owner, and does not show the secret', async () => {
    const stored = await boxOf(newer, older).seal(OWNER, SECRET);
    const [header = '', none] = stored.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM', kid: '2026b', sub: OWNER });
    expect([none, stored.includes(SECRET), Buffer.from(stored, 'base64url').includes('5e5e')]).toEqual(['', false, false]);
  });

  it('is never stored as the same text twice', async () => {
    const box = boxOf(newer);
    expect(await box.seal(OWNER, SECRET)).not.toBe(await box.seal(OWNER, SECRET));
  });

  it('is decrypted with any of the keys', async () => {
    const stored = await boxOf(older).seal(OWNER, SECRET);
    for (const box of [boxOf(older), boxOf(newer, older), boxOf(older, newer)]) expect(await box.open(OWNER, stored)).toBe(SECRET);
  });

  it('is not decrypted for another owner, also after decryption for its own', async () => {
    const box = boxOf(newer);
    const stored = await box.seal(OWNER, SECRET);
    expect(await box.open(OWNER, stored)).toBe(SECRET);
    await expect(box.open('webhook-endpoint/whe_2', stored)).rejects.toThrow(
      'the secret of webhook-endpoint/whe_2 was encrypted for another owner',
    );
  });

  it.each([0, 2, 3, 4])('is not decrypted after a change of part %i', async (part) => {
    const box = boxOf(newer);
    const parts = (await box.seal(OWNER, SECRET)).split('.');
    if (part === 0)
      parts[0] = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: '2026b', sub: 'webhook-endpoint/whe_2' })).toString(
        'base64url',
      );
    else parts[part] = `${parts[part]?.startsWith('A') ? 'B' : 'A'}${parts[part]?.slice(1)}`;
    for (const owner of [OWNER, 'webhook-endpoint/whe_2'])
      await expect(box.open(owner, parts.join('.'))).rejects.toThrow(UnreadableSecretError);
  });

  it('names a missing key, and reports a different key with the same id', async () => {
    const stored = await boxOf(older).seal(OWNER, SECRET);
    await expect(boxOf(newer).open(OWNER, stored)).rejects.toThrow('encrypted with the key 2026a, which SECRETS_KEY does not contain');
    await expect(boxOf(newSecretsKey('2026a')).open(OWNER, stored)).rejects.toThrow('the key 2026a of SECRETS_KEY cannot decrypt');
  });

  it('from before encryption is read unchanged', async () => {
    for (const plain of [SECRET, 'ab'.repeat(32)]) expect(await boxOf(newer).open(OWNER, plain)).toBe(plain);
  });

  it('moves to the current key, and then stays unchanged', async () => {
    const box = boxOf(newer, older);
    for (const stored of [await boxOf(older).seal(OWNER, SECRET), SECRET]) {
      const moved = await box.reseal(OWNER, stored);
      expect(await boxOf(newer).open(OWNER, moved)).toBe(SECRET);
      expect(await box.reseal(OWNER, moved)).toBe(moved);
    }
  });

  it('is cached by its stored text, and more secrets than the cache holds are still decrypted correctly', async () => {
    const box = boxOf(newer);
    const stored = await Promise.all(Array.from({ length: 10_050 }, (_, index) => box.seal(`o/${index}`, `secret ${index}`)));
    for (const round of [1, 2]) {
      const opened = await Promise.all(stored.map((each, index) => box.open(`o/${index}`, each)));
      expect([round, opened.filter((each, index) => each !== `secret ${index}`)]).toEqual([round, []]);
    }
  });
});

describe('SECRETS_KEY', () => {
  it('is one key or several with unique ids', () => {
    expect(readSecretsKeys(`${newer}, ${older}`)).toEqual({
      problems: [],
      keys: [
        { id: '2026b', key: expect.any(Buffer) },
        { id: '2026a', key: expect.any(Buffer) },
      ],
    });
  });

  it.each([
    ['a key without an id', older.slice(6), 'part 1 is not a key'],
    ['an id without a key', '2026a:', 'part 1 is not a key'],
    ['a key in hexadecimal', `2026a:${'ab'.repeat(32)}`, 'the key 2026a is not 32 bytes long'],
    ['a short key', `${newer},2026a:c2hvcnQ`, 'the key 2026a is not 32 bytes long'],
    ['a duplicate id', `${older},${newSecretsKey('2026a')}`, 'two keys with the id 2026a'],
    ['an extra comma', `${older},`, 'part 2 is not a key'],
  ])('refuses %s without repeating it', (_name, text, problem) => {
    const { problems } = readSecretsKeys(text);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    for (const part of text.split(/[,:]/).filter((each) => each.length > 6)) expect(problems.join()).not.toContain(part);
  });
});
