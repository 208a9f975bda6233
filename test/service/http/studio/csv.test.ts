import { QueueOverloaded } from '../../../../src/runtime/keyed-queue';
import { createServer } from 'node:http';
import fc from 'fast-check';
import Koa from 'koa';
import { request } from 'undici';
import { findOrderById } from '../../../../src/db/repositories/orders';
import { respond } from '../../../../src/http/respond';
import { respondWithCsv, csvResponse } from '../../../../src/http/studio/support/lists';
import type { HandlerResponse } from '../../../../src/http/types';
import { csvHead, csvRows, type Cell, type CsvColumns } from '../../../../src/presenters/csv';
import { newId } from '../../../../src/security/ids';
import { anAddress, anOrder } from '../../../support/baskets';
import { listen } from '../../../support/listen';
import { propertyRuns } from '../../../support/property-runs';
import { copyRow } from '../../../support/row-copies';
import { useService, useSharedService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { aToken } from './support';

/** Lines of one column. */
const formatColumn = (cells: readonly Cell[], timeZone = 'Australia/Melbourne'): string[] =>
  csvRows(
    [['x', (cell: { cell: Cell }) => cell.cell]],
    cells.map((cell) => ({ cell })),
    timeZone,
  )
    .split('\r\n')
    .slice(0, -1);

describe('a cell', () => {
  it.each<[string, string]>([
    ['=1+1', `"'=1+1"`],
    ['+61 3 9000', `"'+61 3 9000"`],
    ['-14.50', `"'-14.50"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t'=1"`],
    ['＝1', `"'＝1"`],
    [' =1', `" '=1"`],
    ['\u200b=1', `"\u200b'=1"`],
    ['Harbour;=cmd|x', `"Harbour;'=cmd|x"`],
    ['a, -b', `"a, '-b"`],
    ['a";=HYPERLINK("x")', `"a"";'=HYPERLINK(""x"")"`],
    ['a "+b"', `"a ""'+b"""`],
    ["O'Neill & Söhne, 王小明", `"O'Neill & Söhne, 王小明"`],
    ['a-b = c', '"a-b = c"'],
    ['', '""'],
  ])('of the text %j is not a formula', (text, cell) => {
    expect(formatColumn([text])).toEqual([cell]);
  });
  it('of any text has an apostrophe before each formula at the start or after a separator', () => {
    const slow = /(^[\s\p{Cc}\p{Cf}]+|[,;|\t\r\n"'][\s\p{Cc}\p{Cf}]*)(?=[=+\-@\uff1d])/gu;
    const letter = fc.constantFrom(...'a=+-@\uff1d,;|"\' \t\r\n\u0000\u200b\ufeff');
    fc.assert(
      fc.property(fc.constantFrom('x', ' '), fc.string({ unit: letter }), (first, rest) => {
        const text = `${first}${rest}`;
        expect(csvRows([['x', () => text]], [0], 'UTC')).toBe(`"${text.replace(slow, "$1'").replaceAll('"', '""')}"\r\n`);
      }),
      propertyRuns(2000),
    );
  });
  it('of several lines is one cell without formulas', () => {
    expect(csvRows([['x', () => 'a\r\n=b\n@c']], [0], 'UTC')).toBe(`"a\r\n'=b\n'@c"\r\n`);
  });
  it('of an amount is a number with cents, also if negative', () => {
    expect(formatColumn([0n, 5n, -5n, -145_050n, 1_234_567_890n, -1, 12.5])).toEqual([
      '0.00',
      '0.05',
      '-0.05',
      '-1450.50',
      '12345678.90',
      '-1',
      '12.5',
    ]);
  });
  // prettier-ignore
  it.each([
    '0123', '3000', '00340434161094042557', '1234567890123456789', '12345', ' 0123', '0123 0456', '１２', '٠١٢',
    '1-2', '1/2', '1.2', '2026-11-22', '23:05', '23:05:06', '5 PM', '1 1/2', '3 Mar', 'Mar-3', 'March 3, 2026', '3. M\u00e4rz', '5 mai',
    '1E5', '12e-3', '50%', '$5', '5 €', '(5)', '1,234', '.5', '5.', '#1', '0', '12345678901234567890E10', 'true', 'FALSE', '3. Ma\u0308r',
    "1'000", 'WAHR', 'vrai', '3 mrt', '3. Mrz',
  ])('of the text %j stays text', (text) => {
    expect(formatColumn([text])).toEqual([`"'${text}"`]);
  });
  // prettier-ignore
  it.each([
    'P-10001', 'INV-10001', 'acc_0123456789', '1Z999AA10123456784', 'RR123456785AU', '12 Hanging Lane', 'SW1A 1AA', 'Studio 54', '0x1F',
    'Marla 3', 'ma 3', 'Ada', 'https://x.example/1', '{"a":1}', "5'6", 'untrue', 'true story',
  ])('of the text %j needs no mark', (text) => {
    expect(formatColumn([text])).toEqual([`"${text.replaceAll('"', '""')}"`]);
  });
  it("of a time is two cells, the zone's day and time of day, in summer, in winter and in another zone", () => {
    const rows = ['2026-11-22T12:05:06.789Z', '2026-06-30T14:00:00Z', null].map((at) => ({ at }));
    const columns: CsvColumns<(typeof rows)[number]> = [['Placed', ({ at }) => at, 'time']];
    expect(csvHead(columns)).toBe('\ufeff"Placed","Placed time"\r\n');
    expect(csvRows(columns, rows, 'Australia/Melbourne')).toBe('2026-11-22,23:05:06\r\n2026-07-01,00:00:00\r\n,\r\n');
    expect(csvRows(columns, rows.slice(0, 1), 'UTC')).toBe('2026-11-22,12:05:06\r\n');
  });
  it('of a day is a day', () => {
    expect(csvRows([['Due', ({ due }: { due?: string }) => due, 'day']], [{ due: '2026-03-01' }, {}], 'UTC')).toBe('2026-03-01\r\n\r\n');
  });
  it('of null is empty, of a boolean is a word; the file starts with a UTF-8 byte order mark', () => {
    expect(formatColumn([null, true, false])).toEqual(['', 'yes', 'no']);
    expect(csvHead([['Account ID', () => null]])).toBe('\ufeff"Account ID"\r\n');
  });
});

const linesOf = ({ file }: HandlerResponse): AsyncIterator<string | Buffer> => {
  if (file === undefined || !(Symbol.asyncIterator in file.bytes)) throw new Error('this is no file that comes line by line');
  return file.bytes[Symbol.asyncIterator]();
};

describe('an order as CSV', () => {
  const service = useSharedService();

  it('has its recipient, postcode and tracking numbers as text', async () => {
    const shippingAddress = anAddress({ name: '3 Mar', city: 'Darwin', state: 'NT', postcode: '0800' });
    const { orderId, orderNumber } = await anOrder(service.trade(service.account.testKey), { shippingAddress });
    const numberOf = async (trackingNumber: string, parcelId: string) => {
      await service.studio().post(`/orders/${orderId}/parcels`, { parcelId, trackingNumber });
      const file = (await service.studio().get(`/orders.csv?environment=test&q=${orderNumber}`)).text.trimEnd().split('\r\n');
      const [headings = [], cells = []] = file.map((line) => line.split(','));
      const values = Object.fromEntries(headings.map((heading, at) => [heading.replaceAll('"', ''), cells[at]?.replaceAll('"', '')]));
      expect(values).toMatchObject({ Recipient: "'3 Mar", Postcode: "'0800", Placed: expect.stringMatching(/^\d{4}(-\d\d){2}$/) });
      return values['Tracking'];
    };
    expect(await numberOf('00340434161094042557', 'a')).toBe("'00340434161094042557");
    expect(await numberOf('1-2', 'b')).toBe("'00340434161094042557 1-2");
  });
});

describe('lists as CSV', () => {
  const MANY = 1_100;
  const service = useService(() => ({ worker: false }));
  let tokens: Record<'floor' | 'office' | 'admin', string>;
  beforeAll(async () => {
    tokens = { floor: await aToken(service, 'floor'), office: await aToken(service, 'office'), admin: service.adminToken };
    const { database } = service.deps;
    await database.run(`UPDATE accounts SET name = '=HYPERLINK("http://evil.example";"Küste")' WHERE id = $1`, [service.account.accountId]);
    const { orderId } = await anOrder(service.trade(service.account.testKey));
    const order = await findOrderById(database, orderId);
    const copies = Array.from({ length: MANY }, (_, at) => ({
      id: newId('ord'),
      quote: newId('quo'),
      created_at: new Date(Date.UTC(2026, 0, 1) + (at >> 1) * 60_000),
      order_number: `T-${9_000_000 + at}`,
    }));
    await copyRow(database, 'quotes', order?.quote_id ?? '', copies.map(({ quote }) => ({ id: quote }))); // prettier-ignore
    await copyRow(database, 'orders', orderId, copies.map(({ quote, ...rest }) => ({ ...rest, quote_id: quote, status: 'completed' }))); // prettier-ignore
  });

  const requestFile = (path: string, as: keyof typeof tokens = 'admin') =>
    request(`${service.studio().baseUrl}${path}`, { headers: { authorization: `Bearer ${tokens[as]}` } });
  const rowsOf = async (path: string, as?: keyof typeof tokens): Promise<string[][]> => {
    const text = (await (await requestFile(path, as)).body.text()).replace('\ufeff', '');
    return text.slice(0, -2).split('\r\n').map((line) => line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1'))); // prettier-ignore
  };

  it('have a file name with the day, and are not cached', async () => {
    const readToday = () => service.deps.calendar.today(service.deps.database, new Date());
    const days = [await readToday()];
    const { statusCode, headers, body } = await requestFile('/orders.csv?environment=test&status=received', 'floor');
    days.push(await readToday()); // midnight may pass
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers).toMatchObject({
      'content-disposition': expect.stringMatching(new RegExp(`^attachment; filename="orders-(${days.join('|')}).csv"$`)),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString()).toMatch(
      /^\ufeff"Order","Status",.*\r\n"T-\d+","received","test","'=HYPERLINK\(""http:\/\/evil\.example"";""Küste""\)",.*\r\n$/,
    );
  });

  it('have every row once in the order of the list, for every filter and sort', async () => {
    const { database } = service.deps;
    for (const [sort, order] of [
      ['newest', 'created_at DESC, id DESC'],
      ['oldest', 'created_at, id'],
    ]) {
      const stored = await database.rows<{ order_number: string }>(
        `SELECT order_number FROM orders WHERE status = 'completed' ORDER BY ${order}`,
      );
      const [, ...rows] = await rowsOf(`/orders.csv?environment=test&status=completed&sort=${sort}`);
      expect(rows.map(([number]) => number)).toEqual(stored.map(({ order_number }) => order_number));
      expect(rows).toHaveLength(MANY);
    }
  });

  it('have headings also without rows', async () => {
    expect(await rowsOf('/orders.csv?status=cancelled')).toEqual([expect.arrayContaining(['Order', 'Currency', 'Total'])]);
  });

  it.each([
    ['/invoices.csv?environment=test', 'Invoice'],
    ['/accounts.csv', 'Account'],
    ['/deliveries.csv', 'Delivery ID'],
    ['/webhook-endpoints.csv', 'Endpoint ID'],
    ['/attention.csv', 'Since'],
    ['/audit.csv', 'When'],
  ])('%s has a line of headings and its rows', async (path, heading) => {
    const [[first] = [], ...rows] = await rowsOf(path);
    const { data } = (await service.studio().get(path.replace('.csv', ''))).json;
    expect([first, rows.length]).toEqual([heading, data.length]);
    expect(rows.flat().filter((cell) => /\d\dT\d\d:/.test(cell) && !cell.includes('{'))).toEqual([]); // the audit log has JSON
  });

  it('a statement starts and ends with its balances', async () => {
    const path = `/accounts/${service.account.accountId}/statement.csv?environment=test&from=2020-01-01`; // a month may have ended
    const [headings = [], ...rows] = await rowsOf(path, 'office');
    const at = (row: string[] | undefined, heading: string) => row?.at(headings.indexOf(heading) - headings.length); // the name has commas
    expect(rows.map((row) => row[1])).toEqual([
      'opening balance',
      'invoice',
      'closing balance',
      'outstanding in the closing balance',
      'open invoice',
    ]);
    const [invoice] = (await service.studio().get('/invoices?environment=test')).json.data;
    expect([at(rows[3], 'Balance'), at(rows[4], 'Invoice'), at(rows[4], 'To pay')]).toEqual([
      at(rows[1], 'Balance'),
      invoice.invoiceNumber,
      (invoice.dueCents / 100).toFixed(2),
    ]);
    expect([at(rows[0], 'Balance'), at(rows[1], 'Amount'), at(rows[2], 'Balance')]).toEqual([
      '0.00',
      at(rows[1], 'Balance'),
      at(rows[1], 'Balance'),
    ]);
    expect(at(rows[1], 'Currency')).toBe('AUD');
  });

  it.each([
    ['/orders.csv?status=lost', 'floor', 400, 'VALIDATION_ERROR'],
    ['/orders.csv?limit=5', 'floor', 400, 'VALIDATION_ERROR'],
    ['/invoices.csv?from=2026-03-02&to=2026-03-01', 'office', 400, 'VALIDATION_ERROR'],
    ['/accounts/acc_00/statement.csv', 'office', 404, 'NOT_FOUND'],
    ['/accounts.csv', 'floor', 403, 'FORBIDDEN'],
    ['/audit.csv', 'office', 403, 'FORBIDDEN'],
  ] as const)('%s of the %s is refused in the envelope', async (path, role, status, code) => {
    const { statusCode, headers, body } = await requestFile(path, role);
    expect([statusCode, headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
    expect(await body.json()).toMatchObject({ data: null, error: { code } });
  });

  it('are read two pages at a time over all requests, and one more is refused while 30 wait', async () => {
    const [begun, finish] = [[] as (() => void)[], () => begun.splice(0).forEach((go) => go())];
    const find = () => new Promise<number[]>((resolve) => begun.push(() => resolve([1])));
    const list = { name: 'slow', mark: () => ({}), find, present: (one: number) => one };
    const asked = { deps: service.deps, caller: { bookVersion: 1 }, query: new URLSearchParams() } as never;
    const asking = Array.from({ length: 40 }, () => respondWithCsv(asked, {}, list as never, [['x', () => 1]]));
    const refused = await Promise.all(asking.slice(32).map((answer) => answer.catch((error: unknown) => error)));
    expect(refused).toEqual(Array(8).fill(expect.any(QueueOverloaded)));
    for (let turn = 0; turn < 16; turn += 1) {
      await waitFor('two turns', async () => begun.length === 2);
      finish();
    }
    expect(await Promise.all(asking.slice(0, 32))).toHaveLength(32);
  });

  it('are aborted when the token of the request is revoked', async () => {
    const { database } = service.deps;
    const [text, row] = [await aToken(service, 'office'), `studio_tokens WHERE token_hash = sha256($1::bytea)`];
    const token = await database.row<{ id: string }>(`SELECT id FROM ${row}`, [Buffer.from(text)]);
    const caller = { credential: { kind: 'token', tokenId: token?.id }, bookVersion: 1 };
    const whole = { name: 'endless', cursorOf: () => ({}), find: async () => Array(500).fill(1), present: (one: number) => one };
    const asked = { deps: service.deps, caller, query: new URLSearchParams() };
    const answer = await respondWithCsv(asked as never, {}, whole as never, [['x', () => 1]]);
    const lines = linesOf(answer);
    for (let page = 0; page < 4; page += 1) expect((await lines.next()).done).toBe(false);
    await database.run(`UPDATE ${row.replace('WHERE', 'SET revoked_at = now() WHERE')}`, [Buffer.from(text)]);
    await expect(lines.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('that fail halfway break the connection, so the file is not complete', async () => {
    const { database } = service.deps;
    await database.run(`UPDATE orders SET lines = '[null]' WHERE order_number = 'T-9000000'`); // the last row
    const { statusCode, body } = await requestFile('/orders.csv?environment=test&status=completed');
    let text = '';
    const read = async () => {
      for await (const chunk of body) text += String(chunk);
    };
    await expect(read()).rejects.toThrow();
    expect([statusCode, text.includes('T-9001099'), text.includes('T-9000000')]).toEqual([200, true, false]);
  });
});

it('a file is generated at the speed of the client, and stops when the client disconnects', async () => {
  let [made, ended] = [0, false];
  function* endlessRows() {
    try {
      for (;;) {
        made += 1;
        yield 'x'.repeat(65_536);
      }
    } finally {
      ended = true;
    }
  }
  const app = new Koa();
  app.use((ctx) => respond(ctx, 200, csvResponse('endless', endlessRows())));
  app.on('error', () => undefined);
  const server = createServer((asked, answer) => void app.callback()(asked, answer));
  const { body } = await request(`http://${await listen(server)}/`);
  for await (const _chunk of body) break; // disconnects
  await waitFor('the end', async () => ended);
  expect(made).toBeLessThan(1_000); // 64 MB
  server.close();
});
