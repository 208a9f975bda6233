import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../activities';
import { DAY_MS } from '../../../src/domain/duration';
import { nextDay, shiftDay, timeAt } from '../../../src/domain/pricing/ready-date';
import { DEFAULT_STEPS } from '../../../src/domain/pricing/reminders';
import { newSecret } from '../../../src/security/ids';
import { aKey, anAccount, type TestAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { holdLock } from '../../support/held-lock';
import { propertyRuns } from '../../support/property-runs';
import { Random } from '../../support/random';
import { LONG_TIMEOUTS } from '../../support/service';
import { useFixture, useMailServer, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aToken, findAuditEntries, validationPathsOf } from '../http/studio/support';

/** The clock of the service. It starts now, because PostgreSQL has its own. */
class TestClock {
  private aheadMs = 0;
  now = (): Date => new Date(Date.now() + this.aheadMs);
  advanceTo(time: Date): void {
    this.aheadMs = time.getTime() - Date.now();
  }
  advanceDays(days: number): void {
    this.aheadMs += days * DAY_MS;
  }
}

describe('reminders', () => {
  const clock = new TestClock();
  const mail = useMailServer();
  const service = useService(() => ({ env: { SMTP_URL: mail.url }, clock, timeouts: { ...LONG_TIMEOUTS, lock_timeout: 5_000 } }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));
  beforeAll(async () => {
    // At noon no day of 24 hours ends in another day, also if summer time begins or ends meanwhile.
    const { timeZone, today } = await service.deps.calendar.studioDay(service.deps.database, clock.now());
    clock.advanceTo(timeAt(timeZone, nextDay(today), '12:00:00'));
  });

  /** An account with reminders, whose mails have an address of their own. */
  async function aReminded(termsDays = 0): Promise<TestAccount & { email: string }> {
    const account = await anAccount(service.deps.database);
    const email = `${account.accountId}@gallery.example`;
    await office.send('PATCH', `/accounts/${account.accountId}`, { email, reminders: true, paymentTermsDays: termsDays });
    return { ...account, email };
  }
  /** Placed with a new key, because each key has a rate limit. */
  async function anInvoice({ accountId }: TestAccount): Promise<Invoice> {
    const trade = service.trade(await aKey(service.deps.database, accountId, { environment: 'live' }));
    const { orderId } = await anOrder(trade);
    return (await trade.get(`/orders/${orderId}/invoice`)).json.data;
  }
  const activities = () => createActivities(service.deps);
  const run = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(work);
  const createReminders = () => run(() => activities().createReminders());
  const settled = () =>
    waitFor('the mails', async () => !(await service.deps.database.exists(`SELECT 1 FROM sends WHERE state = 'pending'`)));
  const mailsTo = (email: string) => mail.received.filter(({ to }) => to[0] === email).map(({ text }) => decode(text));
  const pay = (accountId: string, paymentId: string, amountCents: number) =>
    office.post(`/accounts/${accountId}/payments`, { paymentId, environment: 'live', amountCents });

  it('an account is reminded of its overdue invoices in three steps, once each, and shows when', async () => {
    const account = await aReminded();
    const first = await anInvoice(account);
    const show = async () => (await office.get(`/accounts/${account.accountId}/reminders`)).json.data;
    expect(await show()).toMatchObject({ enabled: true, next: { step: 1 }, last: null });
    for (const [days, count] of [
      [6, 0],
      [1, 1],
      [1, 1],
      [13, 2],
      [14, 3],
      [30, 3],
    ] as const) {
      clock.advanceDays(days);
      await createReminders();
      await createReminders();
      await settled();
      expect([days, mailsTo(account.email).length]).toEqual([days, count]);
    }
    const mails = mailsTo(account.email);
    expect(mails.map((text) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual(DEFAULT_STEPS.map(({ subject }) => subject));
    expect(mails[0]).toContain(`${first.invoiceNumber} (order P-`);
    expect(await show()).toMatchObject({ next: null, last: { step: 3 } });
  });

  /** An account whose reminder the mail server did not take yet. */
  async function aDelayedReminder(): Promise<{ account: Awaited<ReturnType<typeof aReminded>>; amountCents: number }> {
    const account = await aReminded();
    const { amountCents } = await anInvoice(account);
    clock.advanceDays(8);
    mail.setContentReply({ code: 451, words: 'try later' });
    await createReminders();
    await waitFor('a delay', () =>
      service.deps.database.row(`SELECT 1 FROM mail_delays d JOIN sends s ON d.id = 'send-' || s.id WHERE s.recipient = $1`, [
        account.email,
      ]),
    );
    return { account, amountCents };
  }

  /** Waits until no attempt is under way, because it may have begun before a change. */
  const idle = ({ accountId }: TestAccount) =>
    waitFor(
      'the end of the attempt',
      async () =>
        !(await service.deps.database.exists('SELECT 1 FROM sends WHERE account_id = $1 AND claimed_until IS NOT NULL', [accountId])),
    );

  it('lists what is due after payments and credit notes, and a later invoice with the earlier ones', async () => {
    const account = await aReminded();
    const one = await anInvoice(account);
    clock.advanceDays(1);
    const two = await anInvoice(account);
    await office.post(`/orders/${one.orderId}/payments`, { paymentId: 'p', amountCents: 1000 });
    await office.post(`/invoices/${two.invoiceNumber}/credit-notes`, { creditNoteId: 'c', amountCents: 500, reason: 'scratch' });
    clock.advanceDays(6);
    await createReminders();
    await settled();
    const [text = ''] = mailsTo(account.email);
    const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
    expect(text).toContain(dollars(one.amountCents - 1000));
    expect(text).toContain(dollars(two.amountCents - 500));
    expect(text).toContain(`Amount overdue: ${dollars(one.amountCents + two.amountCents - 1500)}`);
    clock.advanceDays(1);
    await createReminders(); // the second invoice reaches its first step
    await settled();
    expect(mailsTo(account.email)).toHaveLength(2);
  });

  it('checks again right before it sends: a payment, enough credit or the switch stops a waiting mail', async () => {
    const stops: ((account: TestAccount, amountCents: number) => Promise<unknown>)[] = [
      ({ accountId }, amountCents) => pay(accountId, 'late', amountCents),
      ({ accountId }, amountCents) =>
        office.post(`/accounts/${accountId}/payments`, { paymentId: 'advance', environment: 'live', amountCents, invoices: [] }),
      ({ accountId }) => office.send('PATCH', `/accounts/${accountId}`, { reminders: false }),
    ];
    for (const stop of stops) {
      const { account, amountCents } = await aDelayedReminder();
      await stop(account, amountCents);
      await idle(account);
      mail.setContentReply(null);
      await settled();
      expect(mailsTo(account.email)).toEqual([]);
      const [send] = (await office.get(`/sends?accountId=${account.accountId}`)).json.data;
      expect(send).toMatchObject({ document: 'reminder', step: 1, state: 'skipped' });
    }
  });

  it('while a mail waits for the mail server, the account gets no other; the next morning brings it', async () => {
    const { account } = await aDelayedReminder();
    clock.advanceDays(14); // the next step
    await createReminders();
    mail.setContentReply(null);
    await settled();
    expect(mailsTo(account.email)).toHaveLength(1);
    await createReminders(); // the delayed mail was sent today
    await settled();
    expect(mailsTo(account.email)).toHaveLength(1);
    clock.advanceDays(1);
    await createReminders();
    await settled();
    expect(mailsTo(account.email)).toHaveLength(2);
  });

  it('a waiting mail goes to the billing contact of the moment at which it is sent', async () => {
    const { account } = await aDelayedReminder();
    const email = `new-${account.email}`;
    await office.send('PATCH', `/accounts/${account.accountId}`, { contacts: [{ name: 'Mia', role: 'billing', email }] });
    await idle(account);
    mail.setContentReply(null);
    await settled();
    expect([mailsTo(account.email).length, mailsTo(email).length]).toEqual([0, 1]);
  });

  it('an account that is locked does not hold up the others; the next attempt makes its mail', async () => {
    const [locked, other] = [await aReminded(), await aReminded()];
    for (const account of [locked, other]) await anInvoice(account);
    clock.advanceDays(8);
    const lock = await holdLock(service.deps.database, `SELECT 1 FROM accounts WHERE id = '${locked.accountId}' FOR UPDATE`);
    try {
      await expect(createReminders()).rejects.toThrow('lock timeout');
    } finally {
      await lock.release();
    }
    await settled();
    expect([mailsTo(locked.email).length, mailsTo(other.email).length]).toEqual([0, 1]);
    await createReminders();
    await settled();
    expect([mailsTo(locked.email).length, mailsTo(other.email).length]).toEqual([1, 1]);
  });

  it('an account gets one mail a day, also if an admin moves a step to today; credit that covers all ends the next one', async () => {
    const admin = service.studio();
    const account = await aReminded();
    const { amountCents } = await anInvoice(account);
    const next = async () => (await office.get(`/accounts/${account.accountId}/reminders`)).json.data.next;
    clock.advanceDays(8);
    await createReminders();
    await settled();
    const [first, , third] = DEFAULT_STEPS;
    try {
      await admin.send('PUT', '/reminder-settings', { steps: [first, { ...DEFAULT_STEPS[1], days: 8 }, third] });
      await createReminders();
      await settled();
      expect(mailsTo(account.email)).toHaveLength(1);
      const { today } = await service.deps.calendar.studioDay(service.deps.database, clock.now());
      expect(await next()).toEqual({ on: nextDay(today), step: 2 });
      await office.post(`/accounts/${account.accountId}/payments`, { paymentId: 'cover', environment: 'live', amountCents, invoices: [] });
      expect(await next()).toBeNull();
    } finally {
      await admin.send('PUT', '/reminder-settings', { steps: DEFAULT_STEPS });
    }
  });

  it('the next reminder is today until 08:00, and tomorrow after it', async () => {
    const account = await aReminded();
    await anInvoice(account);
    const { timeZone, today } = await service.deps.calendar.studioDay(service.deps.database, clock.now());
    const day = shiftDay(today, 9);
    const nextAt = async (time: string) => {
      clock.advanceTo(timeAt(timeZone, day, time));
      return (await office.get(`/accounts/${account.accountId}/reminders`)).json.data.next;
    };
    expect(await nextAt('07:58:00')).toEqual({ on: day, step: 1 });
    expect(await nextAt('08:00:00')).toEqual({ on: nextDay(day), step: 1 });
  });

  it('an admin changes days and texts; wrong ones are refused', async () => {
    const admin = service.studio();
    const steps = DEFAULT_STEPS.map((step, at) => ({ ...step, message: `Text ${at}` }));
    expect((await office.send('PUT', '/reminder-settings', { steps })).status).toBe(403);
    const falling = [steps[0], { ...steps[1], days: 7 }, steps[2]];
    expect(validationPathsOf(await admin.send('PUT', '/reminder-settings', { steps: falling }))).toEqual(['steps.1.days']);
    expect(validationPathsOf(await admin.send('PUT', '/reminder-settings', { steps: steps.slice(1) }))).toEqual(['steps']);
    expect((await admin.send('PUT', '/reminder-settings', { steps })).json.data.steps).toEqual(steps);
    expect((await office.get('/reminder-settings')).json.data.steps).toEqual(steps);
    expect((await findAuditEntries(service, 'settings')).at(-1)).toMatchObject({
      action: 'reminders.change',
      before: { steps: DEFAULT_STEPS },
    });
    const account = await aReminded();
    await anInvoice(account);
    clock.advanceDays(7);
    await createReminders();
    await settled();
    expect(mailsTo(account.email)[0]).toContain('Text 0');
    await admin.send('PUT', '/reminder-settings', { steps: DEFAULT_STEPS });
  });

  it('the schedule of every morning makes them', async () => {
    const account = await aReminded();
    await anInvoice(account);
    clock.advanceDays(7);
    const { client } = service.deps.temporal;
    const workflow = await client.workflow.start('reminders', { workflowId: `reminders-${newSecret()}`, taskQueue: service.taskQueue });
    expect(await workflow.result()).toMatchObject({ reminders: expect.any(Number) });
    await settled();
    expect(mailsTo(account.email)).toHaveLength(1);
  });

  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  it(`a random run of invoices, payments, reminders and erasures reminds nobody of what is paid, and nobody twice (SEED=${seed})`, async () => {
    await service.worker?.stop(); // the test makes each attempt, so it knows what is paid at that time
    const { database } = service.deps;
    const random = new Random(seed);
    await database.run('UPDATE accounts SET reminders = false'); // those of the other tests
    const accounts = await Promise.all(Array.from({ length: 3 }, () => aReminded(random.between(0, 10))));
    const oracle = new Oracle();
    let payments = 0;
    const payAccount = async ({ accountId }: TestAccount, invoices: [number: string, amountCents: number][], restCents = 0) => {
      payments += 1;
      const shares = invoices.map(([invoiceId, amountCents]) => ({ invoiceId, amountCents }));
      const amountCents = shares.reduce((cents, share) => cents + share.amountCents, restCents);
      const body = { paymentId: `p-${payments}`, environment: 'live', amountCents, invoices: shares };
      expect((await office.post(`/accounts/${accountId}/payments`, body)).status).toBe(200);
      for (const [number, cents] of invoices) oracle.pay(number, cents);
      oracle.addCredit(accountId, restCents);
    };
    const eraseAll = ({ accountId }: TestAccount) => service.studio().post(`/accounts/${accountId}/erase`, { before: '2999-01-01' });
    const attempt = (sendId: string) => run(() => activities().sendDocument({ sendId }));

    /** The reminders of a morning. The mail server may delay each, and meanwhile the account may pay or be erased. */
    async function aMorning(): Promise<void> {
      clock.advanceDays(random.between(1, 9));
      const { today } = await service.deps.calendar.studioDay(database, clock.now());
      await createReminders();
      const pending = await database.rows<{ id: string; account_id: string }>(
        `SELECT id, account_id FROM sends WHERE state = 'pending' ORDER BY id`,
      );
      for (const { id, account_id: accountId } of pending) {
        const account = accounts.find((each) => each.accountId === accountId);
        let isErased = false;
        if (random.chance(0.5)) {
          mail.setContentReply({ code: 451, words: 'try later' });
          await expect(attempt(id)).rejects.toThrow('451');
          mail.setContentReply(null);
          if (account !== undefined && random.chance(0.7))
            await payAccount(
              account,
              random.chance(0.5) ? oracle.openOf(accountId).map(([number, { dueCents }]) => [number, dueCents]) : [firstOpen(accountId)],
            );
          else if (account !== undefined && random.chance(0.5)) {
            await eraseAll(account);
            isErased = true;
          }
        }
        const received = mail.received.length;
        const state = await attempt(id);
        expect([id, await attempt(id)]).toEqual([id, state]); // a repeat sends nothing
        const mails = mail.received.slice(received);
        expect([id, mails.length]).toEqual([id, state === 'sent' ? 1 : 0]);
        if (isErased) expect([id, state]).toEqual([id, 'skipped']);
        for (const { to, text } of mails) oracle.check(to[0] ?? '', decode(text), today);
      }
    }
    const firstOpen = (accountId: string): [string, number] => {
      const [[number, { dueCents }] = ['', { dueCents: 0 }]] = oracle.openOf(accountId);
      return [number, dueCents];
    };

    for (let step = 0; step < propertyRuns(400).numRuns; step += 1) {
      const account = random.pick(accounts);
      const open = oracle.openOf(account.accountId);
      const choice = random.next();
      if (choice < 0.25 || open.length === 0) oracle.add(account.accountId, await anInvoice(account));
      else if (choice < 0.45) {
        const [number, { dueCents }] = random.pick(open);
        await payAccount(account, [[number, random.chance(0.5) ? dueCents : random.between(1, dueCents)]], random.chance(0.2) ? 100 : 0);
      } else if (choice < 0.5) await eraseAll(account);
      else await aMorning();
    }
    expect(oracle.problems).toEqual([]);
  }); // all cases take a minute on an idle machine
});

interface Invoice {
  orderId: string;
  invoiceNumber: string;
  amountCents: number;
  dueDate: string;
}

interface Billed {
  accountId: string;
  dueDate: string;
  dueCents: number;
}

/** Says what may be in a mail, from the answers to the requests. */
class Oracle {
  readonly problems: string[] = [];
  private readonly invoices = new Map<string, Billed>();
  private readonly credits = new Map<string, number>();
  private readonly messageIds = new Set<string>();
  /** The step that each invoice had reached in the last mail about it. */
  private readonly steps = new Map<string, number>();

  add(accountId: string, { invoiceNumber, amountCents, dueDate }: Invoice): void {
    this.invoices.set(invoiceNumber, { accountId, dueDate, dueCents: amountCents });
  }

  openOf(accountId: string): [string, Billed][] {
    return [...this.invoices].filter(([, invoice]) => invoice.accountId === accountId && invoice.dueCents > 0);
  }

  pay(number: string, amountCents: number): void {
    const invoice = this.invoices.get(number);
    if (invoice !== undefined) invoice.dueCents -= amountCents;
  }

  addCredit(accountId: string, cents: number): void {
    this.credits.set(accountId, (this.credits.get(accountId) ?? 0) + cents);
  }

  private reachedBy(number: string, today: string): number {
    const days = (Date.parse(today) - Date.parse(this.invoices.get(number)?.dueDate ?? today)) / DAY_MS;
    return [7, 21, 35].filter((after) => days >= after).length;
  }

  /** @param today the day of the reminders on the studio's calendar */
  check(to: string, text: string, today: string): void {
    const messageId = /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '';
    const accountId = to.replace(/@.*/, '');
    const listed = [...text.matchAll(/(INV-\d+) \(order [^)]*\), due on [^:]*: \$([\d,]+\.\d\d)/g)].map(
      ([, number = '', amount = '']) => [number, Math.round(Number(amount.replaceAll(',', '')) * 100)] as const,
    );
    const step = 1 + DEFAULT_STEPS.findIndex(({ subject }) => text.includes(`Subject: ${subject}\n`));
    const complain = (problem: string): void => void this.problems.push(`${messageId}: ${problem}`);
    if (this.messageIds.has(messageId)) complain('sent twice');
    this.messageIds.add(messageId);
    for (const [number, cents] of listed) {
      const invoice = this.invoices.get(number);
      if (invoice?.accountId !== accountId) complain(`${number} is not of ${to}`);
      else if (invoice.dueCents !== cents) complain(`${number} is due ${invoice.dueCents}, not ${cents}`);
    }
    if (listed.reduce((sum, [, cents]) => sum + cents, 0) <= (this.credits.get(accountId) ?? 0)) complain('the credit covers it');
    const reached = listed.map(([number]) => [number, this.reachedBy(number, today)] as const);
    if (!reached.some(([number, own]) => own === step && (this.steps.get(number) ?? 0) < step)) complain(`a second mail of step ${step}`);
    for (const [number, own] of reached) this.steps.set(number, own);
  }
}

/** The text of a mail without its encoding. */
function decode(mail: string): string {
  const [head = '', ...body] = mail.split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  const isQuoted = /quoted-printable/i.test(head);
  const isBase64 = /Content-Transfer-Encoding: base64/i.test(head);
  const plain = isBase64
    ? Buffer.from(text, 'base64').toString()
    : isQuoted
      ? Buffer.from(
          text.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
          'latin1',
        ).toString()
      : text;
  return `${head.replaceAll(/\r\n[ \t]/g, ' ')}\n\n${plain}`.replaceAll('\r\n', '\n');
}
