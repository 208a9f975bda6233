import { Random } from '../../support/random';
import { anAccount, type TestAccount } from '../../support/accounts';
import { aQuote, placeOrder } from '../../support/baskets';
import type { HttpClient, Reply } from '../../support/client';
import { copyQuote } from '../../support/row-copies';
import { startService, type TestService } from '../../support/service';
import { aToken, sendMilestone } from '../../service/http/studio/support';
import { AccountOracle, type OracleRequest, type PaymentShare } from './account-model';

type OrderEnvironment = 'live' | 'test';
const ORDER_ENVIRONMENTS = ['live', 'test'] as const;
const STEPS = 240;

/** Possible actions on an account. Repeated entries are more likely. */
const REQUEST_KINDS = [
  ...Array<OracleRequest['what']>(5).fill('place'),
  ...Array<OracleRequest['what']>(5).fill('pay'),
  ...Array<OracleRequest['what']>(3).fill('reverse'),
  ...Array<OracleRequest['what']>(4).fill('note'),
  ...Array<OracleRequest['what']>(3).fill('reverse note'),
  ...Array<OracleRequest['what']>(7).fill('pay account'),
  ...Array<OracleRequest['what']>(3).fill('reverse account'),
  ...Array<OracleRequest['what']>(4).fill('refund'),
  ...Array<OracleRequest['what']>(2).fill('reverse refund'),
  ...Array<OracleRequest['what']>(2).fill('limit'),
  'client cancel',
  'studio cancel',
  'currency',
] as const;

/** The same instant in formats of different programs. */
const ZONES = ['Z', '+10:00', '-03:30', '+00:00'] as const;
function formatInZone(at: number, zone: (typeof ZONES)[number]): string {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(at + offset).toISOString().replace('Z', zone);
}

/** The history of an account, by requests of the account and of the studio. */
class AccountLife {
  readonly outcomes = new Set<string>();
  private readonly sentRequests: OracleRequest[] = [];
  private readonly invoiceNames = new Map<string, [string, string]>();
  private ids = 0;

  constructor(
    private readonly service: TestService,
    private readonly account: TestAccount,
    private readonly office: HttpClient,
    private readonly admin: HttpClient,
    private readonly quoteId: string,
    readonly oracle: AccountOracle,
    private readonly random: Random,
  ) {}

  /** Sends a request and compares the response with the model. */
  async sendNext(): Promise<void> {
    await this.ask(this.next());
  }

  async ask(ask: OracleRequest): Promise<void> {
    const expected = this.oracle.answer(ask);
    const reply = await this.send(ask);
    const code = reply.json.error?.code ?? (reply.status < 300 ? 'OK' : String(reply.status));
    expect([ask, code]).toEqual([ask, expected]);
    this.outcomes.add(`${ask.what} ${code}`);
    if (this.sentRequests.includes(ask)) this.outcomes.add(`${ask.what} again ${code}`);
    if (ask.what.startsWith('reverse') && ORDER_ENVIRONMENTS.some((world) => this.oracle.credit(world) < 0)) this.outcomes.add('a bounce');
    if (ask.what === 'place' && code === 'OK') await this.note(ask.world, ask.cents, reply.json.data.orderId);
    if (ask.what !== 'place') this.sentRequests.push(ask);
  }

  /** A sequence too rare for random tests: a refund of credit, the reversal of its credit note, then the reversal of the payment. */
  async spendAndBounce(world: OrderEnvironment): Promise<void> {
    await this.ask({ what: 'limit', cents: null });
    await this.ask({ what: 'place', world, cents: 1000 });
    const orderId = this.oracle.ordersIn(world).at(-1)?.id ?? '';
    const plain = { at: null, reference: null };
    await this.ask({ what: 'pay', orderId, id: 'bounces', cents: 1000, ...plain });
    const note = { what: 'note', orderId, id: 'spent', cents: 400, reason: 'scratched' } as const;
    await this.ask(note);
    await this.ask(note);
    const spent = Math.max(1, this.oracle.credit(world));
    await this.ask({ what: 'refund', world, id: `spent ${world}`, cents: spent, reference: null });
    await this.ask({ what: 'reverse note', orderId, id: 'spent', reversalId: 'no', reason: 'wrong order' });
    await this.ask({ what: 'reverse', orderId, id: 'bounces' });
    await this.ask({ what: 'reverse refund', id: `spent ${world}`, reversalId: 'r', reason: 'account closed' });
    await this.ask({ what: 'refund', world, id: `spent ${world}`, cents: spent, reference: null });
  }

  /** Debt and credit of the account in both environments. */
  async expectBalances(): Promise<void> {
    const shown = (await this.office.get(`/accounts/${this.account.accountId}`)).json.data;
    for (const world of ORDER_ENVIRONMENTS) {
      const { outstandingCents, creditCents } = shown[world];
      expect([world, outstandingCents, creditCents]).toEqual([world, this.oracle.outstanding(world), this.oracle.credit(world)]);
      expect([world, shown[world].availableCents]).toEqual([world, this.oracle.available(world)]);
    }
  }

  /** Every invoice, and the statement line by line. */
  async expectStatements(): Promise<void> {
    const { accountId } = this.account;
    for (const world of ORDER_ENVIRONMENTS) {
      const invoices = await this.readAllPages(`/invoices?environment=${world}&accountId=${accountId}&sort=oldest&limit=100`);
      const fields = ({ orderId, currency, amountCents, paidCents, creditedCents, dueCents, state }: Record<string, unknown>) => {
        return { orderId, currency, amountCents, paidCents, creditedCents, dueCents, state };
      };
      expect(invoices.map(fields)).toEqual(this.oracle.ordersIn(world).map((order) => this.oracle.invoice(order)));
      const { entries, openingCents, closingCents } = (
        await this.office.get(`/accounts/${accountId}/statement?environment=${world}&from=2020-01-01`)
      ).json.data;
      const line = ({ type, amountCents, orderId, paymentId, refundId }: Record<string, unknown>) => {
        return { type, amountCents, orderId, paymentId, refundId };
      };
      expect(entries.map(line)).toEqual(this.oracle.entries[world]);
      expect([openingCents, closingCents]).toEqual([0, this.oracle.balance(world)]);
    }
  }

  private async readAllPages(path: string): Promise<Record<string, unknown>[]> {
    const { json } = await this.office.get(path);
    const next = json.nextCursor ?? null;
    return [
      ...json.data,
      ...(next === null ? [] : await this.readAllPages(`${path.split('&cursor=')[0]}&cursor=${encodeURIComponent(next)}`)),
    ];
  }

  private async note(world: OrderEnvironment, cents: number, orderId: string): Promise<void> {
    this.oracle.recordOrder(orderId, world, cents);
    const invoice = await this.service.deps.database.row<{ id: string; invoice_number: string }>(
      'SELECT id, invoice_number FROM invoices WHERE order_id = $1',
      [orderId],
    );
    this.invoiceNames.set(orderId, [invoice?.id ?? '', invoice?.invoice_number ?? '']);
  }

  /** A new request, or an earlier one in another form or with other content. */
  private next(): OracleRequest {
    if (this.sentRequests.length > 0 && this.random.chance(0.2)) return this.random.pick(this.sentRequests);
    if (this.sentRequests.length > 0 && this.random.chance(0.1)) return withOtherContent(this.random.pick(this.sentRequests));
    const world = this.random.pick(ORDER_ENVIRONMENTS);
    const orders = this.oracle.ordersIn(world);
    if (orders.length === 0) return { what: 'place', world, cents: this.cents(9000) };
    return this.newRequest(this.random.pick(REQUEST_KINDS), world, this.random.pick(orders));
  }

  private newRequest(what: OracleRequest['what'], world: OrderEnvironment, order: { id: string }): OracleRequest {
    const id = `${(this.ids += 1)}`;
    const orderId = order.id;
    const at = this.random.chance(0.5) ? null : Date.UTC(2026, 2, 1 + this.random.between(0, 20), this.random.between(0, 23));
    const reference = this.random.chance(0.5) ? null : `EFT ${id}`;
    const known = this.oracle.orders.get(orderId);
    switch (what) {
      case 'place':
        return { what, world, cents: this.cents(9000) };
      case 'client cancel':
      case 'studio cancel':
        return { what, orderId };
      case 'pay':
        return { what, orderId, id, cents: this.centsNear(known === undefined ? 0 : this.oracle.due(known)), at, reference };
      case 'reverse':
        return { what, orderId, id: this.idOrUnknown([...(known?.payments.keys() ?? [])], id) };
      case 'note':
        return { what, orderId, id, cents: this.cents(4000), reason: `complaint ${id}` };
      case 'reverse note':
        return {
          what,
          orderId,
          id: this.idOrUnknown([...(known?.notes.keys() ?? [])], id),
          reversalId: `back ${id}`,
          reason: 'wrong order',
        };
      case 'pay account':
        return this.aPayment(world, id, { at, reference });
      case 'reverse account':
        return { what, id: this.idOrUnknown([...this.oracle.payments.keys()], id) };
      case 'refund':
        return { what, world, id, cents: this.centsNear(Math.max(0, this.oracle.credit(world))), reference };
      case 'reverse refund':
        return { what, id: this.idOrUnknown([...this.oracle.refunds.keys()], id), reversalId: `back ${id}`, reason: 'account closed' };
      case 'limit':
        return { what, cents: this.random.chance(0.4) ? null : this.random.between(0, 20_000) };
      case 'currency':
        return { what, currency: this.random.pick(['AUD', 'NZD', 'USD']) };
    }
  }

  private aPayment(world: OrderEnvironment, id: string, { at, reference }: { at: number | null; reference: string | null }): OracleRequest {
    const source = this.random.chance(0.35) ? 'credit' : 'money';
    const credit = Math.max(1, this.oracle.credit(world));
    const kind = this.random.pick(['oldest', 'named', 'none']);
    const common = { what: 'pay account', world, id, source, at, reference } as const;
    if (kind !== 'named') {
      const cents = source === 'credit' ? this.centsNear(Math.min(credit, this.oracle.outstanding(world))) : this.cents(12_000);
      return { ...common, cents, shares: kind === 'oldest' ? null : [] };
    }
    const shares = this.randomSubset(this.oracle.ordersIn(world)).map((order): PaymentShare => ({
      orderId: order.id,
      cents: this.centsNear(this.oracle.due(order)),
    }));
    const named = shares.reduce((cents, share) => cents + share.cents, 0);
    return { ...common, cents: Math.max(1, named + (source === 'credit' ? 0 : this.random.between(0, 800))), shares };
  }

  /** Up to three different elements. */
  private randomSubset<T>(list: readonly T[]): T[] {
    return [...new Set(Array.from({ length: this.random.between(1, 3) }, () => this.random.pick(list)))];
  }

  private cents(most: number): number {
    return this.random.between(1, most);
  }

  /** Often exactly this amount, sometimes less, rarely more. */
  private centsNear(cents: number): number {
    if (cents < 1) return this.cents(500);
    return this.random.chance(0.5) ? cents : this.random.between(1, Math.ceil(cents * 1.2));
  }

  private idOrUnknown(ids: readonly string[], unknown: string): string {
    return ids.length === 0 || this.random.chance(0.05) ? `no ${unknown}` : this.random.pick(ids);
  }

  private async send(ask: OracleRequest): Promise<Reply> {
    const account = `/accounts/${this.account.accountId}`;
    switch (ask.what) {
      case 'place':
        return this.place(ask.world, ask.cents);
      case 'client cancel':
        return this.trade(this.oracle.orders.get(ask.orderId)?.world ?? 'test').post(`/orders/${ask.orderId}/cancel`);
      case 'studio cancel':
        return sendMilestone(this.office, ask.orderId, 'cancelled');
      case 'pay':
        return this.office.post(`/orders/${ask.orderId}/payments`, { paymentId: ask.id, amountCents: ask.cents, ...this.words(ask) });
      case 'reverse':
        return this.office.post(`/orders/${ask.orderId}/payments/${encodeURIComponent(ask.id)}/reverse`, { reason: 'bounced' });
      case 'note': {
        const [byId, byNumber] = this.invoiceNames.get(ask.orderId) ?? ['', ''];
        const body = { creditNoteId: ask.id, amountCents: ask.cents, reason: ask.reason };
        return this.office.post(`/invoices/${this.random.pick([byId, byNumber])}/credit-notes`, body);
      }
      case 'reverse note':
        return this.office.post(`/orders/${ask.orderId}/credit-notes/${encodeURIComponent(ask.id)}/reverse`, {
          reversalId: ask.reversalId,
          reason: ask.reason,
        });
      case 'pay account':
        return this.office.post(`${account}/payments`, {
          paymentId: ask.id,
          environment: ask.world,
          amountCents: ask.cents,
          ...(ask.source === 'money' && this.random.chance(0.5) ? {} : { source: ask.source }),
          ...(ask.shares === null ? {} : { invoices: this.named(ask.shares) }),
          ...this.words(ask),
        });
      case 'reverse account':
        return this.office.post(`${account}/payments/${encodeURIComponent(ask.id)}/reverse`, { reason: 'bounced' });
      case 'refund': {
        const { receivedAt: _none, ...words } = this.words({ at: null, reference: ask.reference });
        return this.office.post(`${account}/refunds`, { refundId: ask.id, environment: ask.world, amountCents: ask.cents, ...words });
      }
      case 'reverse refund':
        return this.office.post(`${account}/refunds/${encodeURIComponent(ask.id)}/reverse`, {
          reversalId: ask.reversalId,
          reason: ask.reason,
        });
      case 'limit':
        return this.office.send('PATCH', account, { creditLimitCents: ask.cents });
      case 'currency':
        return publishInCurrency(this.admin, ask.currency);
    }
  }

  private trade(world: OrderEnvironment): HttpClient {
    return this.service.trade(world === 'live' ? this.account.liveKey : this.account.testKey);
  }

  private async place(world: OrderEnvironment, cents: number): Promise<Reply> {
    const [quoteId = ''] = await copyQuote(this.service.deps.database, this.quoteId, 1, {
      account_id: this.account.accountId,
      environment: world,
      currency: this.oracle.currency,
      subtotal_cents: cents,
      discount_cents: 0,
      shipping_cents: 0,
      rush_fee_cents: 0,
      total_cents: cents,
      gst_cents: Math.floor(cents / 11),
    });
    return placeOrder(this.trade(world), quoteId);
  }

  /** A time and a reference in the format of one of many programs. */
  private words({ at, reference }: { at: number | null; reference: string | null }): Record<string, unknown> {
    const none = this.random.pick<Record<string, unknown>>([{}, { reference: null }, { reference: '' }]);
    return {
      ...(at === null ? this.random.pick([{}, { receivedAt: null }]) : { receivedAt: formatInZone(at, this.random.pick(ZONES)) }),
      ...(reference === null ? none : { reference }),
    };
  }

  /** In any order, by id or number. */
  private named(shares: readonly PaymentShare[]): { invoiceId: string; amountCents: number }[] {
    const named = shares.map(({ orderId, cents }) => ({
      invoiceId: this.random.pick(this.invoiceNames.get(orderId) ?? []),
      amountCents: cents,
    }));
    return this.random.chance(0.5) && this.isRepeat(shares) ? named.toReversed() : named;
  }

  /** A first payment is booked in the order of its invoices. */
  private isRepeat(shares: readonly PaymentShare[]): boolean {
    return this.sentRequests.some((ask) => ask.what === 'pay account' && ask.shares === shares);
  }
}

/** Another content under the same id. */
function withOtherContent(ask: OracleRequest): OracleRequest {
  if ('reason' in ask) return { ...ask, reason: `${ask.reason} after all` };
  return 'cents' in ask && ask.cents !== null ? { ...ask, cents: ask.cents + 1 } : ask;
}

/** The first price book in another currency, as the next version. */
async function publishInCurrency(admin: HttpClient, currency: string): Promise<Reply> {
  const { book } = (await admin.get('/price-books/1')).json.data;
  return admin.post('/price-books', { book: { ...book, currency } });
}

/** Outcomes that must occur, or the test proves nothing. */
const EXPECTED = [
  'client cancel OK',
  'client cancel ORDER_NOT_CANCELLABLE',
  'note MILESTONE_REFUSED',
  'note again OK',
  'pay MILESTONE_REFUSED',
  'pay MILESTONE_ID_REUSED',
  'pay again OK',
  'pay again MILESTONE_REFUSED',
  'pay account again OK',
  'pay account again PAYMENT_REFUSED',
  'pay account CREDIT_INSUFFICIENT',
  'pay account PAYMENT_ID_REUSED',
  'pay account PAYMENT_REFUSED',
  'place CREDIT_LIMIT_EXCEEDED',
  'refund CREDIT_INSUFFICIENT',
  'refund PAYMENT_REFUSED',
  'refund again OK',
  'reverse note again OK',
  'reverse OK',
  'reverse account OK',
  'reverse note CREDIT_INSUFFICIENT',
  'reverse note MILESTONE_REFUSED',
  'reverse note OK',
  'reverse refund OK',
  'studio cancel OK',
  'a bounce',
];

describe('random histories of an account', () => {
  const outcomes = new Set<string>();
  let service: TestService;
  beforeEach(async () => {
    service = await startService({ env: { RATE_LIMIT_FACTOR: '100' } });
  });
  afterEach(() => service.stop());

  it.each([
    [1, 'NZD'],
    [2, 'AUD'],
  ])('follow the rulings at every step (seed %d, %s)', async (seed, currency) => {
    const account = await anAccount(service.deps.database);
    const office = service.studio(await aToken(service, 'office'));
    const { quoteId } = await aQuote(service.trade(service.account.testKey));
    const oracle = new AccountOracle('AUD');
    const life = new AccountLife(service, account, office, service.studio(), quoteId, oracle, new Random(seed));
    await life.ask({ what: 'currency', currency });
    for (let step = 1; step <= STEPS; step += 1) {
      await life.sendNext();
      await life.expectBalances();
      if (step === STEPS / 2) await life.spendAndBounce('live');
      if (step % 20 === 0) await life.expectStatements();
    }
    for (const outcome of life.outcomes) outcomes.add(outcome);
  });

  it('cover all possible actions', () => {
    expect(EXPECTED.filter((outcome) => !outcomes.has(outcome))).toEqual([]);
  });
});
