import fc from 'fast-check';
import { createActivities } from '../../../activities';
import { lockAccount } from '../../../src/db/repositories/accounts';
import { bookEntries } from '../../../src/db/repositories/ledger';
import { MAX_CENTS, type Environment } from '../../../src/domain/limits';
import type { OrderMessage } from '../../../src/domain/order-messages';
import { orderIdOfQuote } from '../../../src/domain/quote-state';
import { placeOrder } from '../../../src/orders/place-order';
import { newId, newSecret } from '../../../src/security/ids';
import { compareBalances, compareInvoices } from '../../../src/reconcile/ledger';
import { anAccount } from '../../support/accounts';
import { applyLikeWorkflow } from '../../support/order-messages';
import { copyRow } from '../../support/row-copies';
import { useFixture, useService } from '../../support/fixtures';
import { OrderDriver } from '../workflows/order-driver';

/** Balances of each account, from the totals, from the entries and from the invoices. */
const BALANCES_SQL = `
  WITH entries AS (
    SELECT account_id, environment, SUM(outstanding_cents)::bigint AS outstanding, SUM(credit_cents)::bigint AS credit, SUM(amount_cents)::bigint AS balance,
           max(booked_on) AS booked_on FROM ledger_entries GROUP BY account_id, environment),
  refunded AS (SELECT account_id, environment, SUM(credit_cents)::bigint AS cents FROM ledger_entries WHERE type = 'refund' GROUP BY account_id, environment),
  invoiced AS (
    SELECT account_id, environment, SUM(CASE WHEN voided_at IS NULL THEN GREATEST(0, amount_cents - paid_cents - credited_cents) ELSE 0 END)::bigint AS outstanding,
           SUM(GREATEST(0, paid_cents + credited_cents - (amount_cents - voided_cents)))::bigint AS credit
      FROM invoices GROUP BY account_id, environment)
  SELECT b.account_id, b.environment, b.outstanding_cents = e.outstanding AND b.credit_cents = e.credit AND e.balance = e.outstanding - e.credit
           AND b.booked_on = e.booked_on AS entered,
         b.outstanding_cents = i.outstanding AND b.credit_cents = i.credit + COALESCE(r.cents, 0) AS invoiced
    FROM account_balances b LEFT JOIN entries e USING (account_id, environment) LEFT JOIN invoiced i USING (account_id, environment)
    LEFT JOIN refunded r USING (account_id, environment)`;

/** Whether the entries of each invoice add up to its effect on the account. */
const INVOICES_SQL = `
  SELECT i.id, COALESCE(SUM(e.outstanding_cents), 0)::bigint AS outstanding, COALESCE(SUM(e.credit_cents), 0)::bigint AS credit
    FROM invoices i LEFT JOIN ledger_entries e ON e.invoice_id = i.id GROUP BY i.id
  HAVING COALESCE(SUM(e.outstanding_cents), 0) <> CASE WHEN i.voided_at IS NULL THEN GREATEST(0, i.amount_cents - i.paid_cents - i.credited_cents) ELSE 0 END
      OR COALESCE(SUM(e.credit_cents), 0) <> GREATEST(0, i.paid_cents + i.credited_cents - (i.amount_cents - i.voided_cents))`;

describe('the ledger', () => {
  const service = useService(() => ({ worker: false, clock: { now: () => new Date(Date.now() + offsetMs) } }));
  const desk = useFixture(() => new OrderDriver(service));
  const activities = useFixture(() => createActivities(service.deps));
  let offsetMs = 0;
  afterEach(() => {
    offsetMs = 0;
  });

  /** An order of a copy of the only priced quote. */
  async function place(accountId: string, environment: Environment = 'test'): Promise<string> {
    const quoteId = newId('quo');
    await copyRow(service.deps.database, 'quotes', await desk.createQuote(environment), [{ id: quoteId, account_id: accountId }]);
    await placeOrder(service.deps, {
      accountId,
      environment,
      quoteId,
      idempotencyKey: newSecret(),
      fingerprint: 'test',
      specialInstructions: null,
      reference: null,
      metadata: null,
      requestId: newId('req'),
    });
    return orderIdOfQuote(quoteId);
  }

  /** Acts like the order's workflow. Returns `applied`, `repeated`, or the code or reason of a refusal. */
  async function send(orderId: string, sent: OrderMessage): Promise<string> {
    const { decision, outcome } = await applyLikeWorkflow(activities, orderId, sent);
    if (outcome.outcome === 'refused') return outcome.code ?? outcome.reason;
    if (outcome.outcome === 'confirmed') return 'refused' in decision ? decision.refused : 'nothing to do';
    return outcome.outcome;
  }

  const aCreditNote = (creditNoteId: string, amountCents: number): OrderMessage => ({
    type: 'credit_noted',
    creditNoteId,
    amountCents,
    reason: 'scratched',
  });
  const aPayment = (paymentId: string, amountCents: number): OrderMessage => ({ type: 'payment_recorded', paymentId, amountCents });
  const aCreditNoteReversal = (creditNoteId: string): OrderMessage => ({
    type: 'credit_note_reversed',
    creditNoteId,
    reversalId: `${creditNoteId}/back`,
    reason: 'wrong order',
  });
  const aReversal = (paymentId: string): OrderMessage => ({ type: 'payment_reversed', paymentId, reason: 'bounced' });
  const aCancel = (): OrderMessage => ({ type: 'cancelled', milestoneId: newSecret() });

  /** A refund of credit. */
  const refundCredit = (accountId: string, cents: number, environment: Environment = 'test') =>
    service.deps.database.transaction(async (sql) => {
      await lockAccount(sql, accountId);
      const now = service.deps.clock.now();
      const today = await service.deps.calendar.today(sql, now);
      await bookEntries(sql, { accountId, environment, now, today }, [
        { type: 'refund', outstandingCents: 0, creditCents: -cents, refundId: newSecret() },
      ]);
    });

  const readBalances = (accountId: string) =>
    desk.sql<{ outstanding: number; credit: number }>(
      `SELECT environment, outstanding_cents AS outstanding, credit_cents AS credit FROM account_balances WHERE account_id = $1 ORDER BY environment`,
      [accountId],
    );
  const readEntries = (accountId: string) =>
    desk.sql(
      `SELECT type, amount_cents AS amount, outstanding_cents AS outstanding, credit_cents AS credit, payment_id AS payment FROM ledger_entries
        WHERE account_id = $1 ORDER BY id`,
      [accountId],
    );

  /** All totals match entries and invoices, and no entry has a day before that of an earlier entry. */
  async function expectAgreement(): Promise<void> {
    const found = await desk.sql<{ account_id: string; entered: boolean | null; invoiced: boolean | null }>(BALANCES_SQL);
    expect(found.filter(({ entered, invoiced }) => entered !== true || invoiced !== true)).toEqual([]);
    expect(await desk.sql(INVOICES_SQL)).toEqual([]);
    expect(
      await desk.sql(
        `SELECT * FROM (SELECT id, booked_on, lag(booked_on) OVER (PARTITION BY account_id, environment ORDER BY id) AS before FROM ledger_entries) e WHERE booked_on < before`,
      ),
    ).toEqual([]);
  }

  const anAccountId = async () => (await anAccount(service.deps.database)).accountId;
  let totalCents = 0;
  const readTotal = async (orderId: string): Promise<number> => {
    const [order] = await desk.sql<{ total_cents: number }>('SELECT total_cents FROM orders WHERE id = $1', [orderId]);
    totalCents = order?.total_cents ?? 0;
    return totalCents;
  };

  it('lists all entries with their effect on the balance', async () => {
    const accountId = await anAccountId();
    const orderId = await place(accountId);
    const amount = await readTotal(orderId);
    await send(orderId, aPayment('p', 1000));
    await send(orderId, aCreditNote('c', 500));
    await send(orderId, aCancel());
    await send(orderId, aCancel());
    await send(orderId, aReversal('p'));
    const line = (type: string, outstanding: number, credit: number, payment: string | null = null) => ({
      type,
      amount: outstanding - credit,
      outstanding,
      credit,
      payment,
    });
    expect(await readEntries(accountId)).toEqual([
      line('invoice', amount, 0),
      line('payment', -1000, 0, 'p'),
      line('credit_note', -500, 0),
      line('void', -(amount - 1500), 0),
      line('credit_note', 0, 1000),
      line('reversal', 0, -1000, 'p'),
    ]);
    expect(await readBalances(accountId)).toEqual([{ environment: 'test', outstanding: 0, credit: 0 }]);
    const notes = await desk.sql(
      'SELECT sender_id, amount_cents, reason, credit_note_number FROM credit_notes WHERE order_id = $1 ORDER BY created_at, id',
      [orderId],
    );
    expect(notes).toEqual([
      { sender_id: 'c', amount_cents: 500, reason: 'scratched', credit_note_number: expect.stringMatching(/^TCN-1\d{4}$/) },
      { sender_id: 'cancel', amount_cents: 1000, reason: 'order cancelled', credit_note_number: expect.stringMatching(/^TCN-1\d{4}$/) },
    ]);
    await expectAgreement();
  });

  it('random histories of invoices: at every step the totals match the entries, the invoices and the recorded actions', async () => {
    const share = fc.integer({ min: 1, max: 1000 });
    const order = fc.nat(1);
    const step = fc.oneof(
      { arbitrary: fc.record({ kind: fc.constant('place' as const) }), weight: 1 },
      { arbitrary: fc.record({ kind: fc.constant('pay' as const), order, share }), weight: 4 },
      { arbitrary: fc.record({ kind: fc.constant('reverse' as const), order, share }), weight: 3 },
      { arbitrary: fc.record({ kind: fc.constant('credit' as const), order, share }), weight: 3 },
      { arbitrary: fc.record({ kind: fc.constant('reverse note' as const), order, share }), weight: 3 },
      { arbitrary: fc.record({ kind: fc.constant('cancel' as const), order }), weight: 2 },
      { arbitrary: fc.record({ kind: fc.constant('pay back' as const), share }), weight: 2 },
    );
    const pay = { kind: 'pay' as const, order: 0, share: 500 };
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 6, maxLength: 14 }),
        fc.constantFrom<Environment>('live', 'test'),
        async (steps, environment) => {
          const accountId = await anAccountId();
          const orders = [await createOrderModel(accountId, environment)];
          let paidBack = 0;
          const sumOutstanding = () => orders.reduce((sum, one) => sum + one.outstanding(), 0);
          const credit = () => orders.reduce((sum, one) => sum + one.credit(), 0) - paidBack;
          for (const [at, asked] of steps.entries()) {
            if (asked.kind === 'place') orders.push(await createOrderModel(accountId, environment));
            else if (asked.kind === 'pay back') {
              const cents = Math.floor((Math.max(0, credit()) * asked.share) / 1000);
              if (cents > 0) await refundCredit(accountId, cents, environment);
              paidBack += cents;
            } else {
              const model = orders[asked.order % orders.length] as OrderModel;
              const ofAThousand = 'share' in asked ? asked.share : 0;
              seen.add(await model.take(asked.kind, `${at}`, ofAThousand, credit()));
            }
            expect(await readBalances(accountId)).toEqual([{ environment, outstanding: sumOutstanding(), credit: credit() }]);
          }
          await expectAgreement();
        },
      ),
      {
        numRuns: 25,
        examples: [
          [[pay, { kind: 'cancel', order: 0 }, { kind: 'pay back', share: 1000 }, { kind: 'reverse', order: 0, share: 1 }], 'test'],
          [
            [
              { ...pay, share: 1000 },
              { ...pay, kind: 'credit' },
              { kind: 'pay back', share: 1000 },
              { ...pay, kind: 'reverse note' },
            ],
            'live',
          ],
        ],
      },
    );
    expect([...seen].sort()).toEqual(['CREDIT_INSUFFICIENT', 'applied', 'refused']);
  });

  const createOrderModel = async (accountId: string, environment: Environment) => {
    const orderId = await place(accountId, environment);
    return new OrderModel(orderId, await readTotal(orderId));
  };

  /** Debt and credit of an order, calculated from rulings 53 and 55 independently of the code. */
  class OrderModel {
    private readonly payments = new Map<string, number>();
    private readonly notes = new Map<string, number>();
    private isCancelled = false;

    constructor(
      private readonly orderId: string,
      private readonly amount: number,
    ) {}

    private paid(): number {
      return [...this.payments.values()].reduce((sum, cents) => sum + cents, 0);
    }

    private noted(): number {
      return [...this.notes.values()].reduce((sum, cents) => sum + cents, 0);
    }

    outstanding(): number {
      return this.isCancelled ? 0 : Math.max(0, this.amount - this.paid() - this.noted());
    }

    credit(): number {
      return this.isCancelled ? this.paid() : Math.max(0, this.paid() + this.noted() - this.amount);
    }

    /** Sends an action and checks its result against the rules. `share` is per mille. */
    async take(
      kind: 'pay' | 'reverse' | 'credit' | 'reverse note' | 'cancel',
      id: string,
      share: number,
      accountCredit: number,
    ): Promise<string> {
      if (kind === 'cancel') return this.cancel();
      if (kind === 'reverse') return this.reverse([...this.payments.keys()][share % Math.max(1, this.payments.size)]);
      if (kind === 'reverse note') return this.reverseNote([...this.notes.keys()][share % Math.max(1, this.notes.size)], accountCredit);
      const cents = Math.max(1, Math.floor((this.amount * share) / 1000));
      const isAllowed = !this.isCancelled && cents <= (kind === 'pay' ? this.outstanding() : this.amount - this.noted());
      const outcome = await send(this.orderId, kind === 'pay' ? aPayment(id, cents) : aCreditNote(id, cents));
      expect(outcome === 'applied').toBe(isAllowed);
      if (!isAllowed) return 'refused';
      if (kind === 'pay') this.payments.set(id, cents);
      else this.notes.set(id, cents);
      return 'applied';
    }

    private async cancel(): Promise<string> {
      expect(await send(this.orderId, aCancel())).toBe('applied');
      this.isCancelled = true;
      return 'applied';
    }

    /** Allowed also if its credit was used (ruling 66). */
    private async reverse(id: string | undefined): Promise<string> {
      if (id === undefined) return 'refused';
      this.payments.delete(id);
      expect(await send(this.orderId, aReversal(id))).toBe('applied');
      return 'applied';
    }

    private async reverseNote(id: string | undefined, accountCredit: number): Promise<string> {
      if (id === undefined) return 'refused';
      const outcome = await send(this.orderId, aCreditNoteReversal(id));
      if (this.isCancelled) {
        expect(outcome).toContain('its credit notes cannot be reversed');
        return 'refused';
      }
      const [cents, before] = [this.notes.get(id) ?? 0, this.credit()];
      this.notes.delete(id);
      const isCovered = this.credit() === before || accountCredit + this.credit() - before >= 0;
      expect(outcome).toBe(isCovered ? 'applied' : 'CREDIT_INSUFFICIENT');
      if (!isCovered) this.notes.set(id, cents);
      return outcome;
    }
  }

  it('concurrent orders, cancels, payments, reversals and notes of one account: no deadlock, and correct totals', async () => {
    const accountId = await anAccountId();
    const placed = await Promise.all(Array.from({ length: 8 }, () => place(accountId)));
    for (const orderId of placed) await send(orderId, aPayment('first', 500));
    /** The locks of a payment on account (ruling 54). */
    const lockAccountOrders = () =>
      service.deps.database.transaction(async (sql) => {
        await lockAccount(sql, accountId);
        await sql.run('SELECT id FROM orders WHERE account_id = $1 ORDER BY id FOR UPDATE', [accountId]);
      });
    const outcomes = await Promise.all([
      ...Array.from({ length: 8 }, () => place(accountId)),
      ...Array.from({ length: 8 }, lockAccountOrders),
      ...placed.flatMap((orderId, index) => [
        send(orderId, aPayment('second', 300)),
        send(orderId, aReversal('first')),
        send(orderId, aCreditNote('note', 200)),
        ...(index % 2 === 0 ? [send(orderId, aCancel())] : []),
      ]),
    ]);
    expect(outcomes).toHaveLength(44);
    await expectAgreement();
    const [{ entered }] = (await desk.sql('SELECT count(*)::int AS entered FROM ledger_entries WHERE account_id = $1', [accountId])) as [
      { entered: number },
    ];
    expect(entered).toBeGreaterThan(16 + 8 + 8);
  });

  it('concurrent orders respect the credit limit by the running total', async () => {
    const accountId = await anAccountId();
    const first = await place(accountId);
    const amount = await readTotal(first);
    await desk.sql('UPDATE accounts SET credit_limit_cents = $2 WHERE id = $1', [accountId, amount * 3]);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => place(accountId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await readBalances(accountId)).toEqual([{ environment: 'test', outstanding: amount * 3, credit: 0 }]);
    await send(first, aCreditNote('all of it', amount));
    await expect(place(accountId)).resolves.toMatch(/^ord_/);
  });

  it("has entries on the studio's day, never before the previous entry", async () => {
    const accountId = await anAccountId();
    const orderId = await place(accountId);
    const readBookingDates = () =>
      desk.sql('SELECT type, booked_on FROM ledger_entries WHERE account_id = $1 ORDER BY id OFFSET 1', [accountId]);
    const year = new Date().getUTCFullYear() + 5;
    offsetMs = Date.parse(`${year}-06-30T14:30:00Z`) - Date.now(); // past midnight in Melbourne
    await send(orderId, aPayment('late at night', 100));
    offsetMs = 0;
    await send(orderId, aPayment('with the clock set right', 100));
    expect(await readBookingDates()).toEqual([
      { type: 'payment', booked_on: `${year}-07-01` },
      { type: 'payment', booked_on: `${year}-07-01` },
    ]);
  });

  it('a payment reversed after a refund of its credit becomes a debt of the account', async () => {
    const accountId = await anAccountId();
    const orderId = await place(accountId);
    await send(orderId, aPayment('p', 800));
    await send(orderId, aCancel());
    await refundCredit(accountId, 800);
    expect(await send(orderId, aReversal('p'))).toBe('applied');
    expect(await readBalances(accountId)).toEqual([{ environment: 'test', outstanding: 0, credit: -800 }]);
    await expect(refundCredit(accountId, 1)).rejects.toMatchObject({
      code: 'CREDIT_INSUFFICIENT',
      details: { creditCents: -800, missingCents: 801 },
    });
    const other = await place(accountId);
    await send(other, aPayment('q', 1));
    await send(other, aCancel());
    expect(await readBalances(accountId)).toEqual([{ environment: 'test', outstanding: 0, credit: -799 }]);
    await expectAgreement();
  });

  it('reversing a note whose credit was refunded is refused without storing anything, and can be sent again', async () => {
    const accountId = await anAccountId();
    const orderId = await place(accountId);
    await send(orderId, aPayment('p', await readTotal(orderId)));
    await send(orderId, aCreditNote('c', 800));
    expect(await readBalances(accountId)).toEqual([{ environment: 'test', outstanding: 0, credit: 800 }]);
    await refundCredit(accountId, 1);
    await expect(refundCredit(accountId, 800)).rejects.toMatchObject({
      code: 'CREDIT_INSUFFICIENT',
      details: { creditCents: 799, missingCents: 1 },
    });
    const version = (await activities.loadOrder({ orderId }))?.state.version;
    expect(await send(orderId, aCreditNoteReversal('c'))).toBe('CREDIT_INSUFFICIENT');
    expect((await activities.loadOrder({ orderId }))?.state.version).toBe(version);
    const other = await place(accountId);
    await send(other, aPayment('q', 1));
    await send(other, aCancel());
    expect(await send(orderId, aCreditNoteReversal('c'))).toBe('applied');
    expect(await send(orderId, aCreditNoteReversal('c'))).toBe('repeated');
    expect(await send(orderId, aCreditNote('c', 800))).toContain('send a new credit note id');
    expect((await readEntries(accountId)).at(-1)).toEqual({ type: 'reversal', amount: 800, outstanding: 0, credit: -800, payment: null });
    expect(await readBalances(accountId)).toEqual([{ environment: 'test', outstanding: 0, credit: 0 }]);
  });

  it('a repeated credit note is booked once, and other content under its id is refused', async () => {
    const orderId = await place(await anAccountId());
    expect(await send(orderId, aCreditNote('c', 100))).toBe('applied');
    expect(await send(orderId, aCreditNote('c', 100))).toBe('repeated');
    expect(await send(orderId, aCreditNote('c', 99))).toBe('reused');
  });

  it('reconciliation reports invoices without entries and wrong totals, and books missing entries', async () => {
    const accountId = await anAccountId();
    const [whole, cancelled, other] = [await place(accountId), await place(accountId), await place(accountId)];
    await send(whole, aPayment('p', 300));
    await send(cancelled, aPayment('p', 200));
    await send(cancelled, aCancel());
    await send(other, aPayment('p', 100));
    expect([await compareInvoices(service.deps), await compareBalances(service.deps)]).toEqual([[], []]);
    const before = await readBalances(accountId);
    await desk.sql('DELETE FROM ledger_entries WHERE order_id = ANY ($1)', [[whole, cancelled]]);
    await desk.sql(`DELETE FROM ledger_entries WHERE order_id = $1 AND type = 'payment'`, [other]);
    const [wrong] = await compareBalances(service.deps);
    await wrong?.repair();
    expect(await wrong?.isRepaired()).toBe(true);
    const found = await compareInvoices(service.deps);
    expect(found).toHaveLength(3);
    for (const finding of found) await finding.repair();
    for (const finding of found) expect(await finding.isRepaired()).toBe(true);
    expect(await readBalances(accountId)).toEqual(before);
    expect((await readEntries(accountId)).map(({ type }) => type)).toEqual(expect.arrayContaining(['invoice', 'payment', 'void']));
    await expectAgreement();
  });

  it('a refused credit note uses no number, so numbers have no gaps', async () => {
    const [before] = await desk.sql<{ last: number }>(`SELECT count(*)::int + 10000 AS last FROM credit_notes WHERE environment = 'test'`);
    const orderId = await place(await anAccountId());
    expect(await send(orderId, aCreditNote('too much', MAX_CENTS))).toContain('of the invoice can be credited');
    await send(orderId, aCreditNote('some', 1));
    const [after] = await desk.sql<{ number: string }>(`SELECT credit_note_number AS number FROM credit_notes WHERE order_id = $1`, [
      orderId,
    ]);
    expect(after?.number).toBe(`TCN-${(before?.last ?? 0) + 1}`);
  });
});
