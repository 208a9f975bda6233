import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities, createWebhookActivities } from '../../../activities';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { startMailServer, type MailServer } from '../../support/smtp-server';
import { waitFor } from '../../support/wait-for';
import { historyText } from './history-text';
import { OrderDesk } from './order-desk';

const DAY = 24 * 60 * 60 * 1000;
/** As test/support/accounts.ts makes it. */
const ACCOUNTS_OWN = 'gallery@example.com';
const NO_SUCH_USER = { code: 550, words: '5.1.1 <ada@example.com> no such user' };

describe('a confirmation that the mail server does not take', () => {
  let mail: MailServer;
  let service: TestService;
  let desk: OrderDesk;
  beforeAll(async () => {
    mail = await startMailServer();
    service = await startService({ env: { SMTP_URL: mail.url } });
    desk = new OrderDesk(service);
  });
  afterAll(async () => {
    await service?.stop();
    await mail?.stop();
  });
  beforeEach(() => {
    mail.answer(null);
    mail.answerContent(null);
    mail.asked.length = 0;
    service.logLines.length = 0;
  });

  const attention = async (orderId: string) => (await service.studio().get(`/orders/${orderId}`)).json.data.attention;

  it('refused for good it is recorded, raises attention with what the server said, and is tried once', async () => {
    mail.answer(NO_SUCH_USER);
    const ref = await desk.order('live', false);
    await waitFor('the failure', async () => (await desk.row(ref)).confirmation_failed_at);
    expect(await attention(ref.orderId)).toEqual([
      { code: 'CONFIRMATION_FAILED', since: expect.any(String), message: expect.stringContaining('no such user') },
    ]);
    expect(await desk.row(ref)).toMatchObject({ confirmation_sent_at: null, confirmation_failure: expect.stringContaining('550') });
    mail.answer(null);
    await desk.handle(ref).terminate('lost');
    await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' }); // resumed from the database
    await desk.atRest(ref);
    expect(mail.asked).toEqual(['ada@example.com']);
    expect(await attention(ref.orderId)).toHaveLength(1);
  });

  it('a content refused for good is told the same way', async () => {
    mail.answerContent({ code: 554, words: 'rejected by policy' });
    const ref = await desk.order('live', false);
    await waitFor('the failure', async () => (await desk.row(ref)).confirmation_failed_at);
    expect(await attention(ref.orderId)).toMatchObject([
      { code: 'CONFIRMATION_FAILED', message: expect.stringContaining('rejected by policy') },
    ]);
  });

  it('refused for now it is sent again until it is taken, and needs nobody', async () => {
    mail.answer({ code: 450, words: '<ada@example.com> greylisted' });
    const ref = await desk.order('live', false);
    await waitFor('a first attempt', async () => mail.asked.length > 0);
    mail.answer(null);
    await waitFor('the mail', async () => (await desk.row(ref)).confirmation_sent_at);
    expect(mail.received.map(({ to }) => to)).toEqual([['ada@example.com']]);
    expect(await attention(ref.orderId)).toEqual([]);
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('ada@example.com');
  });

  it('neither history nor log name the customer', async () => {
    mail.answer(NO_SUCH_USER);
    const ref = await desk.order('live', false);
    await waitFor('the failure', async () => (await desk.row(ref)).confirmation_failed_at);
    await desk.atRest(ref);
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('ada@example.com');
    expect(service.logLines.filter((line) => line.includes('ada@example.com'))).toEqual([]);
  });

  it('a test order sends none and needs nobody', async () => {
    mail.answer(NO_SUCH_USER);
    const { orderId } = await anOrder(service.trade(service.account.testKey), { whiteLabel: false });
    expect(mail.asked).toEqual([]);
    expect((await service.studio().get(`/orders/${orderId}`)).json.data.attention).toEqual([]);
  });

  describe('the mails about a failing endpoint', () => {
    let deliveryId: string;
    beforeAll(async () => {
      await anEndpoint(service.deps.database, service.account.accountId, 'https://receiver.invalid/', 'live');
      const { orderId } = await anOrder(service.trade(service.account.liveKey));
      [{ id: deliveryId }] = (await desk.sql<{ id: string }>('SELECT id FROM webhook_deliveries WHERE order_id = $1', [orderId])) as [
        { id: string },
      ];
    });
    const mailTrouble = (triedMs: number) =>
      new MockActivityEnvironment({ scheduledTimestampMs: 0, currentAttemptScheduledTimestampMs: triedMs }).run(() =>
        createWebhookActivities(service.deps).mailTrouble({ deliveryId, failures: 3 }),
      );
    const givenUp = () => service.logLines.filter((line) => line.includes('given up'));
    const fail = (hour: number) =>
      desk.sql('UPDATE webhook_endpoint_health SET failing_since = $1, failing_told_at = NULL', [new Date(Date.UTC(2026, 1, 1, hour))]);

    it('refused for good they are logged and not tried again', async () => {
      await fail(1);
      mail.answer({ code: 550, words: 'no such mailbox' });
      await mailTrouble(0);
      expect(givenUp()).toHaveLength(2);
      await mailTrouble(0);
      expect(mail.asked).toHaveLength(2);
    });

    it('one that is not taken now keeps the other from nobody, and alone is tried again', async () => {
      await fail(2);
      const { studioMail } = service.deps;
      mail.answer({ code: 451, words: 'try later' }, studioMail);
      await expect(mailTrouble(0)).rejects.toThrow('451');
      expect(mail.asked.toSorted()).toEqual([ACCOUNTS_OWN, studioMail]);
      mail.answer(null);
      mail.asked.length = 0;
      await mailTrouble(0);
      await mailTrouble(0);
      expect(mail.asked).toEqual([studioMail]);
    });

    it('refused for now they are tried for three days, then logged and given up', async () => {
      await fail(4);
      mail.answer({ code: 451, words: 'try later' });
      await expect(mailTrouble(3 * DAY - 1)).rejects.toThrow('451');
      expect(givenUp()).toEqual([]);
      await mailTrouble(3 * DAY);
      expect(givenUp()).toEqual([expect.stringContaining('451')]);
    });
  });

  it('a confirmation that nobody takes for three days is given up the same way', async () => {
    mail.answer({ code: 450, words: 'try later' });
    const ref = await desk.order('live', false);
    await waitFor('a first attempt', async () => mail.asked.length > 0);
    await desk.handle(ref).terminate('its own attempts are in the way');
    const confirm = (triedMs: number) =>
      new MockActivityEnvironment({ scheduledTimestampMs: 0, currentAttemptScheduledTimestampMs: triedMs }).run(() =>
        createActivities(service.deps).sendConfirmation(ref),
      );
    await expect(confirm(3 * DAY - 1)).rejects.toThrow('450');
    expect((await desk.row(ref)).confirmation_failed_at).toBeNull();
    await confirm(3 * DAY);
    expect(await attention(ref.orderId)).toMatchObject([
      { code: 'CONFIRMATION_FAILED', message: expect.stringMatching(/three days.*450/) },
    ]);
    const tried = mail.asked.length;
    await confirm(3 * DAY);
    expect(mail.asked.length).toBe(tried);
  });
});
