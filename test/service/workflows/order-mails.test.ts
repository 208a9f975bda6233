import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../activities';
import { createSweepActivities } from '../../../activities/sweep';
import { decideChange } from '../../../src/domain/order-messages';
import { MailDelayed, MailRefused, type Mail } from '../../../src/mail';
import { newId } from '../../../src/security/ids';
import { anAddress, aLine, aQuoteRequest, placeOrder, uploadArtwork } from '../../support/baskets';
import { useMailServer, useService } from '../../support/fixtures';
import { aTrader, sql, type Trader } from '../http/support';
import { historyText } from './history-text';
import { sendMilestone } from '../http/studio/support';

describe('mails about orders to collect and about artwork (ruling 94)', () => {
  const mail = useMailServer();
  const service = useService(() => ({ env: { SMTP_URL: mail.url, CONFIRMATION_DELAY: '1h' } }));
  let trader: Trader;
  beforeEach(async () => {
    trader = await aTrader(service);
  });

  const sweep = (): Promise<{ mails: number }> =>
    service.deps.temporal.client.workflow.execute('sweep', { workflowId: `sweep-${newId('req')}`, taskQueue: service.taskQueue });
  const sentTo = async (): Promise<string[]> => {
    const before = mail.received.length;
    const { mails } = await sweep();
    const sent = mail.received.slice(before).flatMap(({ to }) => to);
    expect(mails).toBe(sent.length);
    return sent.toSorted();
  };
  const changeAccount = async (change: object): Promise<void> =>
    expect((await service.studio().send('PATCH', `/accounts/${trader.accountId}`, change)).status).toBe(200);
  const setReadyMail = (readyMail: string): Promise<void> => changeAccount({ readyMail });
  const setContacts = (...contacts: [name: string, role: string][]): Promise<void> =>
    changeAccount({ contacts: contacts.map(([name, role]) => ({ name, role, email: `${name}@example.com` })) });
  /** The mails of one sweep by another mail server. */
  const mailBy = (send: (mail: Mail) => Promise<void>, deps: object = {}): Promise<{ mails: number }> =>
    new MockActivityEnvironment().run(() =>
      createSweepActivities({ ...service.deps, ...deps, mailer: { ...service.deps.mailer, send } }).mailAboutOrders(),
    );
  async function aCollectedOrder(overrides: Record<string, unknown> = {}, environment: 'live' | 'test' = 'live'): Promise<any> {
    const trade = service.trade(trader[`${environment}Key`]);
    const request = await aQuoteRequest(trade, { whiteLabel: false, ...overrides });
    const quote = await trade.post('/quotes', { ...request, shippingMethodId: 'studio-collection' });
    return (await placeOrder(trade, quote.json.data.quoteId)).json.data;
  }
  const milestone = async (orderId: string, type: string, fields: Record<string, unknown> = {}): Promise<void> =>
    expect((await sendMilestone(service.studio(), orderId, type, fields)).status).toBe(200);
  async function complete({ orderId }: { orderId: string }): Promise<void> {
    await milestone(orderId, 'production_started');
    await milestone(orderId, 'completed', { milestoneId: 'counter-1' });
  }
  const attentionOf = async (orderId: string): Promise<[string, string][]> =>
    (await service.studio().get(`/orders/${orderId}`)).json.data.attention.map(({ code, message }: any) => [code, message]);

  it('the customer gets one mail with the items and the number, and none after a repeated milestone', async () => {
    const order = await aCollectedOrder();
    await complete(order);
    expect(await sentTo()).toEqual(['ada@example.com']);
    const text = mail.received[0]?.text.replaceAll('=\r\n', '') ?? '';
    expect(text).toContain(`Subject: Order ${order.orderNumber} is ready to collect`);
    expect(text).toContain(`1 x ${order.lines[0].productName}`);
    expect(text).not.toMatch(/\$|AUD/);
    await milestone(order.orderId, 'completed');
    expect(await sentTo()).toEqual([]);
  });

  it('the account chooses the recipient, and the customer of a white-labelled order gets none', async () => {
    const [email] = await sql<{ email: string }>(service, 'SELECT email FROM accounts WHERE id = $1', [trader.accountId]);
    await complete(await aCollectedOrder({ whiteLabel: true }));
    expect(await sentTo()).toEqual([email?.email]);
    await setReadyMail('account');
    await complete(await aCollectedOrder());
    expect(await sentTo()).toEqual([email?.email]);
    await setReadyMail('none');
    await complete(await aCollectedOrder());
    await complete(await aCollectedOrder({ whiteLabel: true }));
    expect(await sentTo()).toEqual([]);
  });

  it.each(['production_started', 'ready'])('an order that a person signs for after "%s" gets none until that is undone', async (last) => {
    const { orderId } = await aCollectedOrder();
    await milestone(orderId, 'production_started');
    if (last === 'ready') await milestone(orderId, 'ready');
    await milestone(orderId, 'completed', { milestoneId: 'counter-1', signedBy: 'Ada Moreau' });
    expect(await sentTo()).toEqual([]);
    const path = `/orders/${orderId}/milestones/counter-1/correct`;
    expect((await service.studio().post(path, { reason: 'another order' })).status).toBe(200);
    expect(await sentTo()).toEqual(last === 'ready' ? ['ada@example.com'] : []);
    await milestone(orderId, 'completed', { milestoneId: 'counter-2' });
    expect(await sentTo()).toEqual(last === 'ready' ? [] : ['ada@example.com']);
  });

  it('the name of the person who collected an order is in the timeline, and neither in Temporal nor in an event', async () => {
    const { orderId } = await aCollectedOrder();
    await milestone(orderId, 'production_started');
    for (const name of ['Quirina Zwick', 'Another Name'])
      await milestone(orderId, 'completed', { milestoneId: 'counter-1', signedBy: name });
    const { timeline, job, status, parcels } = (await service.studio().get(`/orders/${orderId}`)).json.data;
    expect([status, parcels, job.isCollection]).toEqual(['completed', [], true]);
    expect(timeline.at(-1)).toMatchObject({ type: 'completed', carried: { signedBy: 'Quirina Zwick' } });
    const history = await service.deps.temporal.client.workflow.getHandle(`order/${orderId}`).fetchHistory();
    expect(historyText(history)).toContain('counter-1');
    expect(historyText(history)).not.toContain('Zwick');
    const stored = await sql<{ text: string }>(
      service,
      `SELECT string_agg(body, '') || (SELECT string_agg(a::text, '') FROM audit_log a WHERE subject = $1) AS text FROM order_events WHERE order_id = $1`,
      [orderId],
    );
    expect(stored[0]?.text).toContain('completed');
    expect(stored[0]?.text).not.toContain('Zwick');
  });

  it('a name whose request no longer waits is refused, so that the sender sends it again', async () => {
    const { orderId } = await aCollectedOrder();
    await milestone(orderId, 'production_started');
    const activities = createActivities(service.deps);
    const state = (await activities.loadOrder({ orderId }))?.state;
    if (state === undefined) throw new Error('no order');
    const { accountId, orderNumber, version, facts } = state;
    const message = { type: 'completed', milestoneId: 'counter-1', signedBy: newId('msg') } as const;
    const sender = { credentialId: newId('tok'), badgeId: null, requestId: newId('req') };
    const decision = decideChange(facts, message);
    expect(
      await activities.applyChange({ orderId, accountId, orderNumber, expectedVersion: version, message, sender, decision }),
    ).toMatchObject({ outcome: 'refused', code: 'SERVICE_UNAVAILABLE' });
    await milestone(orderId, 'completed', { milestoneId: 'counter-1', signedBy: 'Ada Moreau' });
  });

  it('a corrected milestone, an order to ship and a test order send none', async () => {
    const corrected = await aCollectedOrder();
    await complete(corrected);
    const path = `/orders/${corrected.orderId}/milestones/counter-1/correct`;
    expect((await service.studio().post(path, { reason: 'another order' })).status).toBe(200);
    await complete(await aCollectedOrder({}, 'test'));
    const trade = service.trade(trader.liveKey);
    const shipped = await trade.post('/quotes', await aQuoteRequest(trade, { whiteLabel: false }));
    await complete((await placeOrder(trade, shipped.json.data.quoteId)).json.data);
    expect(await sentTo()).toEqual([]);
    await milestone(corrected.orderId, 'completed', { milestoneId: 'counter-2' });
    expect(await sentTo()).toEqual(['ada@example.com']);
  });

  it('an order that becomes ready gets the mail then, and none when it is collected', async () => {
    const { orderId } = await aCollectedOrder();
    await milestone(orderId, 'production_started');
    await milestone(orderId, 'printed');
    expect(await sentTo()).toEqual([]);
    await milestone(orderId, 'ready', { milestoneId: 'ready-1', lines: [0] });
    await milestone(orderId, 'held'); // the mail waits for the release
    expect(await sentTo()).toEqual([]);
    await milestone(orderId, 'released');
    expect(await sentTo()).toEqual(['ada@example.com']);
    await milestone(orderId, 'ready');
    await milestone(orderId, 'completed');
    expect(await sentTo()).toEqual([]);
  });

  it('a correction of "ready" before the mail prevents it, and completing sends it', async () => {
    const { orderId } = await aCollectedOrder();
    await milestone(orderId, 'production_started');
    await milestone(orderId, 'ready', { milestoneId: 'ready-1' });
    const path = `/orders/${orderId}/milestones/ready-1/correct`;
    expect((await service.studio().post(path, { reason: 'another order' })).status).toBe(200);
    expect(await sentTo()).toEqual([]);
    await milestone(orderId, 'completed');
    expect(await sentTo()).toEqual(['ada@example.com']);
  });

  it('a delayed mail is sent by a later run, and a refused one needs attention', async () => {
    const order = await aCollectedOrder();
    await complete(order);
    mail.setRecipientReply({ code: 450, words: 'greylisted' });
    expect(await sentTo()).toEqual([]);
    mail.setRecipientReply(null);
    expect(await sentTo()).toEqual(['ada@example.com']);
    const refused = await aCollectedOrder({ shippingAddress: anAddress({ email: 'gone@example.com' }) });
    await complete(refused);
    mail.setRecipientReply({ code: 550, words: 'no such mailbox' }, 'gone@example.com');
    await sweep();
    await sweep();
    expect(mail.checkedRecipients.filter((recipient) => recipient === 'gone@example.com')).toHaveLength(1);
    expect(await attentionOf(refused.orderId)).toEqual([['ORDER_MAIL_FAILED', expect.stringContaining('no such mailbox')]]);
    expect(await attentionOf(order.orderId)).toEqual([]);
  });

  it('rejected artwork is mailed once to the contacts for production, unless it is replaced before', async () => {
    const trade = service.trade(trader.liveKey);
    const items = [aLine(await uploadArtwork(trade)), aLine(await uploadArtwork(trade))];
    const [rejected, unheard] = [await aCollectedOrder({ items }), await aCollectedOrder()];
    await milestone(unheard.orderId, 'artwork_rejected', { line: 0, reason: 'it is blurred' });
    expect(await sentTo()).toEqual([]); // there is no contact
    await setContacts(['pia', 'production'], ['paul', 'production'], ['bea', 'billing']);
    await milestone(rejected.orderId, 'artwork_rejected', { line: 1, reason: 'it is cut off' });
    expect(await sentTo()).toEqual(['paul@example.com', 'pia@example.com']);
    expect(mail.received[0]?.text.replaceAll('=\r\n', '')).toContain('line 1 (the 2nd): the artwork was rejected: it is cut off');
    expect(await sentTo()).toEqual([]);
    await milestone(rejected.orderId, 'artwork_rejected', { line: 0, reason: 'it is blurred' });
    const imageUrl = await uploadArtwork(trade);
    expect((await trade.post(`/orders/${rejected.orderId}/lines/0/artwork`, { imageUrl })).status).toBe(200);
    expect(await sentTo()).toEqual([]);
  });

  it('a mail that waited for days is given up after three days of failures, not at its first', async () => {
    const { orderId } = await aCollectedOrder();
    await milestone(orderId, 'production_started');
    await milestone(orderId, 'ready');
    await milestone(orderId, 'held');
    await sql(service, `UPDATE orders SET ready_mail_due_since = ready_mail_due_since - interval '4 days' WHERE id = $1`, [orderId]);
    expect(await sentTo()).toEqual([]);
    await milestone(orderId, 'released');
    mail.setRecipientReply({ code: 450, words: 'greylisted' });
    const age = (column: string, days: number) =>
      sql(service, `UPDATE mail_delays SET ${column} = ${column} - make_interval(days => $2) WHERE starts_with(id, $1)`, [
        `order-ready-${orderId}`,
        days,
      ]);
    await sweep();
    await age('failing_since', 4);
    await age('failed_at', 2); // it was on hold since
    await sweep();
    expect(await attentionOf(orderId)).toEqual([]);
    await age('failing_since', 3);
    await sweep();
    expect(await attentionOf(orderId)).toEqual([['ORDER_MAIL_FAILED', expect.stringContaining('450')]]);
    mail.setRecipientReply(null);
    expect(await sentTo()).toEqual([]);
  });

  it('a refusal needs attention even if the process ends before the mail to the next contact', async () => {
    const { orderId } = await aCollectedOrder();
    await setContacts(['paul', 'production'], ['pia', 'production']);
    await milestone(orderId, 'artwork_rejected', { line: 0, reason: 'it is blurred' });
    let attempts = 0;
    const send = async (): Promise<void> => {
      attempts += 1;
      if (attempts === 1) throw new MailRefused(550, 'no such mailbox');
      throw new Error('the process ends');
    };
    await expect(mailBy(send)).rejects.toThrow('the process ends');
    expect(await attentionOf(orderId)).toContainEqual(['ORDER_MAIL_FAILED', expect.stringContaining('no such mailbox')]);
    expect(await sentTo()).toHaveLength(1);
  });

  it('an address gets one mail about the artwork, even if two contacts have it and both are saved again', async () => {
    const { orderId } = await aCollectedOrder();
    const contacts = ['Pia@example.com', 'pia@example.com', 'paul@example.com'].map((email) => ({
      name: email,
      role: 'production',
      email,
    }));
    await changeAccount({ contacts });
    await milestone(orderId, 'artwork_rejected', { line: 0, reason: 'it is blurred' });
    const recipients: string[] = [];
    const send = async ({ to }: Mail): Promise<void> => {
      if (recipients.length > 0) throw new MailDelayed('try later');
      recipients.push((to as { address: string }).address.toLowerCase());
    };
    await mailBy(send);
    await changeAccount({ contacts });
    const all = [...recipients, ...(await sentTo()).map((address) => address.toLowerCase())];
    expect(all.toSorted()).toEqual(['paul@example.com', 'pia@example.com']);
  });

  it('the time limit ends a run between two contacts, and the next run continues', async () => {
    const { orderId } = await aCollectedOrder();
    await setContacts(['pia', 'production'], ['paul', 'production']);
    await milestone(orderId, 'artwork_rejected', { line: 0, reason: 'it is blurred' });
    const now = performance.now.bind(performance);
    let aheadMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
    try {
      expect(await mailBy(async () => void (aheadMs += 60_000))).toEqual({ mails: 1 });
    } finally {
      clock.mockRestore();
    }
    expect(await sentTo()).toHaveLength(1);
  });

  it('a mail server that cannot be reached ends the run', async () => {
    await complete(await aCollectedOrder());
    await complete(await aCollectedOrder());
    let attempts = 0;
    const send = async (): Promise<void> => {
      attempts += 1;
      throw new MailDelayed('the mail was not sent: connect ECONNREFUSED', true);
    };
    await mailBy(send);
    expect(attempts).toBe(1);
    expect(await sentTo()).toHaveLength(2);
  });

  it('missing artwork is mailed like rejected artwork', async () => {
    const { orderId } = await aCollectedOrder();
    await setContacts(['pia', 'production']);
    await sql(service, `UPDATE order_artwork SET fixed_at = NULL, size_bytes = NULL, checksum = NULL WHERE order_id = $1`, [orderId]);
    await sql(
      service,
      `INSERT INTO order_attention (order_id, code, subject, message, raised_at)
       SELECT order_id, 'ARTWORK_MISSING', upload_id, 'it did not arrive', now() FROM order_artwork WHERE order_id = $1`,
      [orderId],
    );
    expect(await sentTo()).toEqual(['pia@example.com']);
    expect(mail.received[0]?.text.replaceAll('=\r\n', '')).toContain('its artwork has not arrived');
  });
});
