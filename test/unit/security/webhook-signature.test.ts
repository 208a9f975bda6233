import { createHash } from 'node:crypto';
import { webhooks } from '@trade-print/client';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import vectors from '../../../docs/guides/webhook-vectors.json';
import { newWebhookSecret, signStandardWebhook, signWebhook, standardSecret } from '../../../src/security/webhook-signature';
import { propertyRuns } from '../../support/property-runs';

const SECRET = vectors.sign[0]?.secrets[0] ?? '';

/** HMAC-SHA256 by RFC 2104, independent of the code that made the vectors. */
function hmacSha256(key: string, message: Buffer): string {
  const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
  const bytes = Buffer.byteLength(key) > 64 ? sha256(Buffer.from(key)) : Buffer.from(key);
  const padded = Buffer.concat([bytes, Buffer.alloc(64 - bytes.length)]);
  const pad = (value: number): Buffer => padded.map((byte) => byte ^ value) as Buffer;
  return sha256(pad(0x5c), sha256(pad(0x36), message)).toString('hex');
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

  it('signs bytes that are not UTF-8 unchanged', () => {
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

it('the client package accepts every signed body, and refuses it with any bit changed', async () => {
  const body = fc.uint8Array({ minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(body, fc.nat(), fc.integer({ min: 0, max: 4_000_000_000 }), async (bytes, position, timestampSeconds) => {
      const rawBody = Buffer.from(bytes);
      const headers = { 'Service-Signature': signWebhook({ secrets: [SECRET], timestampSeconds, rawBody }) };
      const now = new Date(timestampSeconds * 1000);
      expect(await webhooks.check(rawBody, headers, SECRET, { now })).toEqual({ ok: true, timestamp: timestampSeconds });
      const index = position % rawBody.length;
      rawBody.writeUInt8(rawBody.readUInt8(index) ^ (1 << (position % 8)), index);
      expect(await webhooks.check(rawBody, headers, SECRET, { now })).toEqual({ ok: false, reason: 'wrong_signature' });
    }),
    propertyRuns(100),
  );
});
