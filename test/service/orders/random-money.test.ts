import { createActivities } from '../../../activities';
import type { OrderMessage } from '../../../src/domain/order-messages';
import { clientCancel } from '../../../src/domain/order-messages/cancelled';
import { ApiError } from '../../../src/domain/errors';
import { ENVIRONMENTS, type Environment } from '../../../src/domain/limits';
import { nextDay } from '../../../src/domain/pricing/ready-date';
import { orderIdOfQuote } from '../../../src/domain/quote-state';
import { placeOrder } from '../../../src/orders/place-order';
import { newId, newSecret } from '../../../src/security/ids';
import { aToken } from '../http/studio/support';
import { aQuote } from '../../support/baskets';
import { anAccount } from '../../support/accounts';
import { applyLikeWorkflow } from '../../support/order-messages';
import { copyQuote } from '../../support/row-copies';
import { useFixture, useService } from '../../support/fixtures';

/** The expected ledger of an account, calculated from its actions without stored totals. */
const EXPECTED_BALANCES_SQL = `
  WITH of_invoice AS (
    SELECT i.amount_cents, i.voided_at, i.voided_cents,
           (SELECT COALESCE(SUM(y.amount_cents), 0) FROM payments y WHERE y.order_id = i.order_id AND y.reversed_at IS NULL) AS paid,
           (SELECT COALESCE(SUM(y.amount_cents), 0) FROM payments y WHERE y.order_id = i.order_id AND y.reversed_at IS NULL AND y.account_payment_id IS NULL) AS own,
           (SELECT COALESCE(SUM(n.amount_cents), 0) FROM credit_notes n WHERE n.invoice_id = i.id AND n.reversed_at IS NULL) AS credited
      FROM invoices i WHERE i.account_id = $1 AND i.environment = $2)
  SELECT COALESCE(SUM(CASE WHEN voided_at IS NULL THEN GREATEST(0, amount_cents - paid - credited) ELSE 0 END), 0)::bigint AS outstanding,
         (COALESCE(SUM(amount_cents - voided_cents - credited - own), 0)
           - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM account_payments p
               WHERE p.account_id = $1 AND p.environment = $2 AND p.source = 'money' AND p.reversed_at IS NULL)
           + (SELECT COALESCE(SUM(r.amount_cents), 0) FROM refunds r WHERE r.account_id = $1 AND r.environment = $2 AND r.reversed_at IS NULL))::bigint AS balance
    FROM of_invoice`;

/** A generator with a seed: mulberry32. */
function seededRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const upTo = (most: number): number => Math.floor(next() * (most + 1));
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  return { next, upTo, one };
}
type Random = ReturnType<typeof seededRandom>;

interface Order {
  id: string;
  environment: Environment;
  payments: string[];
  notes: string[];
}

/** The history of an account, whose actions can be reversed later. */
interface AccountLife {
  accountId: string;
  seller: Random;
  orders: Order[];
  paid: string[];
  refunds: string[];
  count: number;
}

const ROUNDS = 12;

/** Possible actions on an account. Repeated entries are more likely. */
const ACTIONS = (
  'place place place place place pay pay pay reverse reverse cancel cancel studio-cancel note note money money ' +
  'credit credit credit deposit named named named reverse-on-account reverse-on-account reverse-on-account refund refund reverse-note reverse-refund'
).split(' ');

describe('histories of accounts', () => {
  const service = useService(() => ({ worker: false, clock: { now: () => now }, env: { RATE_LIMIT_FACTOR: '100' } }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  const activities = useFixture(() => createActivities(service.deps));
  let quoteId: string;
  let now = new Date('2026-03-01T00:00:00Z');
  /** Results by action, to prove that every action occurred. */
  const outcomes = new Map<string, number>();
  beforeAll(async () => {
    quoteId = (await aQuote(service.trade(service.account.testKey))).quoteId;
  });

  const queryRows = <T>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows<T>(text, parameters);
  const countOutcome = (what: string, how: unknown): void =>
    void outcomes.set(`${what} ${String(how)}`, (outcomes.get(`${what} ${String(how)}`) ?? 0) + 1);

  async function aQuoteOf(life: AccountLife, environment: Environment, cents = 100 + life.seller.upTo(9900)): Promise<string> {
    const [id = ''] = await copyQuote(service.deps.database, quoteId, 1, {
      account_id: life.accountId,
      environment,
      subtotal_cents: cents,
      discount_cents: 0,
      shipping_cents: 0,
      rush_fee_cents: 0,
      total_cents: cents,
      gst_cents: Math.floor(cents / 11),
      expires_at: '2027-01-01T00:00:00Z',
    });
    return id;
  }
  async function order(life: AccountLife, environment: Environment, ordered: string): Promise<string> {
    const submission = {
      accountId: life.accountId,
      environment,
      quoteId: ordered,
      specialInstructions: null,
      reference: null,
      metadata: null,
      requestId: newId('req'),
    };
    await placeOrder(service.deps, { ...submission, idempotencyKey: newSecret(), fingerprint: 'life' });
    return orderIdOfQuote(ordered);
  }

  async function send(what: string, orderId: string, message: OrderMessage): Promise<string> {
    const { outcome } = (await applyLikeWorkflow(activities, orderId, message)).outcome;
    countOutcome(what, outcome === 'confirmed' ? 'refused' : outcome);
    return outcome;
  }
  const aCreditNote = (amountCents: number): OrderMessage => ({
    type: 'credit_noted',
    creditNoteId: newSecret(),
    amountCents,
    reason: 'life',
  });
  const aCreditNoteReversal = (creditNoteId: string): OrderMessage => ({
    type: 'credit_note_reversed',
    creditNoteId,
    reversalId: newSecret(),
    reason: 'life',
  });

  async function post(what: string, path: string, body: Record<string, unknown>): Promise<boolean> {
    const reply = await office.post(path, body);
    countOutcome(what, reply.json.error?.code ?? reply.status);
    if (reply.status >= 500) throw new Error(`${what}: ${reply.text}`);
    return reply.status === 200;
  }

  /** An action on the account, started now and completed at any time. */
  async function step(life: AccountLife): Promise<unknown> {
    const { seller } = life;
    const environment = seller.one(ENVIRONMENTS) ?? 'live';
    const mine = life.orders.filter((one) => one.environment === environment);
    const some = seller.one(mine);
    const amountCents = 1 + seller.upTo(4000);
    const id = `${(life.count += 1)}`;
    const what = some === undefined ? 'place' : seller.one(ACTIONS);
    if (some === undefined || what === undefined) return place(life, environment);
    const onAccount = { paymentId: id, environment, amountCents };
    const deals: Record<string, () => Promise<unknown>> = {
      place: () => place(life, environment),
      pay: () => payOrder(some, id, amountCents),
      reverse: () => reverseOrderPayment(mine.filter(({ payments }) => payments.length > 0)),
      cancel: () => send('cancel', some.id, clientCancel(id)),
      'studio-cancel': () => send('studio cancel', some.id, { type: 'cancelled', milestoneId: id }),
      note: () => credit(some, amountCents),
      'reverse-note': () => reverseNote(mine.filter(({ notes }) => notes.length > 0)),
      money: () => payOnAccount(life, { ...onAccount, amountCents: amountCents * 2 }),
      credit: () => payOnAccount(life, { ...onAccount, amountCents: Math.ceil(amountCents / 8), source: 'credit' }),
      deposit: () => payOnAccount(life, { ...onAccount, invoices: [] }),
      named: () =>
        payNamedInvoices(life, { paymentId: id, environment, source: seller.one(['credit', 'money']) }, [some, seller.one(mine) ?? some]),
      'reverse-on-account': () => reverseOnAccount(life),
      refund: () => refundCredit(life, { refundId: id, environment, amountCents: Math.ceil(amountCents / 4) }),
      'reverse-refund': () => reverseRefund(life),
    };
    return deals[what]?.();
  }

  async function place(life: AccountLife, environment: Environment): Promise<void> {
    const placed = await order(life, environment, await aQuoteOf(life, environment));
    life.orders.push({ id: placed, environment, payments: [], notes: [] });
  }
  async function payOrder(some: Order, paymentId: string, amountCents: number): Promise<void> {
    const how = await send('pay', some.id, { type: 'payment_recorded', paymentId, amountCents });
    if (how === 'applied') some.payments.push(paymentId);
  }
  async function reverseOrderPayment([paying]: readonly Order[]): Promise<void> {
    const taken = paying?.payments.shift();
    if (paying !== undefined && taken !== undefined)
      await send('reverse', paying.id, { type: 'payment_reversed', paymentId: taken, reason: 'bounced' });
  }
  async function credit(some: Order, amountCents: number): Promise<void> {
    const note = aCreditNote(amountCents);
    if ((await send('note', some.id, note)) === 'applied' && note.type === 'credit_noted') some.notes.push(note.creditNoteId);
  }
  async function reverseNote([noted]: readonly Order[]): Promise<void> {
    const taken = noted?.notes.shift();
    if (noted !== undefined && taken !== undefined) await send('reverse note', noted.id, aCreditNoteReversal(taken));
  }
  async function refundCredit(life: AccountLife, body: Record<string, unknown> & { refundId: string }): Promise<void> {
    if (await post('refund', `/accounts/${life.accountId}/refunds`, body)) life.refunds.push(body.refundId);
  }
  async function reverseRefund(life: AccountLife): Promise<void> {
    const taken = life.refunds.shift();
    const body = { reversalId: `${taken}/back`, reason: 'life' };
    if (taken !== undefined) await post('reverse refund', `/accounts/${life.accountId}/refunds/${taken}/reverse`, body);
  }
  async function payOnAccount(life: AccountLife, body: Record<string, unknown> & { paymentId: string }): Promise<void> {
    const what = `${body.source === 'credit' ? 'credit' : 'money'}${body.invoices === undefined ? '' : ' named'}`;
    if (await post(what, `/accounts/${life.accountId}/payments`, body)) life.paid.push(body.paymentId);
  }
  /** An amount near the open amount, sometimes above it. */
  async function payNamedInvoices(
    life: AccountLife,
    body: Record<string, unknown> & { paymentId: string },
    orders: readonly Order[],
  ): Promise<void> {
    // Drawn before the first await, because the order of concurrent actions differs from run to run.
    const shares = new Map(orders.map(({ id }) => [id, life.seller.next() * 1.2]));
    const extraCents = life.seller.upTo(500);
    const found = await queryRows<{ id: string; order_id: string; due: number }>(
      `SELECT id, order_id, amount_cents - paid_cents - credited_cents AS due FROM invoices
        WHERE order_id = ANY ($1) AND state IN ('open', 'part_paid')`,
      [[...shares.keys()]],
    );
    const invoices = found.map(({ id: invoiceId, order_id: orderId, due }) => ({
      invoiceId,
      amountCents: Math.max(1, Math.ceil(due * (shares.get(orderId) ?? 0))),
    }));
    const sum = invoices.reduce((cents, { amountCents }) => cents + amountCents, 0);
    if (sum > 0) await payOnAccount(life, { ...body, amountCents: sum + (body.source === 'credit' ? 0 : extraCents), invoices });
  }
  async function reverseOnAccount(life: AccountLife): Promise<void> {
    const taken = life.seller.one(life.paid);
    if (taken === undefined) return;
    const { status, json } = await office.post(`/accounts/${life.accountId}/payments/${encodeURIComponent(taken)}/reverse`, {
      reason: 'bounced',
    });
    countOutcome('reverse on account', json.error?.code ?? status);
  }

  const statement = async (accountId: string, query: string) => {
    const reply = await office.get(`/accounts/${accountId}/statement?${query}`);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.json.data;
  };

  /** An order of limit − balance is accepted, and one cent more is refused with the amounts (ruling 68). Neither changes the history. */
  async function expectLimit(life: AccountLife, environment: Environment, truth: { outstanding: number; balance: number }): Promise<void> {
    const limitCents = truth.balance > 0 ? truth.balance + 700 : 0;
    const availableCents = limitCents - truth.balance;
    await queryRows('UPDATE accounts SET credit_limit_cents = $2 WHERE id = $1', [life.accountId, limitCents]);
    const tooMuch = await aQuoteOf(life, environment, availableCents + 1);
    const refused: unknown = await order(life, environment, tooMuch).catch((error: unknown) => error);
    expect(refused instanceof ApiError ? refused.details : refused).toEqual({
      outstandingCents: truth.outstanding,
      creditCents: truth.outstanding - truth.balance,
      limitCents,
      availableCents,
      orderCents: availableCents + 1,
    });
    if (availableCents > 0) {
      const placed = await order(life, environment, await aQuoteOf(life, environment, availableCents));
      countOutcome(truth.balance < 0 ? 'place by credit' : 'place by limit', 'applied');
      await send('cancel at once', placed, clientCancel('limit'));
    }
    await queryRows('UPDATE accounts SET credit_limit_cents = NULL WHERE id = $1', [life.accountId]);
  }

  /** All views show the same debt and credit of the account. */
  async function expectAgreement(life: AccountLife, environment: Environment, first: string): Promise<void> {
    const [truth] = await queryRows<{ outstanding: number; balance: number }>(EXPECTED_BALANCES_SQL, [life.accountId, environment]);
    if (truth === undefined) throw new Error('no sums');
    const shown = (await office.get(`/accounts/${life.accountId}`)).json.data[environment];
    const {
      openingCents,
      closingCents,
      entries,
      now: standing,
    } = await statement(life.accountId, `environment=${environment}&from=${first}&to=${tomorrow()}`);
    const sum = entries.reduce((cents: number, { amountCents }: { amountCents: number }) => cents + amountCents, 0);
    expect({ openingCents, sum, closingCents }).toEqual({ openingCents: 0, sum: truth.balance, closingCents: truth.balance });
    expect(shown).toEqual(standing);
    expect(standing).toMatchObject({ outstandingCents: truth.outstanding, creditCents: truth.outstanding - truth.balance });
    expect(entries.at(-1)?.balanceCents ?? 0).toBe(closingCents);
    await expectLimit(life, environment, truth);
  }

  /** All entries are booked up to this day, also after the clock went back over midnight. */
  const tomorrow = (): string => nextDay(now.toISOString().slice(0, 10));

  /** Each statement numbers its own lines. */
  const withoutLines = (entries: readonly { line: number }[]): unknown[] => entries.map(({ line: _line, ...entry }) => entry);

  /** Each day's statement begins with the end of the previous one, and together they equal the whole statement. */
  async function expectDaysToJoin(life: AccountLife, environment: Environment, first: string, last: string): Promise<Map<string, string>> {
    const days = new Map<string, string>();
    let balance = 0;
    const listed: unknown[] = [];
    for (let day = first; day <= last; day = nextDay(day)) {
      const told = await statement(life.accountId, `environment=${environment}&from=${day}&to=${day}`);
      const { openingCents, closingCents, closingOutstandingCents, closingCreditCents, entries, openInvoices } = told;
      expect([day, openingCents]).toEqual([day, balance]);
      const due = openInvoices.reduce((cents: number, { dueCents }: { dueCents: number }) => cents + dueCents, 0);
      expect([day, due, due - closingCreditCents]).toEqual([day, closingOutstandingCents, closingCents]);
      balance = closingCents;
      listed.push(...withoutLines(entries));
      days.set(day, JSON.stringify({ openingCents, closingCents, entries, openInvoices }));
    }
    const whole = await statement(life.accountId, `environment=${environment}&from=${first}&to=${last}`);
    expect([whole.closingCents, withoutLines(whole.entries)]).toEqual([balance, listed]);
    return days;
  }

  it.each([
    ['summer time ends on Sunday 5 April', '2026-04-03T20:00:00Z', '2026-04-01', 77],
    ['summer time begins on Sunday 4 October', '2026-10-02T20:00:00Z', '2026-10-01', 34],
  ])('are consistent at every moment while %s', async (_what, begins, first, seed) => {
    now = new Date(begins);
    const seller = seededRandom(seed);
    const life: AccountLife = {
      accountId: (await anAccount(service.deps.database)).accountId,
      seller,
      orders: [],
      paid: [],
      refunds: [],
      count: 0,
    };
    const past: Record<Environment, Map<string, string>> = { live: new Map(), test: new Map() };
    for (const environment of ENVIRONMENTS)
      await payOnAccount(life, { paymentId: `deposit ${environment}`, environment, amountCents: 5000 });
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(Array.from({ length: 5 + seller.upTo(6) }, () => step(life)));
      for (const environment of ENVIRONMENTS) await expectAgreement(life, environment, first);
      if (round % 5 === 4)
        for (const environment of ENVIRONMENTS) {
          const days = await expectDaysToJoin(life, environment, first, tomorrow());
          for (const [day, told] of past[environment]) expect([day, days.get(day)]).toEqual([day, told]);
          const [booked] = await queryRows<{ booked_on: string }>(
            'SELECT booked_on FROM account_balances WHERE account_id = $1 AND environment = $2',
            [life.accountId, environment],
          );
          past[environment] = new Map([...days].filter(([day]) => day < (booked?.booked_on ?? '')));
        }
      // By some hours, sometimes as another process with a late clock.
      now = new Date(now.getTime() + (seller.upTo(9) === 0 ? -90 : 30 + seller.upTo(480)) * 60_000);
    }
    expect([...past.live.values(), ...past.test.values()].filter((told) => !told.includes('"entries":[]')).length).toBeGreaterThan(1);
  });

  it('cover all possible actions', () => {
    const expected =
      'pay applied,cancel applied,studio cancel applied,note applied,money 200,money named 200,credit 200,reverse on account 200,refund 200,reverse note applied,reverse refund 200,place by credit applied,place by limit applied';
    expect(expected.split(',').filter((outcome) => !outcomes.has(outcome))).toEqual([]);
  });
});
