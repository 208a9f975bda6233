import { newId } from '../../../src/security/ids';
import { TemporalUnavailable } from '../../../src/temporal/breaker';
import { aLine, aQuote, aQuoteRequest, anAddress, uploadArtwork } from '../../support/baskets';
import type { Reply } from '../../support/client';
import { useSharedService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { quoteWorkflowId } from '../../../workflows/messages';
import { aTrader, anotherKey, expectValidationPaths, expectRefusal, countRows, sql, expectNothingStored, type Trader } from './support';

type Json = Record<string, any>;

describe('POST /quotes and GET /quotes/{id}', () => {
  const service = useSharedService({ worker: false });
  let trader: Trader;
  let good: Json;
  beforeEach(async () => {
    trader = await aTrader(service);
    good = (await aQuoteRequest(trader.trade)) as unknown as Json;
  });

  /** A copy of the valid request with the value at `path` replaced, or removed with undefined. */
  function withValue(path: string, value: unknown): Json {
    const copy = structuredClone(good);
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Json>((node, key) => node[key], copy);
    if (value === undefined) Reflect.deleteProperty(parent, last);
    else parent[last] = value;
    return copy;
  }
  const send = (body: unknown): Promise<Reply> => trader.trade.post('/quotes', body);
  const expectRefusedWithoutRows = (work: () => Promise<void>) => expectNothingStored(service, trader.accountId, work);

  describe('Validation', () => {
    it('names every offending path of the whole body at once', async () => {
      const wrong = {
        items: [
          { productSlug: '', quantity: '1', variantSelections: { a: 1, b: 'x' }, imageUrl: 'x', externalReference: 5 },
          { quantity: 1, variantSelections: {} },
        ],
        shippingAddress: { name: 1, email: 'x', country: null },
        rushTier: 'fast',
        whiteLabel: 'no',
        shippingMethodId: 7,
      };
      await expectRefusedWithoutRows(async () => {
        expectValidationPaths(await send(wrong), [
          'items.0.productSlug',
          'items.0.quantity',
          'items.0.variantSelections.a',
          'items.0.imageUrl',
          'items.0.externalReference',
          'items.1.productSlug',
          'shippingAddress.name',
          'shippingAddress.line1',
          'shippingAddress.city',
          'shippingAddress.state',
          'shippingAddress.postcode',
          'shippingAddress.country',
          'shippingAddress.email',
          'rushTier',
          'whiteLabel',
          'shippingMethodId',
        ]);
      });
    });

    it('schema issues are reported together with all other issues, and nothing is stored', async () => {
      const [line] = good.items;
      const { mediaId: _, ...selections } = line.variantSelections;
      const body = {
        ...good,
        items: [
          { ...line, quantity: '2', imageUrl: '\u0000' },
          { ...line, variantSelections: selections, imageUrl: null },
          { productSlug: 'print-and-mat', quantity: 990 },
          { ...line, imageUrl: 'https://elsewhere.example/' },
          'x',
          line,
        ],
        shippingAddress: { ...good.shippingAddress, email: 1, city: ' ', postcode: '1' },
      };
      await expectRefusedWithoutRows(async () => {
        const reply = await send(body);
        const at = (key: string) => `items.2.variantSelections.${key}`;
        expectRefusal(reply, 400, 'VALIDATION_ERROR', {
          paths: ['items.0.quantity', 'items.0.imageUrl', 'items.2.variantSelections', 'items.4', 'shippingAddress.email'],
          issues: expect.any(Array),
          others: expect.any(Array),
        });
        expect(reply.json.error?.message).toMatch(/; and 11 more issues$/);
        const others = reply.json.error?.details.others as Json[];
        const told = others.map(({ code, line: index, path }) => [code, index, path]);
        expect(told).toEqual([
          ['SHIPPING_ADDRESS_INCOMPLETE', null, 'shippingAddress.postcode'],
          ['SHIPPING_ADDRESS_INCOMPLETE', null, 'shippingAddress.city'],
          ['VALIDATION_ERROR', 1, 'items.1.variantSelections.mediaId'],
          ['ARTWORK_REQUIRED', 1, 'items.1.imageUrl'],
          ['INVALID_QUANTITY', 2, 'items.2.quantity'],
          ...['artworkWidthMm', 'artworkHeightMm', 'mediaId', 'matColorId'].map((key) => ['VALIDATION_ERROR', 2, at(key)]),
          ['ARTWORK_REQUIRED', 2, 'items.2.imageUrl'],
          ['ARTWORK_NOT_ALLOWED', 3, 'items.3.imageUrl'],
        ]);
      });
    });

    it('checks that depend on an invalid value are skipped', async () => {
      const [line] = good.items;
      const framed = {
        ...line.variantSelections,
        mouldingId: 'moulding-float-oak-15',
        glazingId: 'glazing-clear-glass-2',
        matColorId: 'mat-white',
        matSizeMm: '1',
      };
      const refused = (selections: object) =>
        send({ ...good, items: [{ ...line, productSlug: 'custom-framing', variantSelections: { ...framed, ...selections } }] });
      for (const [key, value] of Object.entries({ raisedFloat: true, qualityTierId: 7, matColorId: null, artworkWidthMm: 300 }))
        expectValidationPaths(await refused({ [key]: value }), [`items.0.variantSelections.${key}`]);
      expectRefusal(await refused({ matSizeMm: 1, backingId: 'none' }), 400, 'VALIDATION_ERROR', {
        paths: ['items.0.variantSelections.matSizeMm'],
        issues: expect.any(Array),
        others: [expect.objectContaining({ code: 'PRODUCT_UNAVAILABLE', path: 'items.0.variantSelections.backingId' })],
      });
    });
  });

  describe('Errors', () => {
    test.each([
      ['country', 'XX'],
      ['postcode', '300'],
    ])('an address with the %s "%s" is SHIPPING_ADDRESS_INCOMPLETE', async (field, value) => {
      await expectRefusedWithoutRows(async () =>
        expectRefusal(await send(withValue(`shippingAddress.${field}`, value)), 400, 'SHIPPING_ADDRESS_INCOMPLETE', {
          path: `shippingAddress.${field}`,
        }),
      );
    });

    test.each([
      ['state', '', 'must not be empty; send the city again if the country has no states'],
      ['postcode', '', 'must not be empty; send 00000 if the country has no postcodes'],
      ['country', 'UK', '"UK" is not an ISO 3166 alpha-2 code; send GB'],
      ['country', 'united kingdom ', 'send GB'],
      ['country', 'Australia', 'send AU'],
      ['country', 'XX', 'send one such as AU or NZ'],
      ['country', '', 'send one such as AU or NZ'],
    ])('the message for the %s "%s" says: %s', async (field, value, message) => {
      const reply = await send(withValue(`shippingAddress.${field}`, value));
      expect([reply.status, reply.json.error?.message]).toEqual([400, expect.stringContaining(message)]);
    });

    it('one space is accepted as a state and as a postcode abroad', async () => {
      const body = withValue('shippingAddress.state', ' ');
      body.shippingAddress = { ...body.shippingAddress, postcode: ' ', country: 'NZ' };
      const { code } = (await send(body)).json.error ?? {};
      expect(['SHIPPING_UNAVAILABLE', undefined]).toContain(code);
    });

    it('a country without a zone is SHIPPING_UNAVAILABLE with no options', async () => {
      await expectRefusedWithoutRows(async () => {
        expectRefusal(await send({ ...good, shippingAddress: anAddress({ country: 'AQ' }) }), 400, 'SHIPPING_UNAVAILABLE', {
          shippingOptions: [],
        });
      });
    });

    it('a lower-case country is accepted and stored in upper case', async () => {
      const quote = (await send(withValue('shippingAddress.country', 'au'))).json.data;
      expect(await sql(service, `SELECT shipping_address->>'country' AS country FROM quotes WHERE id = $1`, [quote.quoteId])).toEqual([
        { country: 'AU' },
      ]);
    });

    test.each<[string, string, unknown]>([
      ['INVALID_QUANTITY', 'items.0', { productSlug: 'custom-framing', quantity: 251, variantSelections: {} }],
      ['PRODUCT_UNSUPPORTED', 'items.0.productSlug', 'gift-card'],
      ['PRODUCT_UNAVAILABLE', 'items.0.variantSelections.mediaId', 'canvas-cotton-410'],
      ['ARTWORK_REQUIRED', 'items.0.imageUrl', null],
      ['ARTWORK_NOT_ALLOWED', 'items.0.imageUrl', 'https://storage.example/art.jpg'],
    ])('%s: %s = %j; the message names the line, nothing is stored', async (code, path, value) => {
      await expectRefusedWithoutRows(async () => {
        const reply = await send(withValue(path, value));
        expectRefusal(
          reply,
          400,
          code,
          expect.objectContaining({ line: 0, path: code === 'INVALID_QUANTITY' ? 'items.0.quantity' : path }),
        );
        expect(reply.json.error?.message).toContain('items.0');
      });
    });

    test.each<[string, string, Record<string, unknown>, string]>([
      ['an unknown paper', 'fine-art-printing', { mediaId: 'media-cotton-rag-300' }, 'mediaId'],
      [
        'another tier',
        'custom-framing',
        { mouldingId: 'moulding-oak-natural-20', glazingId: 'glazing-clear-glass-2', qualityTierId: 'tier-museum' },
        'glazingId',
      ],
    ])(
      'PRODUCT_UNAVAILABLE, %s: each of the alternatives in details gets a quote in its place',
      async (_name, productSlug, selections, key) => {
        const [line] = good.items;
        const basket = (change: object) => ({
          ...good,
          shippingMethodId: 'studio-collection',
          items: [line, { ...line, productSlug, variantSelections: { ...line.variantSelections, ...selections, ...change } }],
        });
        const reply = await send(basket({}));
        expectRefusal(reply, 400, 'PRODUCT_UNAVAILABLE', {
          line: 1,
          path: `items.1.variantSelections.${key}`,
          id: expect.any(String),
          alternatives: expect.any(Array),
        });
        const alternatives = reply.json.error?.details.alternatives as string[];
        expect(alternatives.length).toBeGreaterThan(0);
        expect(alternatives.length).toBeLessThanOrEqual(5);
        for (const id of alternatives) expect([id, (await send(basket({ [key]: id }))).status]).toEqual([id, 201]);
      },
    );

    it('a material withdrawn a moment ago is not an alternative', async () => {
      const unknown = withValue('items.0.variantSelections.mediaId', 'media-cotton-rag-300');
      const alternatives = async () => (await send(unknown)).json.error?.details.alternatives;
      expect(await alternatives()).toContain('media-cotton-rag-310');
      await sql(service, `UPDATE catalogue_rows SET withdrawn = true WHERE id = 'media-cotton-rag-310'`);
      try {
        expect(await alternatives()).not.toContain('media-cotton-rag-310');
      } finally {
        await sql(service, `UPDATE catalogue_rows SET withdrawn = false WHERE id = 'media-cotton-rag-310'`);
      }
    });

    it('MAT_BELOW_MINIMUM names the line', async () => {
      const line = aLine(good.items[0].imageUrl, {
        productSlug: 'print-and-mat',
        variantSelections: { ...good.items[0].variantSelections, matColorId: 'mat-white', matSizeMm: '1' },
      });
      await expectRefusedWithoutRows(async () =>
        expectRefusal(await send({ ...good, items: [line] }), 400, 'MAT_BELOW_MINIMUM', {
          line: 0,
          path: 'items.0.variantSelections.matSizeMm',
        }),
      );
    });

    it('matches artwork by the exact string', async () => {
      const changes: ((url: string) => string)[] = [
        (url) => `${url}?x=1`,
        (url) => `${url}/`,
        (url) => ` ${url}`,
        (url) => url.replace('http', 'HTTP'),
        (url) => url.replace('.jpg', '%2Ejpg'),
        (url) => url.replace(/\/([^/]*)$/, '/./$1'),
      ];
      await expectRefusedWithoutRows(async () => {
        for (const change of changes) {
          const body = withValue('items.0.imageUrl', change(good.items[0].imageUrl));
          expectRefusal(await send(body), 400, 'ARTWORK_NOT_ALLOWED', { line: 0, path: 'items.0.imageUrl' });
        }
      });
    });

    it("another account's upload is ARTWORK_NOT_ALLOWED; the own account's is fine from any key and environment", async () => {
      const other = await aTrader(service);
      const theirs = await uploadArtwork(other.trade);
      await expectRefusedWithoutRows(async () =>
        expectRefusal(await send(withValue('items.0.imageUrl', theirs)), 400, 'ARTWORK_NOT_ALLOWED', { line: 0, path: 'items.0.imageUrl' }),
      );
      expect((await service.trade(trader.liveKey).post('/quotes', good)).status).toBe(201);
      expect((await (await anotherKey(service, trader.accountId)).post('/quotes', good)).status).toBe(201);
    });

    it('the order of the checks: schema, address, lines in order, shipping', async () => {
      const steps: [(body: Json) => void, string][] = [
        [
          (body) => {
            body.items[0].quantity = 0;
          },
          'VALIDATION_ERROR',
        ],
        [
          (body) => {
            body.shippingAddress.country = 'XX';
          },
          'SHIPPING_ADDRESS_INCOMPLETE',
        ],
        [
          (body) => {
            body.items[0].productSlug = 'gift-card';
          },
          'PRODUCT_UNSUPPORTED',
        ],
        [
          (body) => {
            body.items[0] = { ...body.items[0], productSlug: 'custom-framing', quantity: 300 };
          },
          'INVALID_QUANTITY',
        ],
        [
          (body) => {
            body.items[0].variantSelections.artworkWidthMm = '0';
          },
          'VALIDATION_ERROR',
        ],
        [
          (body) => {
            body.items[0].variantSelections.mediaId = 'nothing';
          },
          'PRODUCT_UNAVAILABLE',
        ],
        [
          (body) => {
            body.items[0] = {
              ...body.items[0],
              productSlug: 'print-and-mat',
              variantSelections: { ...good.items[0].variantSelections, matColorId: 'mat-white', matSizeMm: '1' },
            };
          },
          'MAT_BELOW_MINIMUM',
        ],
        [
          (body) => {
            body.items[0].imageUrl = 'https://x.example/';
          },
          'ARTWORK_NOT_ALLOWED',
        ],
        [
          (body) => {
            body.items[1].productSlug = 'gift-card';
          },
          'PRODUCT_UNSUPPORTED',
        ],
        [
          (body) => {
            delete body.shippingMethodId;
          },
          'SHIPPING_UNAVAILABLE',
        ],
      ];
      const [line] = good.items;
      for (const [step, [, code]] of steps.entries()) {
        // With every later fault, unless it affects the same field.
        const body = structuredClone({ ...good, items: [line, structuredClone(line)] });
        for (const [spoil] of steps.slice(step).reverse()) spoil(body);
        const reply = await send(body);
        expect([step, reply.json.error?.code]).toEqual([step, code]);
        if (code !== 'SHIPPING_UNAVAILABLE') expect(reply.text).not.toContain('shippingOptions');
      }
    });
  });

  describe('Shipping discovery', () => {
    test.each<[string, unknown]>([
      ['omitted', undefined],
      ['unknown', 'pigeon'],
    ])('shippingMethodId %s: 400 SHIPPING_UNAVAILABLE with the options, and nothing is stored', async (_name, value) => {
      await expectRefusedWithoutRows(async () => {
        const reply = await send(withValue('shippingMethodId', value));
        expectRefusal(reply, 400, 'SHIPPING_UNAVAILABLE', { shippingOptions: expect.any(Array) });
        const shippingOptions = reply.json.error?.details.shippingOptions;
        expect(shippingOptions.length).toBeGreaterThan(1);
        for (const option of shippingOptions) {
          expect(option).toEqual({
            id: expect.any(String),
            name: expect.any(String),
            description: option.description === null ? null : expect.any(String),
            estimatedDelivery: expect.any(String),
            estimatedDeliveryDates: option.requiresQuote ? null : { earliest: expect.any(String), latest: expect.any(String) },
            isCollection: expect.any(Boolean),
            priceCents: expect.any(Number),
            requiresQuote: expect.any(Boolean),
          });
          expect(Number.isSafeInteger(option.priceCents)).toBe(true);
        }
      });
    });

    it("charges each option's priceCents as shippingCents", async () => {
      const shippingOptions = (await send(withValue('shippingMethodId', null))).json.error?.details.shippingOptions;
      const usable = shippingOptions.filter(({ requiresQuote }: Json) => !requiresQuote);
      expect(usable.length).toBeGreaterThan(0);
      for (const { id, priceCents } of usable) {
        expect((await send(withValue('shippingMethodId', id))).json.data).toMatchObject({ shippingMethod: id, shippingCents: priceCents });
      }
    });

    it('an option that requires a quote cannot be selected and gives the same error', async () => {
      const stretched = aLine(good.items[0].imageUrl, {
        productSlug: 'canvas-printing',
        variantSelections: {
          artworkWidthMm: '1000',
          artworkHeightMm: '3000',
          mediaId: 'canvas-cotton-410',
          format: 'stretched',
          depth: '30mm',
        },
      });
      const body = { ...good, items: [stretched], shippingAddress: anAddress({ country: 'DE', postcode: '10115' }) };
      const { details } = (await send({ ...body, shippingMethodId: null })).json.error ?? {};
      const freight = details.shippingOptions.find(({ requiresQuote }: Json) => requiresQuote);
      expect(freight).toBeDefined();
      await expectRefusedWithoutRows(async () => {
        expectRefusal(await send({ ...body, shippingMethodId: freight.id }), 400, 'SHIPPING_UNAVAILABLE', details);
      });
    });
  });

  describe('Success', () => {
    const QUOTE_FIELDS = [
      'quoteId',
      'currency',
      'environment',
      'pricingVersion',
      'expiresAt',
      'consumedAt',
      'reference',
      'lines',
      'subtotalCents',
      'shippingCents',
      'shippingMethod',
      'discountCents',
      'discountReason',
      'discountLabel',
      'rushFeeCents',
      'promisedReadyDate',
      'estimatedDeliveryDates',
      'totalCents',
      'gstCents',
      'metadata',
    ];

    it('returns 201 with exactly the fields of a Quote, which adds up and reads the same', async () => {
      const reply = await send(good);
      expect(reply.status).toBe(201);
      const quote = reply.json.data;
      expect(Object.keys(quote).sort()).toEqual([...QUOTE_FIELDS].sort());
      expect(quote).toMatchObject({
        quoteId: expect.stringMatching(/^quo_[0-9a-f]+$/),
        environment: 'test',
        consumedAt: null,
        currency: 'AUD',
        rushFeeCents: 0,
        promisedReadyDate: null,
      });
      expect(quote.quoteId.length).toBeLessThanOrEqual(64);
      expect(quote.totalCents).toBe(quote.subtotalCents - quote.discountCents + quote.shippingCents + quote.rushFeeCents);
      expect((await trader.trade.get(`/quotes/${quote.quoteId}`)).text).toBe(reply.text);
    });

    it('expires exactly 24 hours after it was stored', async () => {
      const { quoteId, expiresAt } = (await send(good)).json.data;
      const [stored] = await sql<{ created_at: Date; expires_at: Date }>(
        service,
        'SELECT created_at, expires_at FROM quotes WHERE id = $1',
        [quoteId],
      );
      expect((stored?.expires_at.getTime() ?? 0) - (stored?.created_at.getTime() ?? 0)).toBe(24 * 60 * 60 * 1000);
      expect(expiresAt).toBe(stored?.expires_at.toISOString());
    });

    it('text is stored and returned unchanged, including blanks', async () => {
      const reference = '  ünï 🖼 ';
      const address = anAddress({ name: ' Ada ', line2: '', company: null, phone: ' 1 ', state: ' ' });
      const quote = (await send({ ...good, items: [{ ...good.items[0], externalReference: reference }], shippingAddress: address })).json
        .data;
      expect(quote.lines[0].externalReference).toBe(reference);
      expect(await sql(service, 'SELECT shipping_address AS address FROM quotes WHERE id = $1', [quote.quoteId])).toEqual([{ address }]);
    });

    it.each<[unknown, string | null]>([
      [undefined, null],
      [null, null],
      ['', ''],
    ])('externalReference %j is returned as %j', async (sent, read) => {
      expect((await send(withValue('items.0.externalReference', sent))).json.data.lines[0].externalReference).toBe(read);
    });

    it.each<[unknown, boolean]>([
      [undefined, true],
      [true, true],
      [false, false],
    ])('whiteLabel %j is stored as %j', async (sent, stored) => {
      const { quoteId } = (await send(withValue('whiteLabel', sent))).json.data;
      expect(await sql(service, 'SELECT white_label FROM quotes WHERE id = $1', [quoteId])).toEqual([{ white_label: stored }]);
    });

    it('standard equals unset; express carries a fee and a promised calendar date', async () => {
      const readFigures = async (rushTier?: string) => {
        const { quoteId: _id, expiresAt: _at, ...rest } = (await send(withValue('rushTier', rushTier))).json.data;
        return rest;
      };
      expect(await readFigures('standard')).toEqual(await readFigures());
      const express = await readFigures('express');
      expect(express.rushFeeCents).toBeGreaterThan(0);
      expect(express.promisedReadyDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    });

    it('critical is accepted while the studio has it switched on', async () => {
      await sql(service, `UPDATE settings SET value = 'true' WHERE name = 'criticalRushEnabled'`);
      try {
        expect((await send(withValue('rushTier', 'critical'))).json.data.rushFeeCents).toBeGreaterThan(0);
      } finally {
        await sql(service, `UPDATE settings SET value = 'false' WHERE name = 'criticalRushEnabled'`);
      }
      expectValidationPaths(await send(withValue('rushTier', 'critical')), ['rushTier']);
    });

    it('a material withdrawn a moment ago is refused at once', async () => {
      expect((await send(good)).status).toBe(201);
      await sql(service, `UPDATE catalogue_rows SET withdrawn = true WHERE id = 'media-cotton-rag-310'`);
      try {
        expectRefusal(
          await send(good),
          400,
          'PRODUCT_UNAVAILABLE',
          expect.objectContaining({ id: 'media-cotton-rag-310', alternatives: expect.any(Array) }),
        );
      } finally {
        await sql(service, `UPDATE catalogue_rows SET withdrawn = false WHERE id = 'media-cotton-rag-310'`);
      }
    });

    it('an expired quote can still be read', async () => {
      const quote = (await send(good)).json.data;
      await sql(service, `UPDATE quotes SET expires_at = now() - interval '1 day' WHERE id = $1`, [quote.quoteId]);
      const read = await trader.trade.get(`/quotes/${quote.quoteId}`);
      expect([read.status, read.json.data.consumedAt]).toEqual([200, null]);
    });

    it('a quote records the environment of its key, and is 404 to the other, to other accounts and when unknown', async () => {
      const live = service.trade(trader.liveKey);
      const [mine, other] = [await aQuote(trader.trade), await aQuote(live)];
      expect([mine.environment, other.environment]).toEqual(['test', 'live']);
      expectRefusal(await live.get(`/quotes/${mine.quoteId}`), 404, 'NOT_FOUND');
      expectRefusal(await trader.trade.get(`/quotes/${other.quoteId}`), 404, 'NOT_FOUND');
      expectRefusal(await (await aTrader(service)).trade.get(`/quotes/${mine.quoteId}`), 404, 'NOT_FOUND');
      expectRefusal(await trader.trade.get(`/quotes/${newId('quo')}`), 404, 'NOT_FOUND');
      expect((await (await anotherKey(service, trader.accountId)).get(`/quotes/${mine.quoteId}`)).json.data).toEqual(mine);
    });

    it('has a timer, also if the first start is unanswered', async () => {
      const { quotes, runs } = service.deps.temporal;
      const startTimer = quotes.startTimer.bind(quotes);
      const tried = new Set<string>();
      const starts = jest.spyOn(quotes, 'startTimer').mockImplementation(async (...given) => {
        if (tried.has(given[0])) return startTimer(...given);
        tried.add(given[0]);
        throw new TemporalUnavailable();
      });
      try {
        const { quoteId } = await aQuote(trader.trade);
        await waitFor('its timer', () => runs.isRunning(quoteWorkflowId(quoteId)));
        expect(starts.mock.calls.filter(([id]) => id === quoteId)).toHaveLength(2);
      } finally {
        starts.mockRestore();
      }
    });

    it('the quote is stored even if no worker runs its hold', async () => {
      const quote = await aQuote(trader.trade);
      expect((await trader.trade.get(`/quotes/${quote.quoteId}`)).status).toBe(200);
      expect(await countRows(service, trader.accountId)).toMatchObject({ quotes: 1 });
    });
  });
});
