import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { studioDocument } from '../../src/http/openapi/studio';
import { OrderFactory, sendMilestone } from '../service/http/studio/support';
import { anAddress } from '../support/baskets';
import type { Reply } from '../support/client';
import { anEndpoint } from '../support/endpoints';
import { describeWithProgram } from '../support/programs';
import { useService } from '../support/fixtures';
import { openInLibreOffice, type SpreadsheetCell, type SpreadsheetOptions } from './support/libreoffice';

/** Values that spreadsheets change if they are not marked as text. */
const HOSTILE = {
  account: '3. März',
  recipient: '007',
  postcode: '0800',
  tracking: ['00340434161094042557', '1-2', '+61390000000', '1E5', '=1+1', '3 Mar', '50%', '12:30'],
  paymentId: '2026-11-22',
  reference: '0012345',
  refundId: '1/2',
  refundReference: '1E5',
  reason: '(5)',
};

/** Its values are written as they are, for label programs. In the others, an apostrophe marks text that a spreadsheet would change. */
const FOR_LABEL_PROGRAMS = '/packed-orders.csv';

/** A cell of the file: text in quotes, or a value without. */
interface FileCell {
  quoted: boolean;
  text: string;
}

/** The cells of a file (RFC 4180), also with line breaks in quotes. */
function parseCsv(file: string): FileCell[][] {
  const rows: FileCell[][] = [[]];
  for (const [, quoted, bare, end] of file.replace('\ufeff', '').matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push({ quoted: quoted !== undefined, text: quoted?.replaceAll('""', '"') ?? bare ?? '' });
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

/** What LibreOffice must make of a cell. Null: the locale decides, because the decimal point is not its own. */
function expectedCell({ quoted, text }: FileCell, { locale, detectSpecialNumbers }: SpreadsheetOptions): object | null {
  if (text === '') return { text: '' };
  const [, hours, minutes, seconds] = /^(\d\d):(\d\d):(\d\d)$/.exec(text) ?? [];
  if (quoted || (hours !== undefined && !detectSpecialNumbers)) return { type: 'string', text };
  if (hours !== undefined) return { type: 'time', value: `PT${hours}H${minutes}M${seconds}S` };
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { type: 'date', value: text };
  if (text === 'yes' || text === 'no') return { type: 'string', text };
  if (text.includes('.') && locale === 'de-DE') return null;
  return { type: 'float', value: String(Number(text)) };
}

describeWithProgram('soffice', 'Each CSV file for spreadsheets, in LibreOffice,', () => {
  const service = useService();
  const files = new Map<string, string>();
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trade-print-spreadsheets-'));
    const { database } = service.deps;
    const { accountId } = service.account;
    const studio = service.studio();
    const expectOk = async (reply: Promise<Reply>): Promise<void> => {
      const { status, text } = await reply;
      if (status >= 300) throw new Error(text);
    };
    await database.run('UPDATE accounts SET name = $2, credit_limit_cents = 123456 WHERE id = $1', [accountId, HOSTILE.account]);
    await anEndpoint(database, accountId, 'https://shop.example/1', 'live');
    const shippingAddress = anAddress({ name: HOSTILE.recipient, city: 'Darwin', state: 'NT', postcode: HOSTILE.postcode });
    const orders = new OrderFactory(service, 'live', { shippingAddress });
    for (const [index, trackingNumber] of HOSTILE.tracking.entries()) {
      const { orderId } = await orders.place();
      await expectOk(studio.post(`/orders/${orderId}/parcels`, { parcelId: `${index}-1`, trackingNumber }));
    }
    const { orderId } = await orders.place();
    const { invoiceNumber } = (await studio.get(`/orders/${orderId}`)).json.data.invoice;
    const money = { environment: 'live', amountCents: 1000 };
    const { reason, refundId } = HOSTILE;
    await expectOk(studio.post(`/accounts/${accountId}/payments`, { ...money, paymentId: HOSTILE.paymentId, amountCents: 99_999_900, reference: HOSTILE.reference })); // prettier-ignore
    await expectOk(studio.post(`/accounts/${accountId}/refunds`, { ...money, refundId, reference: HOSTILE.refundReference }));
    await expectOk(studio.post(`/invoices/${invoiceNumber}/credit-notes`, { creditNoteId: '7', amountCents: 105, reason }));
    await expectOk(sendMilestone(studio, orderId, 'cancelled'));
    await expectOk(studio.post(`/orders/${orderId}/parcels`, { parcelId: 'late', trackingNumber: '0' })); // raises attention
    const toCut = await orders.place();
    const queries: Record<string, string> = { '/cutting-list.csv': `?orders=${toCut.orderId}` };
    const paths = Object.keys(studioDocument()['paths'] as object).filter((each) => each.endsWith('.csv') && each !== FOR_LABEL_PROGRAMS);
    for (const path of paths) {
      const { status, text } = await studio.get(path.replace('{id}', accountId) + (queries[path] ?? ''));
      if (status !== 200) throw new Error(text);
      files.set(path, text);
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    { locale: 'en-AU', detectSpecialNumbers: true },
    { locale: 'en-AU', detectSpecialNumbers: false },
    { locale: 'de-DE', detectSpecialNumbers: true },
    { locale: 'de-DE', detectSpecialNumbers: false },
  ])('has dates, times, numbers and text as written, with %j', async (options) => {
    const opened = await openInLibreOffice(join(folder, `${options.locale}-${options.detectSpecialNumbers}`), files, options);
    const wrong: unknown[] = [];
    for (const [path, file] of files) {
      const [headings = [], ...rows] = parseCsv(file);
      const [shownHeadings = [], ...shownRows] = opened.get(path) ?? [];
      expect([path, shownHeadings.slice(0, headings.length).map(({ text }) => text), shownRows.length]).toEqual([
        path,
        headings.map(({ text }) => text),
        rows.length,
      ]);
      expect([path, rows.length]).not.toEqual([path, 0]);
      for (const [at, row] of rows.entries()) {
        expect(row).toHaveLength(headings.length);
        for (const [column, cell] of row.entries()) {
          const shown: SpreadsheetCell = shownRows[at]?.[column] ?? { type: 'empty', value: null, text: '' };
          const expected = expectedCell(cell, options);
          const isEqual = Object.entries(expected ?? {}).every(([name, value]) =>
            name === 'value' && shown.type === 'float'
              ? Number(shown.value) === Number(value)
              : shown[name as keyof SpreadsheetCell] === value,
          );
          if (!isEqual) wrong.push({ path, heading: headings[column]?.text, cell, shown });
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has each value in a column of its kind', () => {
    const kinds = new Map<string, Set<string>>();
    const texts = new Set<string>();
    for (const file of files.values()) {
      const [headings = [], ...rows] = parseCsv(file);
      for (const row of rows) {
        for (const [column, { quoted, text }] of row.entries()) {
          if (quoted) texts.add(text);
          if (text === '') continue;
          const kind = quoted ? 'text' : /^\d{4}-/.test(text) ? 'day' : text.includes(':') ? 'time' : 'number';
          const heading = headings[column]?.text ?? '';
          kinds.set(heading, new Set(kinds.get(heading)).add(kind));
        }
      }
    }
    expect([...kinds.values()].filter((each) => each.size !== 1)).toEqual([]);
    const kindOf = (heading: string) => [...(kinds.get(heading) ?? [])].join();
    const days = ['Placed', 'Due', 'Day', 'Received', 'Recorded', 'Issued', 'Void since', 'Since', 'When', 'Opened', 'Made', 'Registered'];
    expect([...new Set(days.map(kindOf))]).toEqual(['day']);
    expect([...new Set([...kinds.keys()].filter((heading) => heading.endsWith(' time')).map(kindOf))]).toEqual(['time']);
    expect([...new Set(['Recipient', 'Postcode', 'Tracking', 'Reference', 'Payment ID', 'Refund ID', 'Reason'].map(kindOf))]).toEqual([
      'text',
    ]);
    expect([...new Set(['Amount', 'Total', 'Balance', 'GST contained', 'Sequence', 'Attempts'].map(kindOf))]).toEqual(['number']);
    expect([...texts]).toEqual(expect.arrayContaining(Object.values(HOSTILE).flat().map((text) => `'${text}`))); // prettier-ignore
  });
});
