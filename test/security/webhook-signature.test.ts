import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import vectors from '../../docs/webhook-vectors.json';
import { verifyWebhook, type WebhookVerdict } from '../../src/client';
import { newWebhookSecret, signStandardWebhook, signWebhook, standardSecret } from '../../src/security/webhook-signature';

const SECRET = vectors.sign[0]?.secrets[0] ?? '';

/** HMAC-SHA256 written out from RFC 2104, so that the vectors are not checked by what made them. */
function hmacSha256(key: string, message: Buffer): string {
  const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
  const bytes = Buffer.byteLength(key) > 64 ? sha256(Buffer.from(key)) : Buffer.from(key);
  const padded = Buffer.concat([bytes, Buffer.alloc(64 - bytes.length)]);
  const pad = (value: number): Buffer => padded.map((byte) => byte ^ value) as Buffer;
  return sha256(pad(0x5c), sha256(pad(0x36), message)).toString('hex');
}

function wordOf(verdict: WebhookVerdict): string {
  return verdict.ok ? 'ok' : verdict.reason;
}

describe('signWebhook', () => {
  it.each(vectors.sign)('vector: $name', ({ secrets, timestampSeconds, rawBody, signature }) => {
    expect(signWebhook({ secrets, timestampSeconds, rawBody })).toBe(signature);
    expect(signWebhook({ secrets, timestampSeconds, rawBody: Buffer.from(rawBody) })).toBe(signature);
  });

  it.each(vectors.sign)('vector by an independent HMAC: $name', ({ secrets, timestampSeconds, rawBody, signature }) => {
    const macs = secrets.map((secret) => `v1=${hmacSha256(secret, Buffer.from(`${timestampSeconds}.${rawBody}`))}`);
    expect([`t=${timestampSeconds}`, ...macs].join(',')).toBe(signature);
  });

  it('signs bytes that are no UTF-8 as they are', () => {
    const rawBody = Buffer.from([0xff, 0x00, 0xfe]);
    const expected = hmacSha256(SECRET, Buffer.concat([Buffer.from('7.'), rawBody]));
    expect(signWebhook({ secrets: [SECRET], timestampSeconds: 7, rawBody })).toBe(`t=7,v1=${expected}`);
  });

  it.each([
    ['no secret', { secrets: [], timestampSeconds: 1 }],
    ['an empty secret', { secrets: [SECRET, ''], timestampSeconds: 1 }],
    ['milliseconds with a fraction', { secrets: [SECRET], timestampSeconds: 1.5 }],
    ['no time', { secrets: [SECRET], timestampSeconds: Number.NaN }],
  ])('refuses %s', (_title, input) => {
    expect(() => signWebhook({ ...input, rawBody: '{}' })).toThrow(RangeError);
  });

  it('gives each endpoint a secret of 256 random bits', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const secret of secrets) expect(secret).toMatch(/^lpw_[0-9a-f]{64}$/);
    expect(new Set(secrets).size).toBe(50);
  });
});

describe('signStandardWebhook', () => {
  it.each(vectors.standard)('vector: $name', ({ id, secrets, standardSecrets, timestampSeconds, rawBody, signature }) => {
    expect(signStandardWebhook(id, { secrets, timestampSeconds, rawBody: Buffer.from(rawBody) })).toBe(signature);
    expect(secrets.map(standardSecret)).toEqual(standardSecrets);
  });

  it.each(vectors.standard)('vector by the public package: $name', ({ id, standardSecrets, timestampSeconds, rawBody, signature }) => {
    const at = new Date(timestampSeconds * 1000);
    expect(standardSecrets.map((secret) => new Webhook(secret).sign(id, at, rawBody)).join(' ')).toBe(signature);
  });
});

describe('verifyWebhook', () => {
  it.each(vectors.verify)('vector: $name gives $expect', ({ secret, rawBody, signature, nowSeconds, expect: expected }) => {
    expect(wordOf(verifyWebhook({ secret, rawBody, signature, nowMs: nowSeconds * 1000 + 999 }))).toBe(expected);
    expect(wordOf(verifyWebhook({ secret, rawBody: Buffer.from(rawBody), signature, nowMs: nowSeconds * 1000 }))).toBe(expected);
  });

  it('says when the request was signed', () => {
    const signature = signWebhook({ secrets: [SECRET], timestampSeconds: 1_790_000_000, rawBody: '{}' });
    expect(verifyWebhook({ rawBody: '{}', signature, secret: SECRET, nowMs: 1_790_000_000_000 })).toEqual({
      ok: true,
      timestamp: 1_790_000_000,
    });
  });

  it("goes by the machine's clock unless told otherwise", () => {
    const signature = signWebhook({ secrets: [SECRET], timestampSeconds: Math.floor(Date.now() / 1000), rawBody: '{}' });
    expect(verifyWebhook({ rawBody: '{}', signature, secret: SECRET }).ok).toBe(true);
  });

  it('takes another tolerance', () => {
    const signature = signWebhook({ secrets: [SECRET], timestampSeconds: 1000, rawBody: '{}' });
    expect(wordOf(verifyWebhook({ rawBody: '{}', signature, secret: SECRET, toleranceSeconds: 10, nowMs: 1_011_000 }))).toBe(
      'timestamp_too_old',
    );
  });

  it('says nothing about the time of a request that is not ours', () => {
    const signature = `t=1,v1=${'0'.repeat(64)}`;
    expect(wordOf(verifyWebhook({ rawBody: '{}', signature, secret: SECRET }))).toBe('wrong_signature');
  });

  it.each([[undefined], [['t=1,v1=a', 't=1,v1=b']]])('takes a header that is missing or repeated as bad: %j', (signature) => {
    expect(wordOf(verifyWebhook({ rawBody: '{}', signature, secret: SECRET }))).toBe('bad_header');
  });

  it('is not kept busy by an endless header', () => {
    expect(wordOf(verifyWebhook({ rawBody: '{}', signature: `t=1,${'v1=a,'.repeat(100_000)}`, secret: SECRET }))).toBe('bad_header');
  });

  it('throws for an empty secret, or for a parsed body: both are mistakes in the receiver', () => {
    const parsed = JSON.parse('{}') as string;
    expect(() => verifyWebhook({ rawBody: '{}', signature: 't=1,v1=a', secret: '' })).toThrow(TypeError);
    expect(() => verifyWebhook({ rawBody: parsed, signature: 't=1,v1=a', secret: SECRET })).toThrow(TypeError);
  });

  it('answers any header with a refusal, and never throws', () => {
    const piece = fc.oneof(
      fc.constantFrom('t=', 'v1=', ',', '=', ' ', 't=1', 't=1790000000', `v1=${'a'.repeat(64)}`, `v1=${'é'.repeat(64)}`, '\0', '-1', 'NaN'),
      fc.string({ unit: 'binary' }),
    );
    const header = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(header, (signature) => {
        expect(verifyWebhook({ rawBody: '{}', signature, secret: SECRET, nowMs: 1_790_000_000_000 }).ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('takes whatever was signed, and nothing with a bit changed', () => {
    const body = fc.uint8Array({ minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 0, max: 4_000_000_000 }), (bytes, position, timestampSeconds) => {
        const rawBody = Buffer.from(bytes);
        const signature = signWebhook({ secrets: [SECRET], timestampSeconds, rawBody });
        const nowMs = timestampSeconds * 1000;
        expect(verifyWebhook({ rawBody, signature, secret: SECRET, nowMs }).ok).toBe(true);
        const index = position % rawBody.length;
        rawBody.writeUInt8(rawBody.readUInt8(index) ^ (1 << (position % 8)), index);
        expect(wordOf(verifyWebhook({ rawBody, signature, secret: SECRET, nowMs }))).toBe('wrong_signature');
      }),
    );
  });
});
