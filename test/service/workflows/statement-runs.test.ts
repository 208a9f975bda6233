import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../activities';
import { statementRunWorkflowId } from '../../../workflows/messages';
import { anAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { useFixture, useMailServer, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aToken, findAuditEntries } from '../http/studio/support';
import { historyText } from './history-text';

const PERIOD = { periodFrom: '2026-01-01', periodTo: '2026-12-31' };

describe('statements to all accounts with a balance', () => {
  const mail = useMailServer();
  const service = useService(() => ({ env: { SMTP_URL: mail.url, RATE_LIMIT_FACTOR: '50' } }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));
  const emails: string[] = [];
  beforeAll(async () => {
    for (let n = 1; n <= 8; n += 1) {
      const { accountId, liveKey } = await anAccount(service.deps.database);
      const email = `books-${n}@gallery.example`;
      await office.send('PATCH', `/accounts/${accountId}`, { contacts: [{ name: 'Books', role: 'billing', email }] });
      await anOrder(service.trade(liveKey));
      emails.push(email);
    }
    const { testKey } = await anAccount(service.deps.database); // a test order is no balance
    await anOrder(service.trade(testKey));
  });

  const start = (runId: string) => office.post('/statement-runs', { runId, ...PERIOD });
  const read = async (id: string) => (await office.get(`/statement-runs/${id}`)).json.data;
  const completed = (id: string) => waitFor('the end of the run', async () => (await read(id)).state === 'completed' && read(id));
  const recipients = () => mail.received.map(({ to }) => to[0]).toSorted();
  const attempt = (sendId: string) => new MockActivityEnvironment().run(() => createActivities(service.deps).sendDocument({ sendId }));
  /** Waits until no attempt is under way. */
  const idle = (sendId: string) =>
    waitFor('the end of the attempt', () =>
      service.deps.database.exists('SELECT 1 FROM sends WHERE id = $1 AND claimed_until IS NULL', [sendId]),
    );
  const workflow = (id: string) => service.deps.temporal.client.workflow.getHandle(statementRunWorkflowId(id));

  it('each account gets one mail, also if the request is repeated; a refused one is its own result', async () => {
    mail.setRecipientReply({ code: 550, words: 'no such mailbox' }, emails[2]);
    const replies = await Promise.all([start('march'), start('march')]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 202]);
    const { id } = replies[0].json.data;
    expect(await completed(id)).toMatchObject({ ...PERIOD, accounts: 8, sent: 7, refused: 1, pending: 0, actor: 'Books' });
    expect(recipients()).toEqual(emails.filter((_, at) => at !== 2));
    const results = (await office.get(`/sends?runId=${id}&limit=100`)).json.data;
    expect(results.map(({ recipient, state }: { recipient: string; state: string }) => [recipient, state]).toSorted()).toEqual(
      emails.map((email, at) => [email, at === 2 ? 'refused' : 'sent']),
    );
    expect((await start('march')).json.data).toEqual(await read(id));
    const other = await office.post('/statement-runs', { runId: 'march', periodFrom: '2026-02-01' });
    expect([other.status, other.json.error?.code]).toEqual([409, 'SEND_ID_REUSED']);
    expect(mail.received).toHaveLength(7);
    expect(await findAuditEntries(service, id)).toMatchObject([{ action: 'statement-run.start', after: { accounts: 8 } }]);
    const history = historyText(await workflow(id).fetchHistory());
    for (const secret of ['gallery', 'Books', '2026-01-01']) expect(history).not.toContain(secret);
  });

  it('a pause stops the rest, and a run whose workflow was lost while it sent continues without a second mail', async () => {
    mail.setRecipientReply({ code: 451, words: 'try later' }, emails[7]); // so the run lasts until the pause
    const { id } = (await start('april')).json.data;
    await waitFor('a first mail', async () => mail.received.length > 0);
    expect((await office.post(`/statement-runs/${id}/pause`)).json.data.state).toBe('paused');
    const { sent, pending } = await read(id);
    mail.setRecipientReply(null);
    expect(sent + pending).toBe(8);
    expect(pending).toBeGreaterThan(0);
    await workflow(id).terminate('lost');
    expect((await office.post(`/statement-runs/${id}/resume`)).json.data.state).toBe('running');
    await completed(id);
    await waitFor('all mails', async () => (await read(id)).sent === 8);
    expect(recipients()).toEqual(emails);
    expect((await office.post(`/statement-runs/${id}/pause`)).json.data.state).toBe('completed');
  });

  it('a delayed mail continues on its own and holds up no other', async () => {
    mail.setRecipientReply({ code: 451, words: 'try later' }, emails[0]);
    const { id } = (await start('may')).json.data;
    await waitFor('the other mails', async () => (await read(id)).sent === 7);
    expect(await read(id)).toMatchObject({ state: 'running', pending: 1 });
    expect((await office.post(`/statement-runs/${id}/pause`)).json.data.state).toBe('paused');
    const [{ id: delayed }] = (await office.get(`/sends?runId=${id}&state=pending`)).json.data;
    await idle(delayed); // an attempt from before the pause could still send it
    mail.setRecipientReply(null);
    await expect(attempt(delayed)).rejects.toThrow('its run is paused');
    await office.post(`/statement-runs/${id}/resume`);
    expect(await completed(id)).toMatchObject({ sent: 8, pending: 0 }); // by its last mail
    expect((await office.post(`/statement-runs/${id}/pause`)).json.data.state).toBe('completed');
    expect(recipients()).toEqual(emails);
  });

  it('a waiting mail goes to the billing contact of the moment at which it is sent', async () => {
    const [accountId] = await service.deps.database.column<string>('SELECT account_id FROM account_contacts WHERE email = $1', [emails[0]]);
    mail.setRecipientReply({ code: 451, words: 'try later' }, emails[0]);
    const { id } = (await start('june')).json.data;
    await waitFor('the other mails', async () => (await read(id)).sent === 7);
    await office.send('PATCH', `/accounts/${accountId}`, { email: 'gallery@new.example', contacts: [] });
    expect(await completed(id)).toMatchObject({ sent: 8 });
    expect(recipients()).toEqual([...emails.slice(1), 'gallery@new.example']);
    const results = (await office.get(`/sends?accountId=${accountId}`)).json.data;
    expect(results[0]).toMatchObject({ runId: id, recipient: 'gallery@new.example' });
  });
});
