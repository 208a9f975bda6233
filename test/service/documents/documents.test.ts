import { request } from 'undici';
import { storeInspection } from '../../../src/db/repositories/inspections';
import { MAX_PRINTED_ENTRIES } from '../../../src/documents/statement';
import { aKey, anAccount } from '../../support/accounts';
import { aLine, anAddress, anOrder, uploadArtwork } from '../../support/baskets';
import type { Reply } from '../../support/client';
import { useFixture, useSharedService } from '../../support/fixtures';
import { aToken, OrderFactory, sendMilestone } from '../http/studio/support';
import { PdfReader } from './support';

const STUDIO = {
  name: 'Long & Post Studio',
  abn: '51 824 753 556',
  address: '4 Press Lane\nBrunswick VIC 3056',
  bank: 'BSB 063-000, 1041 2214',
};
/** One pixel. */
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const INJECTED = '#eval("1+1") *bold* $x$ <b>';

describe('documents', () => {
  const service = useSharedService();
  const reader = useFixture(
    async () => new PdfReader(),
    (opened) => opened.close(),
  );
  const tokens = useFixture(async () => ({ floor: await aToken(service, 'floor'), office: await aToken(service, 'office') }));
  const studio = useFixture(() => service.studio(tokens.office));
  let picture: string;
  beforeAll(async () => {
    await studio.send('PATCH', '/settings', { studio: STUDIO });
    const trade = service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
    picture = await uploadArtwork(trade);
  });

  async function requestPdf(target: string, role: keyof typeof tokens = 'office') {
    const url = `http://127.0.0.1:${service.api.studioPort}/studio/v1${target}`;
    const reply = await request(url, { headers: { authorization: `Bearer ${tokens[role]}` } });
    return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
  }
  async function readPdfText(target: string, role: keyof typeof tokens = 'office'): Promise<string> {
    const { status, bytes } = await requestPdf(target, role);
    if (status !== 200) throw new Error(`${target}: ${status} ${bytes.toString()}`);
    return (await reader.textOf(bytes)).join(' ');
  }
  const placeOrder = (traits: Record<string, unknown> = {}, instructions?: string) =>
    new OrderFactory(service, 'live', { items: [aLine(picture)], ...traits }).place(
      instructions === undefined ? {} : { specialInstructions: instructions },
    );

  describe('Access and refusals', () => {
    it.each(['/invoices/INV-10001.pdf', '/credit-notes/CN-10001.pdf', '/accounts/acc_00/statement.pdf'])(
      '%s requires the office role',
      async (target) => {
        expect((await requestPdf(target, 'floor')).status).toBe(403);
      },
    );
    it.each([
      '/orders/ord_00/job-sheet.pdf',
      '/orders/P-1/packing-slip.pdf',
      '/invoices/INV-1.pdf',
      '/invoices/x.pdf',
      '/credit-notes/CN-1.pdf',
      '/accounts/acc_00/statement.pdf',
    ])('%s is 404 in the envelope', async (target) => {
      const { status, headers, bytes } = await requestPdf(target);
      expect([status, headers['content-type'], JSON.parse(bytes.toString()).error.code]).toEqual([
        404,
        'application/json; charset=utf-8',
        'NOT_FOUND',
      ]);
    });
    it('an unknown or voided parcel and an unknown parameter are refused', async () => {
      const { orderId } = await placeOrder();
      await studio.post(`/orders/${orderId}/parcels`, { parcelId: 'p1', trackingNumber: 'T1' });
      await studio.send('DELETE', `/orders/${orderId}/parcels/p1`);
      const refused = async (query: string) => (await requestPdf(`/orders/${orderId}/packing-slip.pdf?${query}`)).status;
      expect([await refused('parcelId=p1'), await refused('parcelId=p2'), await refused('parcelId='), await refused('parcel=p1')]).toEqual([
        404, 404, 400, 400,
      ]);
    });
  });

  /** Outside of the live statement. @returns its number */
  const placeTestOrder = async (to: Record<string, unknown>): Promise<string> =>
    (await new OrderFactory(service, 'test', { shippingAddress: anAddress(to) }).place()).orderNumber;
  it.each([
    [{ country: 'de', city: 'Dresden', state: ' ', postcode: '01067' }, '12 Hanging Lane 01067 Dresden Germany'],
    [{ country: 'GB', city: 'London', state: ' ', postcode: 'NW1 6XE' }, '12 Hanging Lane London NW1 6XE United Kingdom'],
    [{ country: 'SG', city: 'Singapore', state: ' ', postcode: '560123', line2: '#07-01' }, 'Lane #07-01 Singapore 560123 Singapore'],
    [
      { country: 'JP', name: '山田太郎', line1: '丸の内1-2-3', city: '千代田区', state: '東京都', postcode: '100-0005' },
      '〒100-0005 東京都千代田区 丸の内1-2-3 山田太郎 Japan',
    ],
  ])('packing slip and job sheet have an address in the order of its country: %j', async (to, printed) => {
    const number = await placeTestOrder(to);
    for (const name of ['packing-slip', 'job-sheet'])
      expect((await readPdfText(`/orders/${number}/${name}.pdf`)).replaceAll(' ', '')).toContain(printed.replaceAll(' ', ''));
  });
  it('an address in Hebrew is printed whole, with its country', async () => {
    const to = { country: 'DE', name: 'דנה לוי', line1: 'שדרות רוטשילד 12', city: 'תל אביב', state: ' ', postcode: '6688112' };
    const number = await placeTestOrder(to);
    const text = await readPdfText(`/orders/${number}/packing-slip.pdf`);
    for (const letter of Object.values(to).slice(1).join('').replaceAll(' ', '')) expect(text).toContain(letter);
    expect(text).toMatch(/6688112.*Germany/);
  });
  it('an address at home has no name of the country', async () => {
    const text = await readPdfText(`/orders/${await placeTestOrder({})}/packing-slip.pdf`);
    expect([text.includes('Melbourne VIC 3000'), text.includes('Australia')]).toEqual([true, false]);
  });

  const formatLongDay = (day: string): string =>
    new Intl.DateTimeFormat('en-AU', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day)).replace(',', '');

  it("a job sheet has names instead of ids, sizes in words, the promised day, the instructions, and the floor's number", async () => {
    const order = await placeOrder(
      {
        items: [
          aLine(picture, {
            quantity: 3,
            externalReference: INJECTED,
            variantSelections: { ...aLine('').variantSelections, borderMm: '20' },
          }),
          aLine(picture),
        ],
        rushTier: 'express',
        whiteLabel: true,
        shippingAddress: anAddress({ name: '王小明', company: 'بيت الفن', phone: '+61 400 000 000' }),
      },
      `${INJECTED}\nSign it\u202e on the back.`,
    );
    const { headers, bytes } = await requestPdf(`/orders/${order.orderNumber}/job-sheet.pdf`, 'floor');
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="job-sheet-${order.orderNumber}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
    });
    const text = (await reader.textOf(bytes)).join(' ');
    for (const part of [
      order.orderNumber,
      'Gallery North',
      'EXPRESS',
      'WHITE LABEL',
      `PROMISED ${formatLongDay(order.promisedReadyDate)}`,
      `INSTRUCTIONS ${INJECTED} Sign it on the back.`,
      `3 × Fine art print Line 1 · client reference ${INJECTED}`,
      'Size 300 mm wide × 400 mm high, portrait',
      'Printed on Cotton rag 310',
      'White border 20 mm, added to the size',
      '1 × Fine art print Line 2',
      'Artwork dunes.jpg',
      '王小明',
      '+61 400 000 000',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/media-cotton-rag-310|standard-parcel|ord_|TEST|Long & Post/);
  });

  it('a line shows its picture after the inspection, with its pixels, print resolution and notes about its file', async () => {
    const { orderId } = await placeOrder();
    const pictures = async () => {
      const { bytes } = await requestPdf(`/orders/${orderId}/job-sheet.pdf`);
      return { count: bytes.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0, text: (await reader.textOf(bytes)).join(' ') };
    };
    const before = await pictures();
    const { database, storage } = service.deps;
    const upload = await database.row<{ id: string; storage_key: string; checksum: string | null }>(
      'SELECT id, storage_key, checksum FROM uploads WHERE url = $1',
      [picture],
    );
    const { id = '', storage_key: key = '', checksum = null } = upload ?? {};
    await storage.writePreview(key, 'large', WEBP);
    const seen = { mediaType: 'image/tiff', orientation: 1, colourSpace: 'srgb', hasProfile: true, hasAlpha: false, pages: 3 };
    await storeInspection(
      database,
      id,
      checksum,
      { state: 'ok', reason: null, widthPx: 3000, heightPx: 4000, extraChannels: 2, decoderVersion: 2, ...seen },
      new Date(),
    );
    const after = await pictures();
    expect([before.count, after.count]).toEqual([0, 1]);
    for (const fact of [
      'Pixels 3000 × 4000, 254 dpi at this size',
      'Check Sent as image/jpeg, contains image/tiff',
      'Check 3 pages, the largest one is the picture',
      'Check 2 extra channels, not printed',
    ])
      expect(after.text).toContain(fact);
  });

  it('a sheet of an order without a promised day has its due day, and LATE once that has passed', async () => {
    const { orderId } = await placeOrder();
    const { dueDate, promisedReadyDate } = (await studio.get(`/orders/${orderId}`)).json.data;
    expect([promisedReadyDate, dueDate]).toEqual([null, expect.any(String)]);
    const inTime = await readPdfText(`/orders/${orderId}/job-sheet.pdf`);
    expect(inTime).toContain(`DUE ${formatLongDay(dueDate)}`);
    expect(inTime).not.toMatch(/LATE|no date/);
    await service.deps.database.run(`UPDATE orders SET due_date = '2026-01-05' WHERE id = $1`, [orderId]);
    expect(await readPdfText(`/orders/${orderId}/job-sheet.pdf`)).toMatch(/DUE Monday 5 January 2026 LATE/);
  });

  it('a sheet of a held or cancelled order shows that status', async () => {
    const { orderId } = await placeOrder();
    await sendMilestone(studio, orderId, 'held');
    expect(await readPdfText(`/orders/${orderId}/job-sheet.pdf`)).toContain('ON HOLD');
    await sendMilestone(studio, orderId, 'cancelled');
    expect(await readPdfText(`/orders/${orderId}/job-sheet.pdf`)).toContain('CANCELLED');
  });

  /** The second of two lines of one product, with the text that distinguishes them. */
  const LARGER = { variantSelections: { ...aLine('').variantSelections, artworkWidthMm: '500' } };
  const FIRST = 'Line 1 · 300 mm wide × 400 mm high, portrait · Cotton rag 310';
  const SECOND = 'Line 2 · 500 mm wide × 400 mm high, landscape · Cotton rag 310';
  it('a packing slip lists the whole order or one parcel, and a white-label one does not name the studio', async () => {
    const items = [aLine(picture, { quantity: 3, externalReference: 'A-17' }), aLine(picture, { externalReference: 'B-2', ...LARGER })];
    const hidden = await placeOrder({ items, whiteLabel: true, reference: 'PO-4711' });
    const whole = await readPdfText(`/orders/${hidden.orderId}/packing-slip.pdf`, 'floor');
    for (const part of [
      'Gallery North',
      'Ada Customer',
      'REFERENCE PO-4711',
      'This parcel contains the whole order.',
      `Fine art print ${FIRST} A-17 3`,
      `Fine art print ${SECOND} B-2 1`,
    ])
      expect(whole).toContain(part);
    await studio.post(`/orders/${hidden.orderId}/parcels`, {
      parcelId: 'box/1',
      trackingNumber: 'AP-1',
      carrier: 'Post',
      lines: [{ line: 0, quantity: 2 }],
    });
    const { bytes } = await requestPdf(`/orders/${hidden.orderId}/packing-slip.pdf?parcelId=${encodeURIComponent('box/1')}`);
    const part = (await reader.textOf(bytes)).join(' ');
    expect(part).toMatch(/box\/1 .*Post .*AP-1 .*A-17 2 of 3 This parcel contains part of the order/);
    expect(part).toContain(`Fine art print ${FIRST} A-17 2 of 3`);
    expect(part).not.toMatch(/B-2|Line 2/);
    for (const ours of ['Long', 'Post Studio', '51 824', '51824753556', 'Press Lane', '063-000'])
      for (const text of [whole, part, bytes.toString('latin1')]) expect(text).not.toContain(ours);

    await studio.post(`/orders/${hidden.orderId}/parcels`, { parcelId: 'box/2', trackingNumber: 'AP-2' });
    const unknown = await readPdfText(`/orders/${hidden.orderId}/packing-slip.pdf?parcelId=${encodeURIComponent('box/2')}`);
    expect(unknown).toMatch(/A-17 3 .*B-2 1 The order has several parcels\. This list contains the pieces of all parcels\./);
    expect(await readPdfText(`/orders/${hidden.orderId}/packing-slip.pdf`)).toContain('The order has several parcels.');
    await studio.send('DELETE', `/orders/${hidden.orderId}/parcels/${encodeURIComponent('box/1')}`);
    expect(await readPdfText(`/orders/${hidden.orderId}/packing-slip.pdf?parcelId=${encodeURIComponent('box/2')}`)).toContain(
      'This parcel contains the whole order.',
    );

    const open = await placeOrder({ items, whiteLabel: false });
    const ours = await readPdfText(`/orders/${open.orderId}/packing-slip.pdf`);
    expect(ours).toContain('Long & Post Studio 4 Press Lane Brunswick VIC 3056');
    expect(ours).not.toContain('Gallery North');
  });

  it('a reference that crashes the renderer leaves job sheet, packing slip and invoice readable', async () => {
    const order = await placeOrder({ items: [aLine(picture, { externalReference: '\u06ed\u0965'.repeat(14) })] });
    const { id } = await invoiceOf(order.orderId);
    for (const [target, part] of [
      [`/orders/${order.orderId}/job-sheet.pdf`, 'Size 300 mm wide'],
      [`/orders/${order.orderId}/packing-slip.pdf`, 'Ada Customer'],
      [`/invoices/${id}.pdf`, `Total ${dollars(order.totalCents)}`],
    ] as const)
      expect(await readPdfText(target)).toContain(part);
  });

  it('names of 190 letters without a space stay within the margins of each document', async () => {
    const { database } = service.deps;
    const long = 'Gallery'.padEnd(190, 'Wandsworthandcompany');
    const { accountId, liveKey } = await anAccount(database);
    await database.run('UPDATE accounts SET name = $2 WHERE id = $1', [accountId, long]);
    const trade = service.trade(liveKey);
    const items = [aLine(await uploadArtwork(trade), { externalReference: long.slice(0, 128) })];
    const order = await anOrder(trade, {
      items,
      reference: long.slice(0, 128),
      whiteLabel: true,
      shippingAddress: anAddress({ name: long, company: long, line1: long }),
    });
    await database.run('UPDATE uploads SET filename = $2 WHERE account_id = $1', [accountId, `${long}.jpg`]);
    const { id } = await invoiceOf(order.orderId);
    await studio.post(`/orders/${order.orderId}/payments`, { paymentId: 'p1', amountCents: 1000, reference: long });
    for (const target of [
      `/orders/${order.orderId}/job-sheet.pdf`,
      `/orders/${order.orderId}/packing-slip.pdf`,
      `/invoices/${id}.pdf`,
      `/accounts/${accountId}/statement.pdf`,
    ]) {
      const { bytes } = await requestPdf(target);
      expect([target, (await reader.textOf(bytes)).join(' ').replaceAll(' ', '')]).toEqual([target, expect.stringContaining(long)]);
      expect([target, await reader.textInMarginOf(bytes)]).toEqual([target, []]);
    }
  });

  it('documents of a test order have TEST across each page', async () => {
    const order = await new OrderFactory(service, 'test').place();
    for (const target of [`/orders/${order.orderId}/job-sheet.pdf`, `/orders/${order.orderId}/packing-slip.pdf`])
      expect((await readPdfText(target)).match(/\bTEST\b/g)).toHaveLength(2);
  });

  const ASKS = /amount due \$|how to pay|063-000|please quote|\bdue\b/i;
  it('money documents of test orders say that they are tests and no tax invoices, and request no payment', async () => {
    const maker = new OrderFactory(service, 'test');
    const [order] = [await maker.place(), await maker.place()];
    const { number } = await invoiceOf(order.orderId);
    const bill = await readPdfText(`/invoices/${number}.pdf`);
    await sendMilestone(studio, order.orderId, 'processing');
    await studio.post(`/orders/${order.orderId}/payments`, { paymentId: 'p1', amountCents: 1000 });
    await sendMilestone(studio, order.orderId, 'cancelled');
    const note = await creditNoteOf(order.orderId);
    const statement = await readPdfText(`/accounts/${service.account.accountId}/statement.pdf?environment=test`);
    expect(statement).toMatch(/^Test statement .* Closing balance \$[1-9]/);
    expect(bill).toMatch(new RegExp(`^Test invoice ${number} .* Total `));
    const credit = await readPdfText(`/credit-notes/${note.number}.pdf`);
    expect(credit).toMatch(new RegExp(`^Test credit note ${note.number} .* Credited \\$10.00`));
    for (const text of [bill, credit, statement]) {
      expect(text).toContain('Nothing was sold and no payment is required.');
      expect(text.match(/\bTEST\b/g)).toHaveLength(2);
      expect(text).not.toMatch(ASKS);
      expect(text).not.toMatch(/Tax invoice|Adjustment note/);
    }
  });

  const invoiceOf = async (orderId: string) => {
    const found = await service.deps.database.row<{ id: string; number: string }>(
      'SELECT id, invoice_number AS number FROM invoices WHERE order_id = $1',
      [orderId],
    );
    if (found === null) throw new Error('no invoice');
    return found;
  };
  const creditNoteOf = async (orderId: string) => {
    const found = await service.deps.database.row<{ id: string; number: string; gst: number }>(
      'SELECT id, credit_note_number AS number, gst_cents AS gst FROM credit_notes WHERE order_id = $1',
      [orderId],
    );
    if (found === null) throw new Error('no credit note');
    return found;
  };
  const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

  it('a tax invoice has seller, buyer, lines, sums and GST as billed, and keeps the seller at that time', async () => {
    const items = [aLine(picture, { quantity: 2, externalReference: 'A-17' }), aLine(picture, LARGER)];
    const order = await placeOrder({ items, reference: 'PO-4711' });
    const { id, number } = await invoiceOf(order.orderId);
    await studio.post(`/orders/${order.orderId}/payments`, { paymentId: 'p1', amountCents: 1000 });
    const moved = { ...STUDIO, name: 'Another Studio', bank: 'BSB 111-111, 7' };
    await studio.send('PATCH', '/settings', { studio: moved });
    const text = await readPdfText(`/invoices/${number}.pdf`);
    await studio.send('PATCH', '/settings', { studio: STUDIO });
    const [line] = order.lines;
    for (const part of [
      `Tax invoice ${number}`,
      'Long & Post Studio ABN 51 824 753 556 4 Press Lane Brunswick VIC 3056',
      'TO Gallery North gallery@example.com',
      `ORDER ${order.orderNumber}`,
      'YOUR REFERENCE PO-4711',
      `Fine art print ${SECOND} 1 `,
      `Fine art print ${FIRST} A-17 2 ${dollars(line.unitPriceCents)} ${dollars(line.amountCents)}`,
      `Subtotal ${dollars(order.subtotalCents)}`,
      `Discount −${dollars(order.discountCents)}`,
      `Shipping: Standard parcel ${dollars(order.shippingCents)}`,
      `Total ${dollars(order.totalCents)}`,
      'Paid −$10.00',
      `Amount due ${dollars(order.totalCents - 1000)}`,
      `GST of ${dollars(order.gstCents)} is included.`,
      'HOW TO PAY BSB 063-000, 1041 2214',
      `Please quote invoice number ${number}.`,
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/Another Studio|111-111|not a tax invoice/);
    expect(await readPdfText(`/invoices/${id}.pdf`)).toBe(text);
  });

  it("an invoice older than the studio's details says that it is not a tax invoice", async () => {
    const { orderId } = await placeOrder();
    const { id } = await invoiceOf(orderId);
    await service.deps.database.run('UPDATE invoices SET seller_version = NULL WHERE id = $1', [id]);
    const text = await readPdfText(`/invoices/${id}.pdf`);
    expect(text).toMatch(/^Invoice .*This is not a tax invoice/);
    expect(text).not.toMatch(/Long & Post|HOW TO PAY/);
  });

  it('an invoice adds up from its total to the due amount, also if money became credit', async () => {
    const expectOk = async (reply: Promise<Reply>) => expect((await reply).status).toBe(200);
    const pay = (orderId: string, amountCents: number) =>
      expectOk(studio.post(`/orders/${orderId}/payments`, { paymentId: 'p1', amountCents }));
    const credit = (number: string, amountCents: number) =>
      expectOk(studio.post(`/invoices/${number}/credit-notes`, { creditNoteId: 'c1', amountCents, reason: 'late' }));
    const cancel = (orderId: string) => expectOk(sendMilestone(studio, orderId, 'cancelled'));
    const lives: ((order: { orderId: string; totalCents: number }, number: string) => Promise<unknown>)[] = [
      ({ orderId }) => pay(orderId, 1000),
      async ({ orderId, totalCents }, number) => [await pay(orderId, totalCents), await credit(number, 700)],
      async ({ orderId, totalCents }, number) => [await credit(number, totalCents - 400), await pay(orderId, 400)],
      async ({ orderId }) => [await pay(orderId, 1000), await cancel(orderId)],
      async ({ orderId, totalCents }) => [await pay(orderId, totalCents), await cancel(orderId)],
      async ({ orderId }) => [
        await pay(orderId, 1000),
        await cancel(orderId),
        await expectOk(studio.post(`/orders/${orderId}/payments/p1/reverse`, { reason: 'bounced' })),
      ],
      ({ orderId }) => cancel(orderId),
    ];
    let withCredit = 0;
    for (const live of lives) {
      const order = await placeOrder();
      const { number } = await invoiceOf(order.orderId);
      await live(order, number);
      const text = await readPdfText(`/invoices/${number}.pdf`);
      const [, sums = ''] = /Subtotal .*? (Total .*) GST of/.exec(text) ?? [];
      const cents = [...sums.matchAll(/(−?)\$([\d.,]+)/g)].map(([, minus, sum = '']) => Math.round(Number(`${minus && '-'}${sum}`) * 100));
      const toBePaid = cents.pop();
      expect(cents[0]).toBe(order.totalCents);
      expect(cents.reduce((sum, each) => sum + each, 0)).toBe(toBePaid);
      expect((await studio.get(`/invoices/${number}`)).json.data.dueCents).toBe(toBePaid);
      if (sums.includes('Added to your credit')) withCredit += 1;
    }
    expect(withCredit).toBe(3);
  });

  const HOW_TO_PAY = /how to pay|063-000|please quote/i;
  it('an invoice without a due amount has no payment instructions: paid, credited, or of zero', async () => {
    const { database } = service.deps;
    const settled = async (settle: (order: any, invoice: { id: string; number: string }) => Promise<unknown>) => {
      const order = await placeOrder();
      const bill = await invoiceOf(order.orderId);
      expect(await readPdfText(`/invoices/${bill.id}.pdf`)).toMatch(HOW_TO_PAY);
      await settle(order, bill);
      return readPdfText(`/invoices/${bill.id}.pdf`);
    };
    const texts = [
      await settled(({ orderId, totalCents }) => studio.post(`/orders/${orderId}/payments`, { paymentId: 'p1', amountCents: totalCents })),
      await settled(({ totalCents }, { number }) =>
        studio.post(`/invoices/${number}/credit-notes`, { creditNoteId: 'c1', amountCents: totalCents, reason: 'late' }),
      ),
      await settled((_order, { id }) => database.run('UPDATE invoices SET amount_cents = 0, gst_cents = 0 WHERE id = $1', [id])),
    ];
    for (const text of texts) {
      expect(text).toContain('Amount due $0.00');
      expect(text).not.toMatch(HOW_TO_PAY);
    }
  });

  it('a cancelled order that was paid has a void invoice and a credit note, and the statement has both', async () => {
    await placeOrder(); // the account owes an amount
    const order = await placeOrder();
    const { number } = await invoiceOf(order.orderId);
    await studio.post(`/orders/${order.orderId}/payments`, { paymentId: 'bank/7', amountCents: 1500, reference: 'EFT 77' });
    await sendMilestone(studio, order.orderId, 'cancelled');
    const bill = await readPdfText(`/invoices/${number}.pdf`);
    expect(bill).toContain('Void: the order was cancelled.');
    expect(bill).toMatch(/Amount due \$0\.00/);
    expect(bill).not.toMatch(/\bdue (?:on )?\d|how to pay|063-000/i);
    const note = await creditNoteOf(order.orderId);
    const text = await readPdfText(`/credit-notes/${note.number}.pdf`);
    for (const part of [
      `Adjustment note ${note.number}`,
      'Long & Post Studio ABN 51 824 753 556',
      `INVOICE ${number}`,
      'REASON order cancelled',
      'Credited $15.00',
      `GST of ${dollars(note.gst)} is included.`,
    ])
      expect(text).toContain(part);
    expect(await readPdfText(`/credit-notes/${note.id}.pdf`)).toBe(text);

    const { accountId } = service.account;
    const period = 'from=2020-01-01'; // the month may have ended
    const { openingCents, closingCents, entries } = (await studio.get(`/accounts/${accountId}/statement?${period}`)).json.data;
    const statement = await readPdfText(`/accounts/${accountId}/statement.pdf?${period}`);
    for (const part of [
      'Statement',
      'TO Gallery North gallery@example.com',
      `Opening balance ${dollars(openingCents)}`,
      `Invoice ${number} ${dollars(order.totalCents)}`,
      `Payment for ${number} · EFT 77 −$15.00`,
      `Void of invoice ${number}`,
      `Credit note ${note.number} for ${number} · order cancelled −$15.00`,
      `Closing balance ${dollars(closingCents)}`,
      'HOW TO PAY BSB 063-000, 1041 2214',
    ])
      expect(statement).toContain(part);
    expect(statement).not.toContain('bank/7');
    expect(statement.match(/ Invoice INV-/g)).toHaveLength(entries.filter(({ type }: { type: string }) => type === 'invoice').length);
    expect((await requestPdf(`/accounts/${accountId}/statement.pdf?from=2026-02-30`)).status).toBe(400);
  });

  it('credit note and statement say that something is reversed, and never why', async () => {
    const order = await placeOrder();
    const { number } = await invoiceOf(order.orderId);
    const { accountId } = service.account;
    const post = async (path: string, body: object) => expect((await studio.post(path, body)).status).toBe(200);
    await post(`/invoices/${number}/credit-notes`, { creditNoteId: 'c1', amountCents: 700, reason: 'a scratch' });
    await post(`/orders/${order.orderId}/credit-notes/c1/reverse`, { reversalId: 'r1', reason: 'they lied' });
    await post(`/accounts/${accountId}/payments`, { paymentId: 'spare', environment: 'live', amountCents: 600, invoices: [] });
    await post(`/accounts/${accountId}/refunds`, { refundId: 'back', environment: 'live', amountCents: 600, reference: 'EFT 78' });
    await post(`/accounts/${accountId}/refunds/back/reverse`, { reversalId: 'r2', reason: 'they lied' });
    const note = await creditNoteOf(order.orderId);
    const text = await readPdfText(`/credit-notes/${note.number}.pdf`);
    expect(text).toMatch(/Reversed on \d+ \w+ \d{4}\./);
    const statement = await readPdfText(`/accounts/${accountId}/statement.pdf?from=2020-01-01`);
    expect(statement).toContain(`Credit note reversed ${note.number} for ${number} $7.00`);
    expect(statement).toContain('Refund reversed −$6.00');
    expect(text + statement).not.toContain('they lied');
    await post(`/accounts/${accountId}/payments/spare/reverse`, { reason: 'they lied' });
    expect(await readPdfText(`/accounts/${accountId}/statement.pdf?from=2020-01-01`)).not.toContain('they lied');
  });

  it('a statement requests the due amount of each open invoice, and explains the credit without subtracting it', async () => {
    const { accountId } = await anAccount(service.deps.database);
    const trade = service.trade(await aKey(service.deps.database, accountId, { environment: 'live' }));
    const items = [aLine(await uploadArtwork(trade))];
    const bills: { number: string; orderNumber: string; totalCents: number }[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { orderId, orderNumber, totalCents } = await anOrder(trade, { items });
      bills.push({ ...(await invoiceOf(orderId)), orderNumber, totalCents });
    }
    const [first, second] = bills as [(typeof bills)[0], (typeof bills)[0]];
    const generated = 'c0ffee00-1111-4222-8333-444455556666';
    await studio.post(`/accounts/${accountId}/payments`, {
      paymentId: generated,
      environment: 'live',
      amountCents: 3000,
      reference: 'EFT 9',
      receivedAt: '2026-01-05T01:00:00Z',
      invoices: [{ invoiceId: first.number, amountCents: 1000 }],
    });
    const statement = await readPdfText(`/accounts/${accountId}/statement.pdf?from=2020-01-01`);
    const toBePaid = first.totalCents + second.totalCents - 1000;
    for (const part of [
      `AMOUNT DUE ${dollars(toBePaid)}`,
      `Payment · received 5 Jan 2026 · EFT 9 ${first.number}: −$10.00 Credit: −$20.00 −$30.00`,
      `Amount due ${dollars(toBePaid)} Your credit −$20.00 Closing balance ${dollars(toBePaid - 2000)}`,
      'Credit is never applied automatically. Tell us which invoices it should pay',
      'HOW TO PAY BSB 063-000, 1041 2214 Pay the amount due on each invoice',
    ])
      expect(statement).toContain(part);
    const [, open = ''] = statement.split('Open invoices');
    expect(open).toMatch(
      new RegExp(
        `${first.number} ${first.orderNumber} .* \\${dollars(first.totalCents)} \\${dollars(first.totalCents - 1000)} ` +
          `${second.number} ${second.orderNumber} .* \\${dollars(second.totalCents)} \\${dollars(second.totalCents)} Amount due`,
      ),
    );
    expect(statement).not.toContain(generated);

    const use = { paymentId: 'use', environment: 'live', source: 'credit', amountCents: 2000 };
    expect((await studio.post(`/accounts/${accountId}/payments`, use)).status).toBe(200);
    const rest = { paymentId: 'rest', environment: 'live', amountCents: toBePaid - 2000 };
    expect((await studio.post(`/accounts/${accountId}/payments`, rest)).status).toBe(200);
    const settled = await readPdfText(`/accounts/${accountId}/statement.pdf?from=2020-01-01`);
    expect(settled).toContain(`Payment from credit for ${first.number} $0.00`);
    expect(settled).toContain('Amount due $0.00 Closing balance $0.00');
    expect(settled).not.toMatch(/Open invoices|applied automatically|how to pay/i);
  });

  it('a statement too long for a PDF is refused before it is rendered, with a shorter period, or CSV for a single day', async () => {
    const { accountId } = await anAccount(service.deps.database);
    await service.deps.database.run(
      `INSERT INTO ledger_entries (account_id, environment, booked_on, type, amount_cents, outstanding_cents, credit_cents, created_at)
       SELECT $1, 'live', CASE WHEN n < $2 THEN '2026-01-01'::date ELSE '2026-01-02' END, 'invoice', 1, 1, 0, now() FROM generate_series(0, 2 * $2) n`,
      [accountId, MAX_PRINTED_ENTRIES],
    );
    const of = async (query: string) => {
      const { status, bytes } = await requestPdf(`/accounts/${accountId}/statement.pdf?${query}`);
      return status === 200 ? bytes.subarray(0, 5).toString() : [status, bytes.toString()];
    };
    const refused = (words: string) => [400, expect.stringContaining(words)];
    expect(await of('from=2026-01-01&to=2026-01-01')).toBe('%PDF-');
    expect(await of('from=2026-01-01&to=2026-01-31')).toEqual(refused('send to=2026-01-01,'));
    for (const to of ['02', '31']) expect(await of(`from=2026-01-02&to=2026-01-${to}`)).toEqual(refused('export that day as CSV'));
  });
});
