import { createHmac } from 'node:crypto';
import { webhooks, WebhookVerificationError, type WebhookEvent, type WebhookVerdict } from '@trade-print/client';
import fc from 'fast-check';
import vectors from '../../../docs/guides/webhook-vectors.json';
import { rejectionOf } from './support';
import { propertyRuns } from '../../support/property-runs';

const SECRET = vectors.sign[0]?.secrets[0] ?? '';
const OTHER_SECRET = `lpw_${'f'.repeat(64)}`;
const NOW = new Date(1_790_000_000_000);

const verdictText = (verdict: WebhookVerdict): string => (verdict.ok ? 'ok' : verdict.reason);

async function check(signature: unknown, { rawBody = '{}', secrets = SECRET as string | string[] } = {}): Promise<string> {
  return verdictText(await webhooks.check(rawBody, { 'service-signature': signature as string }, secrets, { now: NOW }));
}

describe('check', () => {
  it.each(vectors.verify)('vector: $name gives $expect', async ({ secret, rawBody, signature, nowSeconds, expect: expected }) => {
    const late = { now: new Date(nowSeconds * 1000 + 999) };
    const headers = { 'service-signature': signature };
    expect(verdictText(await webhooks.check(rawBody, headers, secret, late))).toBe(expected);
    expect(verdictText(await webhooks.check(Buffer.from(rawBody), headers, secret, late))).toBe(expected);
    expect(verdictText(await webhooks.check(new Uint8Array(Buffer.from(rawBody)).buffer, headers, secret, late))).toBe(expected);
  });

  it.each(vectors.sign)('signed vector: $name', async ({ secrets, timestampSeconds, rawBody, signature }) => {
    const now = new Date(timestampSeconds * 1000);
    for (const secret of secrets) {
      expect(await webhooks.check(rawBody, { 'service-signature': signature }, secret, { now })).toEqual({
        ok: true,
        timestamp: timestampSeconds,
      });
    }
  });

  it.each([
    ["in Node's format", { 'service-signature': vectors.verify[0]?.signature }],
    ['with their usual capitals', { 'Service-Signature': vectors.verify[0]?.signature }],
    ['with a list for each, as in headersDistinct', { 'service-signature': [vectors.verify[0]?.signature ?? ''] }],
    ['in the format of fetch', new Headers({ 'Service-Signature': vectors.verify[0]?.signature ?? '' })],
  ])('reads headers %s', async (_form, headers) => {
    expect(verdictText(await webhooks.check(vectors.verify[0]?.rawBody ?? '', headers, SECRET, { now: NOW }))).toBe('ok');
  });

  it("uses the machine's clock and five minutes by default", async () => {
    const { rawBody, headers } = await webhooks.sign({ type: 'ping', data: {} }, SECRET);
    expect(await webhooks.check(rawBody, headers, SECRET)).toMatchObject({ ok: true });
    const old = await webhooks.sign({ type: 'ping', data: {} }, SECRET, { now: new Date(Date.now() - 20_000) });
    expect(await webhooks.check(old.rawBody, old.headers, SECRET)).toMatchObject({ ok: true });
    expect(await webhooks.check(old.rawBody, old.headers, SECRET, { toleranceSeconds: 10 })).toEqual({
      ok: false,
      reason: 'timestamp_too_old',
    });
  });

  it('checks the signature before the time', async () => {
    expect(await check(`t=1,v1=${'0'.repeat(64)}`)).toBe('wrong_signature');
  });

  it.each([[undefined], [['t=1,v1=a', 't=1,v1=b']], [`t=1,${'v1=a,'.repeat(100_000)}`]])(
    'rejects a missing, repeated or endless header as bad',
    async (signature) => {
      expect(await check(signature)).toBe('bad_header');
    },
  );

  it('throws without a secret or with a parsed body, because both are errors in the receiver', async () => {
    expect(await rejectionOf(check('t=1,v1=a', { secrets: '' }))).toBeInstanceOf(TypeError);
    expect(await rejectionOf(check('t=1,v1=a', { secrets: [] }))).toBeInstanceOf(TypeError);
    expect(await rejectionOf(check('t=1,v1=a', { rawBody: {} as string }))).toBeInstanceOf(TypeError);
  });

  it.each<[string, object]>([
    ['a tolerance that is not a number', { toleranceSeconds: NaN }],
    ['a tolerance in words', { toleranceSeconds: 'abc' }],
    ['a tolerance as text', { toleranceSeconds: '300' }],
    ['a tolerance of null', { toleranceSeconds: null }],
    ['a tolerance below zero', { toleranceSeconds: -1 }],
    ['an endless tolerance', { toleranceSeconds: Infinity }],
    ['an invalid clock', { now: new Date('x') }],
    ['a clock that is a number', { now: NOW.getTime() }],
    ['no clock', { now: null }],
  ])('throws for %s, because a request of any age would pass', async (_what, options) => {
    const { rawBody, headers } = await webhooks.sign({ type: 'ping', data: {} }, SECRET, { now: new Date(0) });
    for (const call of [webhooks.check, webhooks.verify])
      for (const given of [headers, {}]) expect(await rejectionOf(call(rawBody, given, SECRET, options))).toBeInstanceOf(TypeError);
  });

  it('accepts a tolerance of zero', async () => {
    const { rawBody, headers } = await webhooks.sign({ type: 'ping', data: {} }, SECRET, { now: NOW });
    const checkAt = (ms: number) => webhooks.check(rawBody, headers, SECRET, { toleranceSeconds: 0, now: new Date(NOW.getTime() + ms) });
    expect([await checkAt(0), await checkAt(1_000)].map(verdictText)).toEqual(['ok', 'timestamp_too_old']);
  });

  it.each([[undefined], [null]])('treats headers that are %s as missing', async (headers) => {
    expect(verdictText(await webhooks.check('{}', headers as never, SECRET))).toBe('bad_header');
    expect(await rejectionOf(webhooks.verify('{}', headers as never, SECRET))).toMatchObject({ reason: 'bad_header' });
  });

  it('refuses any header without throwing', async () => {
    const piece = fc.oneof(
      fc.constantFrom('t=', 'v1=', ',', '=', ' ', 't=1', 't=1790000000', `v1=${'a'.repeat(64)}`, `v1=${'é'.repeat(64)}`, '\0', '-1', 'NaN'),
      fc.string({ unit: 'binary' }),
    );
    const header = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(header, async (signature) => {
        expect(await check(signature)).not.toBe('ok');
      }),
      propertyRuns(500),
    );
  });
});

describe('verify', () => {
  const order = { orderId: 'ord_1', orderNumber: 'T-10001', status: 'shipped', shipments: [{ trackingNumber: 'CC-1' }] };

  /** A receiver's handling of an event. Each `case` compiles with the type of its `data`. */
  function describeEvent(event: WebhookEvent): string {
    switch (event.type) {
      case 'order.shipped':
        return `${event.data.orderNumber} ${event.data.shipments.map(({ trackingNumber }) => trackingNumber).join()}`;
      case 'ping':
        return event.data.endpointId;
      case 'order.received':
      case 'order.in_production':
      case 'order.on_hold':
      case 'order.completed':
      case 'order.cancelled':
        return event.data.status;
      default: {
        const later: unknown = event.data;
        return `${event.type} ${JSON.stringify(later)}`;
      }
    }
  }

  it.each([
    ['an order', { type: 'order.shipped', data: order }, 'T-10001 CC-1'],
    ['a ping', { type: 'ping', data: { endpointId: 'whe_1' } }, 'whe_1'],
    ['an unknown type', { type: 'order.from_the_future', data: { a: 1 } }, 'order.from_the_future {"a":1}'],
  ])('returns the signed event of %s', async (_what, event, expected) => {
    const { rawBody, headers } = await webhooks.sign(event, SECRET);
    const verified = await webhooks.verify(Buffer.from(rawBody), headers, SECRET);
    expect(describeEvent(verified)).toBe(expected);
    expect(verified).toMatchObject({ id: headers['service-event-id'], apiVersion: 'v1', environment: 'test', sequence: 1 });
  });

  it.each([
    ['wrong_signature', OTHER_SECRET, NOW],
    ['timestamp_too_old', SECRET, new Date(NOW.getTime() + 301_000)],
    ['timestamp_in_future', SECRET, new Date(NOW.getTime() - 301_000)],
  ])('throws with the reason %s', async (reason, secret, now) => {
    const { rawBody, headers } = await webhooks.sign({ type: 'order.shipped', data: order }, SECRET, { now: NOW });
    const error = await rejectionOf(webhooks.verify(rawBody, headers, secret, { now }));
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ name: 'WebhookVerificationError', reason });
  });

  it('throws with bad_header, and with not_an_event for a signed body that is not an event', async () => {
    expect(await rejectionOf(webhooks.verify('{}', {}, SECRET))).toMatchObject({ reason: 'bad_header' });
    const { rawBody, signature = '' } = vectors.verify.find(({ name }) => name === 'an empty body') ?? {};
    const headers = { 'service-signature': signature };
    expect(await rejectionOf(webhooks.verify(rawBody ?? '', headers, SECRET, { now: NOW }))).toMatchObject({ reason: 'not_an_event' });
  });

  it('accepts several secrets during a rotation, on either side', async () => {
    const event = { type: 'order.shipped', data: order };
    const one = await webhooks.sign(event, SECRET);
    expect(await webhooks.verify(one.rawBody, one.headers, [OTHER_SECRET, SECRET])).toMatchObject(event);
    const both = await webhooks.sign(event, [OTHER_SECRET, SECRET]);
    for (const secret of [OTHER_SECRET, SECRET]) expect(await webhooks.verify(both.rawBody, both.headers, secret)).toMatchObject(event);
  });
});

describe('sign', () => {
  it('keeps the given fields of an event, and fills in the rest', async () => {
    const { rawBody } = await webhooks.sign({ id: 'evt_9', type: 'order.shipped', sequence: 4, data: { orderId: 'ord_1' } }, SECRET, {
      now: NOW,
    });
    expect(JSON.parse(rawBody)).toEqual({
      id: 'evt_9',
      type: 'order.shipped',
      createdAt: NOW.toISOString(),
      environment: 'test',
      apiVersion: 'v1',
      sequence: 4,
      data: { orderId: 'ord_1' },
    });
  });

  it('has the headers that the service sends, also those of Standard Webhooks', async () => {
    const { rawBody, headers } = await webhooks.sign({ id: 'evt_9', type: 'ping', data: {} }, [OTHER_SECRET, SECRET], { now: NOW });
    const mac = (secret: string, text: string, form: 'hex' | 'base64') => createHmac('sha256', secret).update(text).digest(form);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Service-Print-API-Webhooks/1',
      'service-signature': `t=1790000000,${[OTHER_SECRET, SECRET].map((secret) => `v1=${mac(secret, `1790000000.${rawBody}`, 'hex')}`).join(',')}`,
      'service-event-id': 'evt_9',
      'service-event-type': 'ping',
      'webhook-id': 'evt_9',
      'webhook-timestamp': '1790000000',
      'webhook-signature': [OTHER_SECRET, SECRET].map((secret) => `v1,${mac(secret, `evt_9.1790000000.${rawBody}`, 'base64')}`).join(' '),
    });
  });

  it('throws without a secret, and for an invalid clock', async () => {
    const event = { type: 'ping', data: {} };
    for (const secrets of ['', [], [SECRET, '']]) expect(await rejectionOf(webhooks.sign(event, secrets))).toBeInstanceOf(TypeError);
    expect(await rejectionOf(webhooks.sign(event, SECRET, { now: new Date('x') }))).toBeInstanceOf(TypeError);
  });
});
