import { TradePrint } from '@trade-print/client';
import sharp from 'sharp';
import { FIRST_PRICE_BOOK, holidaysFrom } from '../../../../src/db/seed/price-book';
import { aKey } from '../../../support/accounts';
import { aLine, anOrder } from '../../../support/baskets';
import type { HttpClient } from '../../../support/client';
import { startService, type TestService } from '../../../support/service';
import { waitFor } from '../../../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../../../support/webhook-receiver';

/** A studio in the middle of a day, with data for every screen of the console. */
export interface Day {
  service: TestService;
  /** The account of most orders. A third of its invoices are paid, and its receiver answers 500 to some events. */
  north: string;
  /** Nearly all its credit is used; its receiver never answers. */
  south: string;
  /** A framed order with a shipped parcel, a remake and a payment. */
  order: string;
  /** An order that is still received. */
  received: string;
  /** A delivery that was given up. */
  failed: string;
  /** Token of an admin named Ines, who did all of it. */
  token: string;
  stop(): Promise<void>;
}

const DUNES = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 400">
  <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#274b7a"/><stop offset="1" stop-color="#f6c998"/></linearGradient>
  <rect width="300" height="400" fill="url(#sky)"/><circle cx="210" cy="120" r="30" fill="#fff3d6"/>
  <path d="M0 290C80 190 150 250 300 200V400H0Z" fill="#d9985b"/><path d="M0 330C110 250 190 360 300 290V400H0Z" fill="#9a5b34"/></svg>`;

/** Events that the receiver of most orders refuses this morning. */
const REJECTED_EVENT_TYPES: ReadonlySet<string> = new Set(['order.shipped', 'order.on_hold']);

/** A service with that day, created by the API alone, except for past times: an expired due date and earlier days. */
export async function aDay(): Promise<Day> {
  const receiver = await startReceiver();
  receiver.respondWith(
    ({ type }, response) =>
      void (REJECTED_EVENT_TYPES.has(type) ? response.writeHead(500).end('disk full') : response.writeHead(204).end()),
  );
  const silent = await startReceiver();
  silent.respondWith(() => undefined);
  const service = await startService({
    inspector: true,
    env: { WEBHOOK_ALLOWED_ORIGINS: `${receiver.origin},${silent.origin}`, WEBHOOK_RETRY_SCHEDULE: '100ms,200ms' },
  });
  const stop = async (): Promise<void> => {
    await Promise.all([receiver.close(), silent.close()]);
    await service.stop();
  };
  try {
    return { service, ...(await new DayBuilder(service).build(receiver, silent)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class DayBuilder {
  private admin: HttpClient;
  constructor(private readonly service: TestService) {
    this.admin = service.studio();
  }

  async build(receiver: WebhookReceiver, silent: WebhookReceiver): Promise<Omit<Day, 'service' | 'stop'>> {
    const { token } = await this.request('POST', '/tokens', { name: 'Ines', role: 'admin' });
    this.admin = this.service.studio(token as string);
    await this.createSettings();
    const { accountId: north, liveKey } = this.service.account;
    const south = await this.account();
    await this.request('POST', `/accounts/${north}/webhook-endpoints`, { environment: 'live', url: receiver.url });
    await this.request('POST', `/accounts/${south}/webhook-endpoints`, { environment: 'live', url: silent.url });
    const order = await this.placeOrders(this.service.trade(liveKey));
    await this.recordMoney(north);
    const failed = await this.failed();
    const key = await aKey(this.service.deps.database, south, { environment: 'live' });
    const { orderNumber: received } = await anOrder(this.service.trade(key), { items: await this.items('S-1', 2, 2400, key) });
    await this.useCredit(south);
    await this.sendMails(north);
    await this.service.deps.database.run('ANALYZE');
    return { north, south, order, received, failed, token };
  }

  /** @returns the data of the response */
  private async request(method: 'POST' | 'PATCH' | 'PUT' | 'GET', path: string, body?: object): Promise<any> {
    const { status, json, text } = await this.admin.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json.data;
  }

  private async createSettings(): Promise<void> {
    await this.request('PATCH', '/settings', {
      studio: {
        name: 'Print Studio',
        abn: '51 824 753 556',
        address: '3 Press Street, Brunswick VIC 3056',
        bank: 'BSB 083-004, account 1234 5678',
      },
    });
    await this.request('PATCH', '/catalogue/mouldings/moulding-walnut-20', { withdrawn: true });
    const classes = Object.fromEntries(
      Object.entries(FIRST_PRICE_BOOK.print.classes).map(([name, rate]) => [
        name,
        rate && { ...rate, centsPerSqm: rate.centsPerSqm + 500 },
      ]),
    );
    const print = { ...FIRST_PRICE_BOOK.print, classes };
    const holidays = holidaysFrom(new Date().toISOString());
    await this.request('POST', '/price-books', { book: { ...FIRST_PRICE_BOOK, holidays, print } });
    await this.request('POST', '/tokens', { name: 'Press', role: 'floor' });
    await this.request('POST', '/tokens', { name: 'Front desk', role: 'office' });
  }

  private async account(): Promise<string> {
    const terms = { tradeDiscountBps: 1250, creditLimitCents: 500_000, paymentTermsDays: 14 };
    const { id } = await this.request('POST', '/accounts', { name: 'Salt & Light Framing', email: 'orders@salt.example', ...terms });
    await this.request('POST', '/accounts', { name: 'Late Frames', email: 'accounts@late.example', status: 'suspended' });
    await this.request('POST', `/accounts/${id}/keys`, { environment: 'live', scopes: ['price:read', 'orders:read'], name: 'web shop' });
    return id;
  }

  /** Billing details of an account, its statement, and the statements to all. */
  private async sendMails(north: string): Promise<void> {
    await this.request('PATCH', `/accounts/${north}`, {
      billingAddress: { line1: '4 Wharf Road', city: 'Sydney', state: 'NSW', postcode: '2000', country: 'AU' },
      abn: '53 004 085 616',
      defaultReference: 'PO-2026',
      contacts: [{ name: 'Mia Chen', role: 'billing', email: 'mia@gallery-north.example', phone: '02 5550 0104' }],
      reminders: true,
    });
    await this.request('POST', `/accounts/${north}/statement/send`, { sendId: 'today' });
    const { id } = await this.request('POST', '/statement-runs', { runId: 'month' });
    await waitFor('the statements', async () => (await this.admin.get(`/statement-runs/${id}`)).json.data?.state === 'completed');
  }

  /** One order in each status, one of them late. @returns the id of the one with the most data */
  private async placeOrders(trade: HttpClient): Promise<string> {
    const place = async (reference: string, pixelsWide?: number): Promise<string> =>
      ((await anOrder(trade, { items: await this.items(reference, 1, pixelsWide) })) as { orderId: string }).orderId;
    const shipped = await place('N-1');
    const order = await this.framed(trade);
    const [completed, held, cancelled, small] = [await place('N-3'), await place('N-4'), await place('N-5'), await place('N-6', 300)];
    await this.sendMilestones(shipped, 'production_started', 'printed');
    await this.addParcel(shipped, 'CC-20041-AU');
    await this.sendMilestones(completed, 'production_started', 'printed', 'completed');
    await this.sendMilestones(await place('N-7'), 'production_started');
    await this.sendMilestones(held, 'production_started', 'held');
    await this.sendMilestones(cancelled, 'cancelled');
    await this.startProduction(order);
    await this.makeLate([small, shipped]);
    // Eight pictures are inspected, one after the other.
    const attention = `SELECT 1 FROM order_attention WHERE code = 'ARTWORK_LOW_RESOLUTION'`;
    await waitFor('attention on the order', () => this.service.deps.database.row(attention), 600_000);
    return order;
  }

  private async framed(trade: HttpClient): Promise<string> {
    const [line, print] = [...(await this.items('N-2', 2)), ...(await this.items('N-2b', 1))] as [ReturnType<typeof aLine>, object];
    const frame = { mouldingId: 'moulding-oak-natural-20', glazingId: 'glazing-clear-acrylic-2' };
    const framed = { ...line, productSlug: 'custom-framing', variantSelections: { ...line.variantSelections, ...frame } };
    return ((await anOrder(trade, { items: [framed, print] })) as { orderId: string }).orderId;
  }

  private async startProduction(order: string): Promise<void> {
    await this.sendMilestones(order, 'production_started');
    await this.addParcel(order, 'CC-20040-AU', [{ line: 0, quantity: 1 }]);
    await this.request('POST', `/orders/${order}/remakes`, {
      remakeId: 'corner',
      lines: [{ line: 0, quantity: 1 }],
      reason: 'A corner was dented on the way.',
    });
    await this.request('POST', `/orders/${order}/payments`, { paymentId: 'bank-1', amountCents: 2500, reference: 'deposit' });
  }

  private async sendMilestones(order: string, ...types: string[]): Promise<void> {
    for (const type of types)
      await this.request('POST', `/orders/${order}/milestones`, {
        milestoneId: `${type}-1`,
        type,
        ...(type === 'held' ? { note: 'Waiting for paper.' } : {}),
      });
  }

  private addParcel(order: string, trackingNumber: string, lines?: object[]): Promise<unknown> {
    const of = lines === undefined ? {} : { lines };
    return this.request('POST', `/orders/${order}/parcels`, {
      parcelId: 'p-1',
      trackingNumber,
      carrier: 'Coastal Couriers',
      trackingUrl: `https://track.example/${trackingNumber}`,
      ...of,
    });
  }

  private async makeLate([small, shipped]: [string, string]): Promise<void> {
    const { database } = this.service.deps;
    await database.run(`UPDATE orders SET due_date = current_date - 3 WHERE id = $1`, [small]);
    await database.run(`UPDATE orders SET created_at = created_at - interval '4 days' WHERE id = ANY($1)`, [[small, shipped]]);
  }

  private async recordMoney(account: string): Promise<void> {
    const invoices: { invoiceId: string; amountCents: number }[] = await this.request('GET', `/invoices?accountId=${account}&sort=oldest`);
    const [first, second] = invoices.filter(({ amountCents }) => amountCents > 0);
    if (first === undefined || second === undefined) throw new Error('two invoices were to be there');
    const shares = [
      { invoiceId: first.invoiceId, amountCents: first.amountCents },
      { invoiceId: second.invoiceId, amountCents: 1000 },
    ];
    const payment = { environment: 'live', reference: 'NAB 4711', invoices: shares, amountCents: first.amountCents + 1000 + 1500 };
    await this.request('POST', `/accounts/${account}/payments`, { paymentId: 'bank-2', ...payment });
    await this.request('POST', `/invoices/${first.invoiceId}/credit-notes`, {
      creditNoteId: 'note-1',
      amountCents: 500,
      reason: 'A scratch.',
    });
  }

  private async failed(): Promise<string> {
    return waitFor(
      'a delivery that was given up',
      async () => (await this.request('GET', '/deliveries?state=failed'))[0]?.id as string | undefined,
    );
  }

  private async useCredit(account: string): Promise<void> {
    const { live } = await this.request('GET', `/accounts/${account}`);
    await this.request('PATCH', `/accounts/${account}`, {
      creditLimitCents: Math.ceil(((live.outstandingCents as number) - (live.creditCents as number)) / 0.93),
    });
  }

  /** One line of a picture with this number of pixels. A sixth of them is too few for a good print. */
  private async items(
    reference: string,
    quantity: number,
    pixelsWide = 2400,
    apiKey = this.service.account.liveKey,
  ): Promise<ReturnType<typeof aLine>[]> {
    const trade = new TradePrint({ apiKey, baseUrl: `http://127.0.0.1:${this.service.api.tradePort}/v1` });
    const picture = await sharp(Buffer.from(DUNES)).resize(pixelsWide).jpeg().toBuffer();
    const file = { filename: `${reference}.jpg`, contentType: 'image/jpeg' } as const;
    const { url } = await trade.uploads.upload(new Blob([Uint8Array.from(picture)]), file);
    return [aLine(url, { quantity, externalReference: reference })];
  }
}
