import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { ConfigError, loadConfig } from '../../../src/config/config';
import { EncryptingCodec, type CodecKeys } from '../../../src/security/payload-codec';
import { TEST_SECRETS_KEY } from '../../support/secrets';

const SETTINGS = { NODE_ENV: 'test', SECRETS_KEY: TEST_SECRETS_KEY, DATABASE_URL: 'postgres://u:p@h/d' };

const newKeyText = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;
const [one, two] = [newKeyText('k1'), newKeyText('k2')];

function loadKeys(text: string): CodecKeys {
  const { codecKeys } = loadConfig({ ...SETTINGS, TEMPORAL_CODEC_KEY: text });
  if (codecKeys === null) throw new Error('no keys');
  return codecKeys;
}
const createCodec = (text: string) => new EncryptingCodec(loadKeys(text));
const value = { orderId: 'ord_1', note: 'Grüße 🖼' };
const plain = defaultPayloadConverter.toPayload(value);
const decodeFirst = ([payload]: Payload[]) => defaultPayloadConverter.fromPayload(payload as Payload);

describe('encrypted payloads of Temporal', () => {
  it.each([
    ['an object', value],
    ['nothing', undefined],
    ['null', null],
    ['bytes', new Uint8Array([0, 255, 1])],
    ['a long text', 'x'.repeat(100_000)],
  ])('%s is decrypted unchanged', async (_title, given) => {
    const payload = defaultPayloadConverter.toPayload(given);
    const sealed = await createCodec(one).encode([payload]);
    expect(Buffer.from(sealed[0]?.data ?? []).includes('ord_1')).toBe(false);
    expect(decodeFirst(await createCodec(one).decode(sealed))).toEqual(given);
  });

  it('the same payload encrypts to different bytes', async () => {
    const [first, second] = await createCodec(one).encode([plain, plain]);
    expect(Buffer.from(first?.data ?? []).equals(Buffer.from(second?.data ?? []))).toBe(false);
  });

  it('the first key encrypts, and all keys decrypt', async () => {
    const older = await createCodec(one).encode([plain]);
    const rotated = createCodec(`${two},${one}`);
    expect(decodeFirst(await rotated.decode(older))).toEqual(value);
    const newer = await rotated.encode([plain]);
    expect(decodeFirst(await createCodec(two).decode(newer))).toEqual(value);
    expect(await createCodec(one).decode(newer)).toEqual(newer);
  });

  it('plain in the first place encrypts nothing, and all keys decrypt', async () => {
    const leaving = createCodec(`plain,${one}`);
    expect(await leaving.encode([plain])).toEqual([plain]);
    expect(decodeFirst(await leaving.decode(await createCodec(one).encode([plain])))).toEqual(value);
  });

  it('plain payloads stay unchanged', async () => {
    expect(await createCodec(one).decode([plain, {}, { metadata: {}, data: Buffer.from('x') }])).toEqual([
      plain,
      {},
      { metadata: {}, data: Buffer.from('x') },
    ]);
  });

  it('unreadable payloads stay unchanged, without an error', async () => {
    const [sealed = {}] = await createCodec(one).encode([plain]);
    const data = Buffer.from(sealed.data ?? []);
    const flipped = Buffer.from(data);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    const sameIdOtherKey = createCodec(newKeyText('k1'));
    const broken: Payload[] = [
      ...[flipped, data.subarray(0, 20), data.subarray(0, 5), Buffer.alloc(0), randomBytes(200)].map((bytes) => ({
        ...sealed,
        data: bytes,
      })),
      { metadata: { ...sealed.metadata, 'encryption-key-id': Buffer.from('k9') }, data },
      { metadata: { encoding: Buffer.from('binary/encrypted') } as Payload['metadata'], data },
      { metadata: sealed.metadata } as Payload,
    ];
    expect(await createCodec(`${one},${two}`).decode(broken)).toEqual(broken);
    expect(await sameIdOtherKey.decode([sealed])).toEqual([sealed]);
  });
});

describe('TEMPORAL_CODEC_KEY', () => {
  const problems = (text: string): string[] => {
    try {
      loadKeys(text);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  };

  it('unset encrypts nothing', () => {
    expect(loadConfig({ ...SETTINGS }).codecKeys).toBeNull();
  });

  it.each([
    ['no id', one.slice(3)],
    ['no key', 'k1:'],
    ['a short key', `k1:${randomBytes(31).toString('base64url')}`],
    ['a long key', `k1:${randomBytes(33).toString('base64url')}`],
    ['hexadecimal', `k1:${randomBytes(32).toString('hex')}`],
    ['an id with other characters', one.replace('k1', 'k 1')],
  ])('%s is refused without showing the key', (_title, text) => {
    const found = problems(`${two},${text}`);
    expect(found).toEqual([expect.stringContaining('TEMPORAL_CODEC_KEY: key 2')]);
    expect(found.join()).not.toContain(text.split(':').at(-1) || 'nothing');
  });

  it('a duplicate id is refused', () => {
    expect(problems(`${one},${newKeyText('k1')}`)).toEqual([expect.stringContaining('repeats an id')]);
  });

  it('pages of the Web UI or of the given origins may send requests', () => {
    const origins = (env: Record<string, string>) => loadConfig({ ...SETTINGS, ...env }).codecOrigins;
    expect(origins({ TEMPORAL_UI_URL: 'https://temporal.example/ui' })).toEqual(['https://temporal.example']);
    expect(origins({ TEMPORAL_CODEC_ORIGINS: 'https://a.example,https://b.example' })).toEqual(['https://a.example', 'https://b.example']);
    expect(() => origins({ TEMPORAL_CODEC_ORIGINS: 'https://a.example/path' })).toThrow(/TEMPORAL_CODEC_ORIGINS.*not a valid origin/);
  });
});
