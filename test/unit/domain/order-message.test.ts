import fc from 'fast-check';
import { comparedContent, messageContent, messageKey, MILESTONE_TYPES, type OrderMessage } from '../../../src/domain/order-messages';
import { PARCEL_FIELDS } from '../../../src/domain/order-messages/parcel-added';
import { describeIssues, milestoneIssues, readSignal, toOrderMessage, withNameReferences } from '../../../src/domain/order-messages/read';
import { propertyRuns } from '../../support/property-runs';

const parseMessage = (input: unknown): OrderMessage => {
  const result = readSignal(input);
  if ('issues' in result) throw new Error(describeIssues(result.issues));
  return result.message;
};
const describeProblem = (input: unknown): string => {
  const result = readSignal(input);
  return 'issues' in result ? describeIssues(result.issues) : 'none';
};

describe('reading an external message', () => {
  it.each(MILESTONE_TYPES.filter((type) => type !== 'artwork_rejected'))('%s needs an id and nothing else', (type) => {
    expect(parseMessage({ milestoneId: 'm1', type })).toEqual({ milestoneId: 'm1', type, note: null, occurredAt: null });
  });

  it('keeps the reason of a hold and drops it from other milestones', () => {
    const held = { milestoneId: 'm1', type: 'held', reason: 'which paper?' };
    expect(parseMessage(held)).toEqual({ ...held, note: null, occurredAt: null });
    expect(parseMessage({ ...held, type: 'printed' })).not.toHaveProperty('reason');
    expect(describeProblem({ ...held, reason: 'x'.repeat(501) })).toMatch(/^reason must have at most 500/);
    expect(milestoneIssues({ ...held, type: 'printed' })).toEqual([{ path: 'reason', message: 'is not a field of the milestone printed' }]);
  });

  it('completed takes the name of the person who collected the order, but a signal must not contain it', () => {
    const collected = { milestoneId: 'm1', type: 'completed', signedBy: 'Ada Moreau' } as const;
    expect(milestoneIssues(collected)).toEqual([]);
    expect(milestoneIssues({ ...collected, signedBy: 'x'.repeat(101) })).toMatchObject([{ path: 'signedBy' }]);
    expect(milestoneIssues({ ...collected, type: 'printed' })).toMatchObject([{ path: 'signedBy' }]);
    expect(describeProblem(collected)).toMatch(/^signedBy must not be sent by signal/);
    for (const signedBy of ['', '  ', 'P-10041', 'BADGE-7K3M9QTX2A', 'Ada\nMoreau'])
      expect(milestoneIssues({ ...collected, signedBy })).toMatchObject([{ path: 'signedBy' }]);
    expect(withNameReferences(toOrderMessage(collected), 'msg_1')).toMatchObject({ type: 'completed', signedBy: 'msg_1' });
  });

  it('rejected artwork has a line and a reason', () => {
    const rejected = { milestoneId: 'm1', type: 'artwork_rejected', line: 0, reason: 'cut off' };
    expect(parseMessage(rejected)).toEqual({ ...rejected, note: null, occurredAt: null });
    expect(describeProblem({ ...rejected, line: 200, reason: '' })).toMatch(/^line must be .* from 0 to 199.*; reason must/);
    expect(describeProblem({ milestoneId: 'm1', type: 'artwork_rejected' })).toMatch(/^line .*; reason /);
  });

  it.each(['printed', 'framed', 'checked', 'ready'] as const)('%s may name its lines', (type) => {
    const sent = { milestoneId: 'm1', type, lines: [3, 0, 199] };
    expect(parseMessage(sent)).toEqual({ ...sent, lines: [0, 3, 199], note: null, occurredAt: null });
    expect(parseMessage({ ...sent, lines: null })).not.toHaveProperty('lines');
    for (const lines of [[], 0, '0', {}, [200], [-1], [0.5], ['0'], [null], [1, 1], Array.from({ length: 201 }, (_, line) => line)])
      expect(describeProblem({ ...sent, lines })).toMatch(/^lines /);
  });

  it('another milestone has no lines', () => {
    expect(milestoneIssues({ milestoneId: 'm1', type: 'held', lines: [0] })).toEqual([
      { path: 'lines', message: 'is not a field of the milestone held' },
    ]);
  });

  it('accepts line breaks and tabs in a note', () => {
    expect(parseMessage({ milestoneId: 'm1', type: 'held', note: 'two\n\tlines' })).toMatchObject({ note: 'two\n\tlines' });
  });

  it('drops unknown fields and converts times to UTC', () => {
    expect(
      parseMessage({
        milestoneId: 'm1',
        type: 'parcel_added',
        parcelId: 'p',
        trackingNumber: 't',
        shippedAt: '2026-03-01T09:00:00+10:00',
        colour: 'red',
      }),
    ).toEqual({
      milestoneId: 'm1',
      type: 'parcel_added',
      parcelId: 'p',
      trackingNumber: 't',
      carrier: null,
      trackingUrl: null,
      shippedAt: '2026-02-28T23:00:00.000Z',
      note: null,
      occurredAt: null,
    });
  });

  it('a floor system may reverse a payment without a reason, as before', () => {
    const sent = { milestoneId: 'm1', type: 'payment_reversed', paymentId: 'p' };
    expect(parseMessage(sent)).toEqual({ ...sent, note: null, occurredAt: null });
    expect(parseMessage({ ...sent, reason: 'bounced' })).toMatchObject({ reason: 'bounced' });
  });

  it.each<[string, unknown, RegExp]>([
    ['undefined', undefined, /must be an object/],
    ['null', null, /must be an object/],
    ['a list', [], /must be an object/],
    ['a text', 'x', /must be an object/],
    ['no id', { type: 'printed' }, /milestoneId must be a string of 1 to 200/],
    ['an empty id', { milestoneId: '', type: 'printed' }, /milestoneId/],
    ['an id of 201 characters', { milestoneId: 'x'.repeat(201), type: 'printed' }, /milestoneId/],
    ['an id that cannot become text', { milestoneId: { toString: null }, type: 'printed' }, /milestoneId must be a string/],
    ['a type that only the API sends', { type: 'corrected', corrects: 'm', reason: 'r' }, /type must be one of/],
    ['a number as id', { milestoneId: 7, type: 'printed' }, /milestoneId/],
    ['no type', { milestoneId: 'm' }, /type must be one of/],
    ['an inherited name as type', { milestoneId: 'm', type: 'toString' }, /type must be one of/],
    ['a NUL', { milestoneId: 'm', type: 'printed', note: 'a\u0000' }, /note/],
    ['a tab in an id', { milestoneId: 'm\t', type: 'printed' }, /milestoneId must not contain control characters.*U\+0009/],
    [
      'a tab in a tracking number',
      { type: 'parcel_added', parcelId: 'p', trackingNumber: 't\t' },
      /trackingNumber must not contain control/,
    ],
    [
      'an order number as tracking number',
      { type: 'parcel_added', parcelId: 'p', trackingNumber: 'P-10001' },
      /trackingNumber must be the carrier's .* scan the carrier's label/,
    ],
    [
      "a remake's number in small letters as tracking number",
      { type: 'parcel_added', parcelId: 'p', trackingNumber: ' t-10001-r2 ' },
      /trackingNumber must be the carrier's/,
    ],
    ['a blank tracking number', { type: 'parcel_added', parcelId: 'p', trackingNumber: ' \u00a0' }, /trackingNumber must not be blank/],
    ['a blank reason', { milestoneId: 'm', type: 'artwork_rejected', line: 0, reason: '\n ' }, /reason must not be blank/],
    ['a C1 control in a carrier', { type: 'parcel_added', parcelId: 'p', trackingNumber: 't', carrier: '\u009f' }, /carrier .*U\+009F/],
    ['a line break in a parcel id', { type: 'parcel_added', parcelId: 'p\n', trackingNumber: 't' }, /parcelId .*U\+000A/],
    [
      'a line separator in a reference',
      { type: 'payment_recorded', paymentId: 'p', amountCents: 1, reference: '\u2028' },
      /reference .*U\+2028/,
    ],
    ['DEL in a payment id', { type: 'payment_recorded', paymentId: 'p\u007f', amountCents: 1 }, /paymentId .*U\+007F/],
    ['a lone surrogate', { milestoneId: 'm', type: 'printed', note: '\udc00' }, /note/],
    ['a date without time', { milestoneId: 'm', type: 'printed', occurredAt: '2026-03-01' }, /occurredAt/],
    ['an invalid day', { milestoneId: 'm', type: 'printed', occurredAt: '2026-13-01T00:00:00Z' }, /occurredAt/],
    ['the year 0', { milestoneId: 'm', type: 'printed', occurredAt: '0000-06-01T00:00:00Z' }, /occurredAt/],
    ['the year 0 in UTC', { milestoneId: 'm', type: 'printed', occurredAt: '0001-01-01T00:00:00+23:59' }, /occurredAt/],
    ['the year 10000 in UTC', { milestoneId: 'm', type: 'printed', occurredAt: '9999-12-31T23:59:59-00:01' }, /occurredAt/],
    ['no parcel', { milestoneId: 'm', type: 'parcel_voided' }, /parcelId/],
    [
      'no list of lines',
      { type: 'parcel_added', parcelId: 'p', trackingNumber: 't', lines: { line: 0, quantity: 1 } },
      /lines must be a list/,
    ],
    ['no lines', { type: 'parcel_added', parcelId: 'p', trackingNumber: 't', lines: [] }, /lines must be a list of 1 to 200/],
    ['an invalid line', { type: 'parcel_added', parcelId: 'p', trackingNumber: 't', lines: [7] }, /entry 0 is not an object/],
    [
      'a line below 0',
      { type: 'parcel_added', parcelId: 'p', trackingNumber: 't', lines: [{ line: -1, quantity: 1 }] },
      /entry 0: line must be a whole number from 0/,
    ],
    [
      'zero pieces of a line',
      { type: 'parcel_added', parcelId: 'p', trackingNumber: 't', lines: [{ line: 0, quantity: 0 }] },
      /entry 0: quantity must be a whole number from 1/,
    ],
    [
      'a line twice',
      {
        type: 'parcel_added',
        parcelId: 'p',
        trackingNumber: 't',
        lines: [
          { line: 0, quantity: 1 },
          { line: 0, quantity: 2 },
        ],
      },
      /lines must list each line once/,
    ],
    ['no cents', { milestoneId: 'm', type: 'payment_recorded', paymentId: 'p' }, /amountCents/],
    ['cents as text', { milestoneId: 'm', type: 'payment_recorded', paymentId: 'p', amountCents: '5' }, /amountCents/],
    ['0 cents', { milestoneId: 'm', type: 'payment_recorded', paymentId: 'p', amountCents: 0 }, /amountCents/],
    ['half a cent', { milestoneId: 'm', type: 'payment_recorded', paymentId: 'p', amountCents: 0.5 }, /amountCents/],
    ['more cents than can be counted', { milestoneId: 'm', type: 'payment_recorded', paymentId: 'p', amountCents: 2 ** 53 }, /amountCents/],
  ])('%s is refused with a remedy', (_title, input, reason) => {
    expect(describeProblem(input)).toMatch(reason);
  });

  it.each(['TEST-P-10001-1', 'P-10001X', 'P10001', 'XP-10001', 'P-10001-2'])('%s is a tracking number', (trackingNumber) => {
    expect(parseMessage({ type: 'parcel_added', parcelId: 'p', trackingNumber })).toMatchObject({ trackingNumber });
  });

  it('reports every issue at once', () => {
    expect(describeProblem({ type: 'parcel_added', milestoneId: 7 })).toMatch(/milestoneId.*parcelId.*trackingNumber/);
  });

  it('any input is read or refused without throwing, and reading the result again gives the same message', () => {
    const almost = fc.record(
      {
        milestoneId: fc.oneof(fc.string(), fc.anything()),
        type: fc.oneof(
          fc.constantFrom(...MILESTONE_TYPES, 'parcel_added', 'parcel_voided', 'payment_recorded', 'payment_reversed'),
          fc.anything(),
        ),
        parcelId: fc.oneof(fc.string(), fc.anything()),
        trackingNumber: fc.string(),
        paymentId: fc.string(),
        amountCents: fc.oneof(fc.nat(), fc.anything()),
        occurredAt: fc.oneof(
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
          fc.anything(),
        ),
        note: fc.oneof(fc.string(), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), almost), (input) => {
        const result = readSignal(input);
        if ('issues' in result) expect(describeIssues(result.issues)).not.toBe('');
        else expect(readSignal(result.message)).toEqual(result);
      }),
      propertyRuns(1000),
    );
  });
});

describe('the content compared under an id', () => {
  it('does not depend on the sender, the order of fields, or omitted fields', () => {
    const content = messageContent(parseMessage({ milestoneId: 'a', type: 'printed', note: 'x', actor: 'floor' }));
    expect(messageContent(parseMessage({ note: 'x', actor: 'signal', type: 'printed', milestoneId: 'a', occurredAt: null }))).toBe(content);
  });

  it.each([{ type: 'held' }, { note: 'y' }, { occurredAt: '2026-03-01T09:00:00Z' }])('differs with %j', (change) => {
    const base = { milestoneId: 'a', type: 'printed', note: 'x' };
    expect(messageContent(parseMessage({ ...base, ...change }))).not.toBe(messageContent(parseMessage(base)));
  });

  it('of a parcel excludes its channel, milestone id and note', () => {
    const parcel = { type: 'parcel_added', parcelId: 'box-1', trackingNumber: 'AP-1' };
    const bySignal = parseMessage({ ...parcel, milestoneId: 'floor-77', note: 'heavy', occurredAt: '2026-03-01T09:00:00Z', carrier: '' });
    expect([messageKey(bySignal), comparedContent(bySignal)]).toEqual([
      messageKey(parseMessage(parcel)),
      comparedContent(parseMessage(parcel)),
    ]);
    expect(comparedContent(parseMessage({ ...parcel, trackingNumber: 'AP-2' }))).not.toBe(comparedContent(bySignal));
  });

  it('of a parcel without pieces is unchanged from earlier versions', () => {
    const parcel = { type: 'parcel_added', parcelId: 'p', trackingNumber: 't' };
    const before =
      '{"carrier":null,"note":null,"occurredAt":null,"parcelId":"p","shippedAt":null,"trackingNumber":"t","trackingUrl":null,"type":"parcel_added"}';
    expect([messageContent(parseMessage(parcel)), messageContent(parseMessage({ ...parcel, lines: null }))]).toEqual([before, before]);
  });

  it('of a parcel includes its pieces, in any order of lines', () => {
    const contentOfLines = (lines: unknown) =>
      comparedContent(parseMessage({ type: 'parcel_added', parcelId: 'p', trackingNumber: 't', lines }));
    const [first, second] = [
      { line: 0, quantity: 2 },
      { line: 1, quantity: 1 },
    ];
    expect(contentOfLines([second, { ...first, colour: 'red' }])).toBe(contentOfLines([first, second]));
    expect(new Set([contentOfLines(undefined), contentOfLines([first]), contentOfLines([{ ...first, quantity: 1 }])]).size).toBe(3);
  });

  it.each(['parcel:', 'parcel-void:', 'payment:', 'payment-reversal:', 'cancel:', 'correct:', 'advance:'])(
    'the prefix %s is reserved for the service',
    (prefix) => {
      for (const message of [
        { type: 'held' },
        { type: 'parcel_added', parcelId: 'p', trackingNumber: 't' },
        { type: 'payment_reversed', paymentId: 'p', reason: 'bounced' },
      ]) {
        expect(describeProblem({ ...message, milestoneId: `${prefix}x` })).toMatch(/milestoneId must not begin with/);
      }
    },
  );
});

describe('a tracking URL', () => {
  const isValidUrl = (url: string) => PARCEL_FIELDS.trackingUrl.issue(url) === null;
  it.each([
    'https://track.example/AP-1',
    'http://x:80',
    'HTTPS://B\u00fccher.example/?q=1#f',
    'https://[2001:db8::1]/x',
    'https://a_b.example./',
  ])('%s is accepted', (url) => expect(isValidUrl(url)).toBe(true));
  it.each([
    'https://a b',
    'https://a/ b',
    'https://a/\tb',
    'https://u:p@h/',
    'javascript:alert(1)',
    'https://',
    'https:///x',
    'http://x:65536',
    'x',
    'https://a/"><script>',
    'https://-a/',
    ' https://a',
  ])('%s is refused', (url) => expect(isValidUrl(url)).toBe(false));
});
