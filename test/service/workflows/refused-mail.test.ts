import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities, createWebhookActivities } from '../../../activities';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { useFixture, useMailServer, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { historyText } from './history-text';
import { OrderDriver } from './order-driver';

const DAY = 24 * 60 * 60 * 1000;
/** The address of test/support/accounts.ts. */
const ACCOUNT_EMAIL = 'gallery@example.com';
const NO_SUCH_USER = { code: 550, words: '5.1.1 <ada@example.com> no such user' };

describe('a confirmation that the mail server refuses', () => {
  const mail = useMailServer();
  const service = useService(() => ({ env: { SMTP_URL: mail.url } }));
  const desk = useFixture(() => new OrderDriver(service));
  beforeEach(() => {
    service.logLines.length = 0;
  });

  const readAttention = async (orderId: string) => (await service.studio().get(`/orders/${orderId}`)).json.data.attention;

  it("permanently is recorded, raises attention with the server's reply, and is tried once", async () => {
    mail.setRecipientReply(NO_SUCH_USER);
    const ref = await desk.placeOrder('live', false);
    await waitFor('the failure', async () => (await desk.row(ref)).confirmation_failed_at);
    expect(await readAttention(ref.orderId)).toEqual([
      { code: 'CONFIRMATION_FAILED', since: expect.any(String), message: expect.stringContaining('no such user') },
    ]);
    expect(await desk.row(ref)).toMatchObject({ confirmation_sent_at: null, confirmation_failure: expect.stringContaining('550') });
    mail.setRecipientReply(null);
    await desk.handle(ref).terminate('lost');
    await desk.apply(ref, { milestoneId: 'm1', type: 'production_started' }); // resumed from the database
    await desk.waitUntilIdle(ref);
    expect(mail.checkedRecipients).toEqual(['ada@example.com']);
    expect(await readAttention(ref.orderId)).toHaveLength(1);
  });

  it('for its content is handled the same way', async () => {
    mail.setContentReply({ code: 554, words: 'rejected by policy' });
    const ref = await desk.placeOrder('live', false);
    await waitFor('the failure', async () => (await desk.row(ref)).confirmation_failed_at);
    expect(await readAttention(ref.orderId)).toMatchObject([
      { code: 'CONFIRMATION_FAILED', message: expect.stringContaining('rejected by policy') },
    ]);
  });

  it('temporarily is sent again until it is accepted, without attention', async () => {
    mail.setRecipientReply({ code: 450, words: '<ada@example.com> greylisted' });
    const ref = await desk.placeOrder('live', false);
    await waitFor('a first attempt', async () => mail.checkedRecipients.length > 0);
    mail.setRecipientReply(null);
    await waitFor('the mail', async () => (await desk.row(ref)).confirmation_sent_at);
    expect(mail.received.map(({ to }) => to)).toEqual([['ada@example.com']]);
    expect(await readAttention(ref.orderId)).toEqual([]);
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('ada@example.com');
  });

  it('names the customer in neither history nor log', async () => {
    mail.setRecipientReply(NO_SUCH_USER);
    const ref = await desk.placeOrder('live', false);
    await waitFor('the failure', async () => (await desk.row(ref)).confirmation_failed_at);
    await desk.waitUntilIdle(ref);
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('ada@example.com');
    expect(service.logLines.filter((line) => line.includes('ada@example.com'))).toEqual([]);
  });

  it('is not sent for a test order, without attention', async () => {
    mail.setRecipientReply(NO_SUCH_USER);
    const ref = await desk.placeOrder('test', false);
    await desk.waitUntilIdle(ref);
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('sendConfirmation');
    expect(mail.checkedRecipients).toEqual([]);
    expect(await readAttention(ref.orderId)).toEqual([]);
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
    const runTroubleMail = (triedMs: number) =>
      new MockActivityEnvironment({ scheduledTimestampMs: 0, currentAttemptScheduledTimestampMs: triedMs }).run(() =>
        createWebhookActivities(service.deps).mailEndpointFailure({ deliveryId, failures: 3 }),
      );
    const logLinesOfGivingUp = () => service.logLines.filter((line) => line.includes('will not be sent'));
    const setFailingSince = (hour: number) =>
      desk.sql('UPDATE webhook_endpoint_health SET failing_since = $1, failing_mailed_at = NULL', [new Date(Date.UTC(2026, 1, 1, hour))]);

    it('are logged and not sent again if refused permanently', async () => {
      await setFailingSince(1);
      mail.setRecipientReply({ code: 550, words: 'no such mailbox' });
      await runTroubleMail(0);
      expect(logLinesOfGivingUp()).toHaveLength(2);
      await runTroubleMail(0);
      expect(mail.checkedRecipients).toHaveLength(2);
    });

    it('are sent separately: a temporary refusal of one does not stop the other, and only it is sent again', async () => {
      await setFailingSince(2);
      const { studioMail } = service.deps;
      mail.setRecipientReply({ code: 451, words: 'try later' }, studioMail);
      await expect(runTroubleMail(0)).rejects.toThrow('451');
      expect(mail.checkedRecipients.toSorted()).toEqual([ACCOUNT_EMAIL, studioMail]);
      mail.setRecipientReply(null);
      mail.checkedRecipients.length = 0;
      await runTroubleMail(0);
      await runTroubleMail(0);
      expect(mail.checkedRecipients).toEqual([studioMail]);
    });

    it('are sent again for three days if refused temporarily, then logged and given up', async () => {
      await setFailingSince(4);
      mail.setRecipientReply({ code: 451, words: 'try later' });
      await expect(runTroubleMail(3 * DAY - 1)).rejects.toThrow('451');
      expect(logLinesOfGivingUp()).toEqual([]);
      await runTroubleMail(3 * DAY);
      expect(logLinesOfGivingUp()).toEqual([expect.stringContaining('451')]);
    });
  });

  it('a confirmation that is refused for three days is given up the same way', async () => {
    await service.worker?.stop(); // its own attempts would be in the way
    mail.setRecipientReply({ code: 450, words: 'try later' });
    const ref = await desk.placeOrder('live', false);
    const runConfirmation = (triedMs: number) =>
      new MockActivityEnvironment({ scheduledTimestampMs: 0, currentAttemptScheduledTimestampMs: triedMs }).run(() =>
        createActivities(service.deps).sendConfirmation(ref),
      );
    await expect(runConfirmation(3 * DAY - 1)).rejects.toThrow('450');
    expect((await desk.row(ref)).confirmation_failed_at).toBeNull();
    await runConfirmation(3 * DAY);
    expect(await readAttention(ref.orderId)).toMatchObject([
      { code: 'CONFIRMATION_FAILED', message: expect.stringMatching(/three days.*450/) },
    ]);
    // Mails about the failing endpoint have other recipients.
    const attempts = () => mail.checkedRecipients.filter((recipient) => recipient === 'ada@example.com').length;
    const before = attempts();
    await runConfirmation(3 * DAY);
    expect(attempts()).toBe(before);
  });
});
