import { ApiError } from '../../../../src/domain/errors';
import { DEFAULT_LABEL_PROGRAM } from '../../../../src/domain/label-program';
import { TemporalUnavailable } from '../../../../src/temporal/breaker';
import { aKey } from '../../../support/accounts';
import { aLine, uploadArtwork } from '../../../support/baskets';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { expectValidationPaths } from '../support';
import { aToken, findAuditEntries, findEventTypes, OrderFactory, sendMilestone } from './support';

const HEADINGS = 'Order Number,Tracking Number,Carrier,Carrier Service,Tracking URL,Shipped Date,Delivered Date';

describe('label programs', () => {
  const service = useSharedService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor', { name: 'Dispatch' })));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  let orders: OrderFactory;
  beforeAll(async () => {
    const trade = service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
    const picture = await uploadArtwork(trade);
    orders = new OrderFactory(service, 'live', { items: [aLine(picture, { quantity: 2 })] });
  });
  afterAll(() => service.deps.database.run(`DELETE FROM settings WHERE name = 'labelProgram'`));

  const aPackedOrder = async (): Promise<{ orderId: string; orderNumber: string }> => {
    const order = await orders.place();
    for (const type of ['production_started', 'printed']) await sendMilestone(floor, order.orderId, type);
    // Files of the tests have days in March 2026, and an order cannot leave before it is placed.
    await service.deps.database.run(`UPDATE orders SET created_at = '2026-02-01T00:00:00Z' WHERE id = $1`, [order.orderId]);
    return order;
  };
  const send = (bytes: string | Buffer, dryRun?: boolean) =>
    floor.post('/tracking-files', { file: Buffer.from(bytes).toString('base64'), ...(dryRun === undefined ? {} : { dryRun }) });
  const rowsOf = async (bytes: string | Buffer, dryRun?: boolean): Promise<any[]> => {
    const { json, text } = await send(bytes, dryRun);
    if (json.data === null) throw new Error(text);
    return json.data.rows;
  };
  const outcomesOf = async (bytes: string | Buffer, dryRun?: boolean): Promise<string[]> =>
    (await rowsOf(bytes, dryRun)).map(({ outcome }) => outcome);
  const parcelsOf = async (orderId: string): Promise<any[]> => (await floor.get(`/orders/${orderId}`)).json.data.parcels;

  describe('the file of packed orders', () => {
    const exported = async (): Promise<string[]> => (await floor.get('/packed-orders.csv')).text.split('\r\n');

    it('has printed orders in production without a parcel', async () => {
      const packed = await aPackedOrder();
      const others = await Promise.all([orders.place(), aPackedOrder(), aPackedOrder(), aPackedOrder()]);
      await floor.post(`/orders/${others[1]?.orderId}/parcels`, { parcelId: 'p', trackingNumber: 'X1' });
      await sendMilestone(floor, others[2].orderId, 'held');
      await sendMilestone(office, others[3].orderId, 'cancelled');
      const reply = await floor.get('/packed-orders.csv');
      expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="packed-orders-\d{4}-\d\d-\d\d\.csv"$/);
      const lines = await exported();
      expect(lines[0]).toBe(DEFAULT_LABEL_PROGRAM.orderColumns.map(({ heading }) => `"${heading}"`).join(','));
      expect(lines.filter((line) => line.startsWith(packed.orderNumber))).toEqual([
        expect.stringMatching(/^P-\d+,\d{4}-\d\d-\d\d,Ada Customer,,ada@example\.com,.*,12 Hanging Lane,Melbourne,VIC,3000,AU,.+,2$/),
      ]);
      for (const { orderNumber } of others) expect(lines.some((line) => line.startsWith(`${orderNumber},`))).toBe(false);
      await floor.post(`/orders/${packed.orderId}/parcels`, { parcelId: 'p', trackingNumber: 'X2' });
      expect((await exported()).some((line) => line.startsWith(packed.orderNumber))).toBe(false);
    });

    it('waits for the last stage that the studio uses', async () => {
      const packed = await aPackedOrder();
      const has = async (): Promise<boolean> => (await exported()).some((line) => line.startsWith(`${packed.orderNumber},`));
      const use = (...stages: string[]) =>
        service.studio().send('PUT', '/stage-settings', {
          framedEnabled: stages.includes('framed'),
          checkedEnabled: stages.includes('checked'),
          readyEnabled: stages.includes('ready'),
        });
      try {
        await use('framed'); // a print without a frame is not framed
        expect(await has()).toBe(true);
        await use('framed', 'checked');
        expect(await has()).toBe(false);
        await sendMilestone(floor, packed.orderId, 'checked');
        expect(await has()).toBe(true);
        await use('ready');
        expect(await has()).toBe(false);
      } finally {
        await use();
      }
    });

    it('has the columns of the settings, and hostile values do nothing in a spreadsheet', async () => {
      const packed = await aPackedOrder();
      await service.deps.database.run(
        `UPDATE quotes SET shipping_address = shipping_address || $2 WHERE id = (SELECT quote_id FROM orders WHERE id = $1)`,
        [
          packed.orderId,
          JSON.stringify({
            name: '=cmd|calc!A0',
            company: 'a,"b"\n;=1+1',
            phone: '+61-3.9000 0000 ext. 5',
            line2: '+1+cmd',
            state: '-',
            postcode: '0800',
          }),
        ],
      );
      const admin = service.studio();
      const values = ['orderNumber', 'recipientName', 'company', 'phone', 'line2', 'state', 'postcode', 'pieces', 'empty'] as const;
      const program = { ...DEFAULT_LABEL_PROGRAM, orderColumns: values.map((value) => ({ heading: `The ${value}`, value })) };
      expect((await office.send('PUT', '/label-program', program)).status).toBe(403);
      expect((await admin.send('PUT', '/label-program', program)).json.data).toEqual(program);
      expect((await floor.get('/label-program')).json.data).toEqual(program);
      const lines = await exported();
      expect(lines[0]).toBe(values.map((value) => `"The ${value}"`).join(','));
      expect(lines.filter((line) => line.startsWith(packed.orderNumber))).toEqual([
        `${packed.orderNumber},'=cmd|calc!A0,"a,""b"" ;'=1+1",+61 3 9000 0000 ext 5,'+1+cmd,-,0800,2,`,
      ]);
      expect((await findAuditEntries(service, 'settings')).at(-1)).toMatchObject({
        action: 'label-program.change',
        before: DEFAULT_LABEL_PROGRAM,
        after: program,
      });
      await admin.send('PUT', '/label-program', DEFAULT_LABEL_PROGRAM);
      await floor.post(`/orders/${packed.orderId}/parcels`, { parcelId: 'p', trackingNumber: 'X3' });
    });

    it('needs different headings for tracking numbers, and known values', async () => {
      const put = (change: object) => service.studio().send('PUT', '/label-program', { ...DEFAULT_LABEL_PROGRAM, ...change });
      const { trackingColumns } = DEFAULT_LABEL_PROGRAM;
      expectValidationPaths(await put({ trackingColumns: { ...trackingColumns, carrier: 'tracking-number' } }), [
        'trackingColumns.carrier',
      ]);
      expectValidationPaths(await put({ trackingColumns: { ...trackingColumns, orderNumber: null } }), ['trackingColumns.orderNumber']);
      expectValidationPaths(await put({ orderColumns: [{ heading: 'A', value: 'totalCents' }] }), ['orderColumns.0.value']);
      expectValidationPaths(await put({ orderColumns: [] }), ['orderColumns']);
    });
  });

  describe('the file of tracking numbers', () => {
    it('is previewed, adds each parcel once, and can be repeated', async () => {
      const [one, two] = [await aPackedOrder(), await aPackedOrder()];
      const file = `${HEADINGS}
${one.orderNumber},1Z999AA10123456784,,,,,
${two.orderNumber},AP1,Australia Post,Express Post,,2026-03-02 10:30,
${two.orderNumber},AP2,Wombat,,https://w.example/AP2,,
P-999999999,AP3,,,,,
nonsense,AP4,,,,,
${two.orderNumber},,,,,,
${one.orderNumber},1z999aa1 0123456784,,,,,
`;
      const preview = await rowsOf(file, true);
      expect(preview.map(({ row, outcome, error }) => [row, outcome, error?.code])).toEqual([
        [2, 'added', undefined],
        [3, 'added', undefined],
        [4, 'added', undefined],
        [5, 'refused', 'NOT_FOUND'],
        [6, 'refused', 'VALIDATION_ERROR'],
        [7, 'refused', 'VALIDATION_ERROR'],
        [8, 'unchanged', undefined],
      ]);
      expect(await parcelsOf(one.orderId)).toEqual([]);
      expect(await rowsOf(file)).toEqual(preview);
      expect(await parcelsOf(one.orderId)).toMatchObject([
        {
          parcelId: expect.stringMatching(/^file-[0-9a-f]{20}$/),
          trackingNumber: '1Z999AA10123456784',
          carrier: 'UPS',
          trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
          lines: [{ line: 0, quantity: 2 }],
          deliveredAt: null,
        },
      ]);
      expect(await parcelsOf(two.orderId)).toMatchObject([
        {
          carrier: 'Australia Post Express Post',
          trackingUrl: 'https://auspost.com.au/mypost/track/details/AP1',
          shippedAt: '2026-03-01T23:30:00.000Z',
          lines: null,
        },
        { carrier: 'Wombat', trackingUrl: 'https://w.example/AP2' },
      ]);
      const before = [await parcelsOf(one.orderId), await parcelsOf(two.orderId), await findEventTypes(service, two.orderId)];
      expect(await outcomesOf(file)).toEqual(['unchanged', 'unchanged', 'unchanged', 'refused', 'refused', 'refused', 'unchanged']);
      expect([await parcelsOf(one.orderId), await parcelsOf(two.orderId), await findEventTypes(service, two.orderId)]).toEqual(before);
      const entries = await findAuditEntries(service, two.orderId);
      expect(entries.filter(({ action, actor }) => action === 'parcel.add' && actor === 'Dispatch')).toHaveLength(2);
    });

    it('knows the contents only if all rows of the order have the same number', async () => {
      const contentsOf = async (...numbers: string[]): Promise<unknown> => {
        const { orderId, orderNumber } = await aPackedOrder();
        const cells = numbers.map((number) => `${orderNumber},${number}\n`);
        await rowsOf(`Order Number,Tracking Number,Delivered Date\n${cells.join('')}`);
        return (await parcelsOf(orderId)).map(({ lines }) => lines);
      };
      const all = [[{ line: 0, quantity: 2 }]];
      expect(await contentsOf('AB 12', 'ab12', 'AB-12,soon')).toEqual(all);
      expect(await contentsOf('AB13', '3.93E+17')).toEqual([null]);
      expect(await contentsOf('3.93E+17', 'AB14')).toEqual([null]);
      expect(await contentsOf('AB15', '')).toEqual([null]);
      expect(await contentsOf('AB16', 'AB17,soon')).toEqual([null]);
      expect(await contentsOf('AB18', 'AB19')).toEqual([null, null]);
    });

    it.each<[string, Error, object]>([
      ['refuses', new ApiError('MILESTONE_REFUSED', 'the order is closed'), { outcome: 'refused', error: { code: 'MILESTONE_REFUSED' } }],
      ['cannot record', new TemporalUnavailable(), { outcome: 'failed', error: { code: 'SERVICE_UNAVAILABLE' } }],
    ])('gives later rows of a number that the workflow %s the outcome of the first', async (_what, error, result) => {
      const order = await aPackedOrder();
      const row = `${order.orderNumber},RP 1,,,,1/3/2026,`;
      const file = `${HEADINGS}\n${row}\n${row}\n${row.replace('RP 1', 'rp1')}2/3/2026\n${row.replace('RP 1', 'RP2')}\n`;
      const apply = jest.spyOn(service.deps.temporal.orders, 'applyMessage').mockRejectedValueOnce(error);
      try {
        expect(await rowsOf(file)).toMatchObject([result, result, result, { outcome: 'added' }]);
      } finally {
        apply.mockRestore();
      }
      expect((await parcelsOf(order.orderId)).map(({ trackingNumber }) => trackingNumber)).toEqual(['RP2']);
      expect(await outcomesOf(file)).toEqual(['added', 'unchanged', 'delivered', 'unchanged']);
    });

    it('adds one parcel if two people import it at once, and knows the label of the station', async () => {
      const [one, two] = [await aPackedOrder(), await aPackedOrder()];
      await floor.post(`/orders/${two.orderId}/parcels`, { parcelId: 'console-1', trackingNumber: 'ST 1' });
      const file = `${HEADINGS}\n${one.orderNumber},AB1,,,,,\n${two.orderNumber},st1,,,,,\n`;
      const replies = await Promise.all(Array.from({ length: 4 }, () => send(file)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(replies.flatMap(({ json }) => json.data.rows).filter(({ error }) => error !== undefined)).toEqual([]);
      expect((await parcelsOf(one.orderId)).map(({ trackingNumber }) => trackingNumber)).toEqual(['AB1']);
      expect((await parcelsOf(two.orderId)).map(({ parcelId }) => parcelId)).toEqual(['console-1']);
    });

    it('records deliveries, also with the parcel, and corrects them', async () => {
      const order = await aPackedOrder();
      const fileOf = (shipped: string, delivered: string): string => `${HEADINGS}\n${order.orderNumber},DL1,,,,${shipped},${delivered}\n`;
      expect(await outcomesOf(fileOf('2/3/2026', '5 March 2026'))).toEqual(['added']);
      const delivered = async () => (await parcelsOf(order.orderId)).map(({ shippedAt, deliveredAt }) => [shippedAt, deliveredAt]);
      expect(await delivered()).toEqual([['2026-03-01T13:00:00.000Z', '2026-03-05T12:59:59.000Z']]);
      expect(await outcomesOf(fileOf('2/3/2026', '2026-03-05'))).toEqual(['unchanged']);
      expect(await outcomesOf(fileOf('', '6/03/2026 2:15 pm'))).toEqual(['delivered']);
      expect(await delivered()).toEqual([['2026-03-01T13:00:00.000Z', '2026-03-06T03:15:00.000Z']]);
      const wrong = await rowsOf(
        `${HEADINGS}\n${['1/3/2026', '2999-01-01', '31/1/2026', '31/2/2026', '3/14/2026', '25:00'].map((day) => `${order.orderNumber},DL1,,,,,${day}`).join('\n')}`,
      );
      expect(wrong.map(({ outcome, error }) => [outcome, error.message.replace(/ [\d-]+T.*| such as.*/, '')])).toEqual([
        ['refused', 'deliveredAt must not be before the parcel was shipped, which was at'],
        ['refused', 'deliveredAt must not be in the future'],
        ['refused', 'deliveredAt is before the order was placed; in a day'],
        ['refused', 'deliveredAt must be a day'],
        ['refused', 'deliveredAt must be a day'],
        ['refused', 'deliveredAt must be a day'],
      ]);
    });

    it('refuses orders that must not leave, voided labels, and numbers that a spreadsheet has changed', async () => {
      const [received, held, cancelled, voided] = [await orders.place(), await aPackedOrder(), await aPackedOrder(), await aPackedOrder()];
      await sendMilestone(floor, held.orderId, 'held');
      await sendMilestone(office, cancelled.orderId, 'cancelled');
      await floor.post(`/orders/${voided.orderId}/parcels`, { parcelId: 'VO1', trackingNumber: 'VO1' });
      await floor.send('DELETE', `/orders/${voided.orderId}/parcels/VO1`);
      const numbers = [received, held, cancelled, voided].map(({ orderNumber }) => `${orderNumber},VO1,,,,,`);
      const file = `${HEADINGS}\n${numbers.join('\n')}\n${voided.orderNumber},3.93123E+17,,,,,\n${voided.orderNumber},${held.orderNumber},,,,,\n`;
      const rows = await rowsOf(file);
      expect(rows.map(({ error }) => error.message)).toEqual([
        expect.stringMatching(/has not started/),
        expect.stringMatching(/on hold/),
        expect.stringMatching(/cancelled/),
        expect.stringMatching(/voided/),
        expect.stringMatching(/spreadsheet has changed/),
        expect.stringMatching(/not an order number/),
      ]);
    });

    it.each<[string, (text: string) => string | Buffer]>([
      ['semicolons', (text) => text.replaceAll(',', ';')],
      ['tabs', (text) => text.replaceAll(',', '\t')],
      ['a line with the separator', (text) => `sep=;\r\n${text.replaceAll(',', ';')}`],
      ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
      ['CR', (text) => text.replaceAll('\n', '\r')],
      ['a byte order mark', (text) => `\ufeff${text}`],
      ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
      ['UTF-16, most significant byte first', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
      ['quotes around all cells', (text) => text.replaceAll(/[^,\n]+/g, '"$&"')],
      ['the marks of our own files', (text) => text.replaceAll('FM7', "'FM7")],
      ['other words and an empty row', (text) => text.replace('Order Number', 'ORDER_NUMBER').replace('\n', '\n,,,,,,\n')],
      ['a quoted line break in another column', (text) => text.replace(/\n/, ',Notes\n').replace(/,,\n$/, ',,,"a\nb"",;"\n')],
      ['inches in another column', (text) => text.replace(/\n/, ',Item\n').replace(/\n$/, ',Canvas 24" x 36"\n').replaceAll(',', '\t')],
      ['numbers as formulas', (text) => text.replace(/(P-\d+),FM7/, '="$1",="FM7"')],
      ['a character of older Windows', (text) => Buffer.from(text.replace('Courier', 'Courier \u00e9'), 'latin1')],
    ])('is read with %s', async (_what, change) => {
      const order = await aPackedOrder();
      const [row] = await rowsOf(change(`${HEADINGS}\n${order.orderNumber},FM7,Courier,,,,\n`), true);
      expect(row).toMatchObject({
        orderNumber: order.orderNumber,
        trackingNumber: 'FM7',
        outcome: 'added',
        carrier: expect.stringMatching(/^Courier( é)?$/),
      });
    });

    it.each<[string, string | Buffer]>([
      ['is empty', '\n'],
      ['lacks the headings', 'a,b\n1,2\n'],
      ['has an open quote', `${HEADINGS}\nP-1,"AP1\n`],
      ['has an open quote between tabs', `${HEADINGS}\nP-1,"AP1\n`.replaceAll(',', '\t')],
      ['is a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
      ['has too many rows', `${HEADINGS}\n${'P-1,AP1\n'.repeat(1001)}`],
    ])('that %s is refused', async (_what, bytes) => {
      expectValidationPaths(await send(bytes, true), ['file']);
    });

    it('must be Base64 of at most one mebibyte', async () => {
      for (const file of ['', 'a', '!!!!', 'YQ==YQ==', 7]) expectValidationPaths(await floor.post('/tracking-files', { file }), ['file']);
      expectValidationPaths(await send(`${HEADINGS}\n${' '.repeat(1024 * 1024)}`), ['file']);
    });

    it('with hostile cells records them as texts or refuses them', async () => {
      const order = await aPackedOrder();
      const cells = ['<script>alert(1)</script>', '=HYPERLINK("x")', 'x'.repeat(10_000), '..', 'a\u202eb', "'; DROP TABLE parcels; --"];
      const lines = cells.map((cell) => `${order.orderNumber},"${cell.replaceAll('"', '""')}",,,javascript:alert(1),,`);
      const rows = await rowsOf(`${HEADINGS}\n${lines.join('\n')}\n`);
      expect(rows.map(({ outcome }) => outcome)).toEqual(cells.map(() => 'refused'));
      expect(await parcelsOf(order.orderId)).toEqual([]);
    });
  });
});
