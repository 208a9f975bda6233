import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../activities';
import { createSweepActivities } from '../../../activities/sweep';
import type { ActivityDeps } from '../../../activities/deps';
import { BOUNDS, PdfRenderer } from '../../../src/documents/pdf-renderer';
import { DAY_MS } from '../../../src/domain/duration';
import { MailDelayed } from '../../../src/mail';
import { newId } from '../../../src/security/ids';
import { sendWorkflowId } from '../../../workflows/messages';
import { anAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { useFixture, useMailServer, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aToken, findAuditEntries, validationPathsOf } from '../http/studio/support';
import { historyText } from './history-text';

const BILLING = { name: 'Mia Chen', role: 'billing', email: 'mia@harbour.example' };

describe('documents by mail', () => {
  const mail = useMailServer();
  const service = useService(() => ({ env: { SMTP_URL: mail.url, RATE_LIMIT_FACTOR: '50' } }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));

  /** An account with a billing contact and an invoice. */
  async function aBilled(environment: 'live' | 'test' = 'live') {
    const account = await anAccount(service.deps.database);
    await office.send('PATCH', `/accounts/${account.accountId}`, { name: 'Harbour Gallery', contacts: [BILLING] });
    const { orderId } = await anOrder(service.trade(environment === 'live' ? account.liveKey : account.testKey));
    const { invoiceNumber } = (
      await service.trade(environment === 'live' ? account.liveKey : account.testKey).get(`/orders/${orderId}/invoice`)
    ).json.data;
    return { ...account, orderId, invoiceNumber: String(invoiceNumber) };
  }
  const readSend = async (id: string) => (await office.get(`/sends/${id}`)).json.data;
  const ended = (id: string) => waitFor('the end of the mail', async () => (await readSend(id)).state !== 'pending' && readSend(id));
  /** A mail that waits for the mail server, and its next attempt. Stops the worker, which would make attempts too. */
  async function aDelayed(invoiceNumber: string, sendId: string) {
    await service.worker?.stop();
    const { id } = (await office.post(`/invoices/${invoiceNumber}/send`, { sendId })).json.data;
    const attempt = (deps: Partial<ActivityDeps> = {}, info: { attempt?: number } = {}) =>
      new MockActivityEnvironment(info).run(() => createActivities({ ...service.deps, ...deps }).sendDocument({ sendId: id }));
    mail.setContentReply({ code: 451, words: 'try later' });
    await expect(attempt()).rejects.toThrow('451');
    mail.setContentReply(null);
    return { id, attempt };
  }
  const attentionOf = async (orderId: string) => (await office.get(`/orders/${orderId}`)).json.data.attention;
  const pdfIn = (text: string): string =>
    Buffer.from(/%PDF|JVBERi0[\s\S]*?\r\n\r\n|JVBERi0[A-Za-z0-9+/=\r\n]+/.exec(text)?.[0] ?? '', 'base64').toString('latin1');

  it('an invoice goes to the billing contact as drafted, with its PDF, and is in timeline, list and audit log', async () => {
    const { accountId, orderId, invoiceNumber } = await aBilled();
    const draft = (await office.get(`/invoices/${invoiceNumber}/send`)).json.data;
    expect(draft).toMatchObject({ to: BILLING.email, subject: `Invoice ${invoiceNumber}`, fileName: `${invoiceNumber}.pdf` });
    expect(draft.recipients).toEqual([BILLING, { name: 'Harbour Gallery', role: 'other', email: 'gallery@example.com' }]);
    expect(draft.message).toMatch(/^Dear Harbour Gallery,\n\nAttached is invoice INV-\d+ for your order P-\d+\.\nThe amount due is \$/);
    const { status, json } = await office.post(`/invoices/${invoiceNumber}/send`, { sendId: 'a-1' });
    expect(status).toBe(202);
    expect(json.data).toMatchObject({ sendId: 'a-1', document: 'invoice', documentNumber: invoiceNumber, recipient: BILLING.email });
    expect(await ended(json.data.id)).toMatchObject({ state: 'sent', message: draft.message, actor: 'Books' });
    expect(mail.received).toHaveLength(1);
    const [received] = mail.received;
    expect(received).toMatchObject({ to: [BILLING.email], text: expect.stringContaining(`Subject: Invoice ${invoiceNumber}`) });
    expect(received?.text).toContain(`filename=${invoiceNumber}.pdf`);
    expect(pdfIn(received?.text ?? '')).toMatch(/^%PDF/);
    expect((await office.get(`/sends?accountId=${accountId}`)).json.data).toEqual([await readSend(json.data.id)]);
    expect((await office.get(`/orders/${orderId}`)).json.data.timeline).toMatchObject([
      { type: 'document_sent', outcome: 'applied', sendState: 'sent', reason: null, note: invoiceNumber, actor: 'Books' },
    ]);
    const entries = (await findAuditEntries(service, orderId)).filter(({ action }) => action === 'document.send');
    expect(entries).toMatchObject([{ after: { document: 'invoice', documentName: invoiceNumber, sendId: 'a-1', otherAddress: false } }]);
    const history = historyText(await service.deps.temporal.client.workflow.getHandle(sendWorkflowId(json.data.id)).fetchHistory());
    for (const secret of ['harbour', 'Mia', 'Dear']) expect(history).not.toContain(secret);
    expect(service.logLines.filter((line) => line.includes(BILLING.email))).toEqual([]);
  });

  it('the draft of an overdue invoice says when it was due', async () => {
    const { invoiceNumber } = await aBilled();
    const draft = async () => (await office.get(`/invoices/${invoiceNumber}/send`)).json.data.message;
    expect(await draft()).toMatch(/The amount due is \$[\d.,]+\. Please pay it by /);
    await service.deps.database.run(`UPDATE invoices SET due_at = '2026-03-01T01:00:00Z' WHERE invoice_number = $1`, [invoiceNumber]);
    expect(await draft()).toMatch(/The amount due is \$[\d.,]+\. It was due on 1 March 2026\./);
  });

  it('a repeat is the same mail, also at once; other content with the id is refused', async () => {
    const { accountId, invoiceNumber } = await aBilled();
    const sent = { sendId: 'a-1', subject: 'Your invoice', message: 'Hello\nyou' };
    const replies = await Promise.all([1, 2, 3].map(() => office.post(`/invoices/${invoiceNumber}/send`, sent)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 202]);
    const ids = new Set(replies.map(({ json }) => json.data.id));
    expect(ids.size).toBe(1);
    await ended([...ids][0]);
    const others = [
      office.post(`/invoices/${invoiceNumber}/send`, { ...sent, message: 'Other' }),
      office.post(`/accounts/${accountId}/statement/send`, sent),
    ];
    for (const reply of await Promise.all(others)) expect([reply.status, reply.json.error?.code]).toEqual([409, 'SEND_ID_REUSED']);
    expect(mail.received).toHaveLength(1);
  });

  it('a credit note and a statement are sent too', async () => {
    const { accountId, invoiceNumber, orderId } = await aBilled();
    const credited = await office.post(`/invoices/${invoiceNumber}/credit-notes`, {
      creditNoteId: 'c',
      amountCents: 100,
      reason: 'scratch',
    });
    const { creditNoteNumber } = credited.json.data.creditNotes[0];
    const note = await office.post(`/credit-notes/${creditNoteNumber}/send`, { sendId: 'n' });
    const statement = await office.post(`/accounts/${accountId}/statement/send`, { sendId: 's', periodFrom: '2026-01-01' });
    for (const { json } of [note, statement]) expect(await ended(json.data.id)).toMatchObject({ state: 'sent' });
    expect(mail.received.map(({ text }) => /filename=([\w-]+)/.exec(text)?.[1]).toSorted()).toEqual([
      creditNoteNumber,
      expect.stringMatching(/^statement-2026-01-01-\d{4}-\d\d-\d\d$/),
    ]);
    expect((await office.get(`/orders/${orderId}`)).json.data.timeline.map(({ type }: { type: string }) => type)).toEqual([
      'credit_noted',
      'document_sent',
    ]);
  });

  it('another address needs a confirmation, and the audit log records that without the address', async () => {
    const { orderId, invoiceNumber } = await aBilled();
    const sent = { sendId: 'x', to: 'boss@elsewhere.example' };
    expect(validationPathsOf(await office.post(`/invoices/${invoiceNumber}/send`, sent))).toEqual(['to']);
    const confirmed = await office.post(`/invoices/${invoiceNumber}/send`, { ...sent, otherAddress: true });
    expect(await ended(confirmed.json.data.id)).toMatchObject({ state: 'sent', recipient: 'boss@elsewhere.example' });
    const [entry] = (await findAuditEntries(service, orderId)).filter(({ action }) => action === 'document.send');
    expect(entry?.after).toMatchObject({ otherAddress: true });
    expect(JSON.stringify(entry)).not.toContain('elsewhere');
  });

  it('test documents and unknown documents are refused, and the floor may not send', async () => {
    const { invoiceNumber } = await aBilled('test');
    const refused = await office.post(`/invoices/${invoiceNumber}/send`, { sendId: 't' });
    expect([refused.status, refused.json.error?.code]).toEqual([409, 'SEND_REFUSED']);
    const body = { sendId: 't' };
    const floor = service.studio(await aToken(service, 'floor'));
    const statuses = [
      await office.post('/invoices/INV-1/send', body),
      await office.post('/credit-notes/CN-1/send', body),
      await office.post('/accounts/acc_00/statement/send', body),
      await office.get('/sends/snd_00'),
      await floor.post('/invoices/INV-1/send', body),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 403]);
  });

  it('a refusal raises attention with the reply of the server, and is tried once', async () => {
    const { orderId, accountId, invoiceNumber } = await aBilled();
    mail.setRecipientReply({ code: 550, words: 'no such mailbox' });
    const { json } = await office.post(`/invoices/${invoiceNumber}/send`, { sendId: 'r' });
    expect(await ended(json.data.id)).toMatchObject({ state: 'refused', failure: expect.stringContaining('no such mailbox') });
    expect(await attentionOf(orderId)).toMatchObject([{ code: 'MAIL_REFUSED', message: expect.stringContaining('no such mailbox') }]);
    expect((await office.get(`/orders/${orderId}`)).json.data.timeline).toMatchObject([
      { type: 'document_sent', outcome: 'refused', sendState: 'refused', reason: expect.stringContaining('no such mailbox') },
    ]);
    const statement = await office.post(`/accounts/${accountId}/statement/send`, { sendId: 'rs' });
    expect(await ended(statement.json.data.id)).toMatchObject({ state: 'refused' });
    expect(await attentionOf(orderId)).toHaveLength(2);
    expect(service.logLines.filter((line) => line.includes(BILLING.email) || line.includes('no such mailbox'))).toEqual([]);
  });

  it('a delayed mail, and one whose answer is lost, are repeated under the same Message-ID', async () => {
    const { invoiceNumber } = await aBilled();
    mail.setDrops('after');
    const { json } = await office.post(`/invoices/${invoiceNumber}/send`, { sendId: 'd' });
    await waitFor('an attempt without an answer', async () => mail.received.length > 0);
    mail.setContentReply({ code: 451, words: 'try later' });
    mail.setDrops(null);
    await waitFor('a delay', () => service.deps.database.exists('SELECT 1 FROM mail_delays WHERE id = $1', [`send-${json.data.id}`]));
    mail.setContentReply(null);
    expect(await ended(json.data.id)).toMatchObject({ state: 'sent' });
    const messageIds = new Set(mail.received.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]));
    expect([...messageIds]).toEqual([expect.stringContaining(`send-${json.data.id}@`)]);
    expect(mail.received.length).toBeGreaterThan(1);
  });

  it('a period that ends before it begins names the field of the body', async () => {
    const { accountId } = await aBilled();
    const send = (body: object) => office.post(`/accounts/${accountId}/statement/send`, { sendId: 'p', ...body });
    for (const body of [{ periodFrom: '2026-03-02', periodTo: '2026-03-01' }, { periodFrom: '2999-01-01' }]) {
      expect(validationPathsOf(await send(body))).toEqual(['periodFrom']);
      expect(validationPathsOf(await office.post('/statement-runs', { runId: 'p', ...body }))).toEqual(['periodFrom']);
    }
  });

  it('a token sends 200 mails in 24 hours; a repeat and another token are not counted', async () => {
    const { accountId, invoiceNumber } = await aBilled();
    const token = await aToken(service, 'office', { name: 'Many' });
    const many = service.studio(token);
    const first = await many.post(`/invoices/${invoiceNumber}/send`, { sendId: 'm' });
    await ended(first.json.data.id);
    await service.deps.database.run(
      `INSERT INTO sends SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'snd_' || md5(s.id || n), 'key', 'send:m' || n))).*
         FROM sends s, generate_series(1, 199) n WHERE s.id = $1`,
      [first.json.data.id],
    );
    const refused = await many.post(`/invoices/${invoiceNumber}/send`, { sendId: newId('snd') });
    expect([refused.status, refused.json.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
    expect((await many.post(`/invoices/${invoiceNumber}/send`, { sendId: 'm' })).status).toBe(200);
    const other = await office.post(`/accounts/${accountId}/statement/send`, { sendId: 'o' });
    expect(other.status).toBe(202);
    await ended(other.json.data.id);
  });

  // From here on the worker is stopped, because the tests make the attempts.

  it('gives up after three days, and a lost workflow is started again by the sweep', async () => {
    await service.worker?.stop();
    const { orderId, invoiceNumber } = await aBilled();
    mail.setContentReply({ code: 451, words: 'try later' });
    const { json } = await office.post(`/invoices/${invoiceNumber}/send`, { sendId: 'l' });
    const { id } = json.data;
    const workflow = service.deps.temporal.client.workflow.getHandle(sendWorkflowId(id));
    await waitFor('the workflow', () => workflow.describe().catch(() => null));
    await workflow.terminate('lost');
    const sweep = () => new MockActivityEnvironment().run(() => createSweepActivities(service.deps).resumeSends());
    expect(await sweep()).toEqual({ sends: 0 }); // it is too young
    await service.deps.database.run(`UPDATE sends SET created_at = created_at - interval '2 minutes' WHERE id = $1`, [id]);
    expect(await sweep()).toEqual({ sends: 1 });
    const attempt = () =>
      new MockActivityEnvironment({ scheduledTimestampMs: 0, currentAttemptScheduledTimestampMs: 9 * DAY_MS }).run(() =>
        createActivities(service.deps).sendDocument({ sendId: id }),
      );
    const age = (column: string, days: number) =>
      service.deps.database.run(`UPDATE mail_delays SET ${column} = ${column} - make_interval(days => $2) WHERE id = $1`, [
        `send-${id}`,
        days,
      ]);
    await expect(attempt()).rejects.toThrow('451'); // it waited nine days for its first attempt
    await age('failing_since', 4);
    await age('failed_at', 2); // its run was paused since
    await expect(attempt()).rejects.toThrow('451');
    await age('failing_since', 3);
    expect(await attempt()).toBe('refused');
    expect(await attentionOf(orderId)).toMatchObject([{ code: 'MAIL_REFUSED', message: expect.stringMatching(/three days.*451/) }]);
  });

  it('is erased with the account’s data, and not sent if it is still pending', async () => {
    await service.worker?.stop();
    const { accountId, invoiceNumber } = await aBilled();
    const { json } = await office.post(`/invoices/${invoiceNumber}/send`, { sendId: 'e', message: 'very personal' });
    const erasure = await service.studio().post(`/accounts/${accountId}/erase`, { before: '2999-01-01' });
    expect(erasure.json.data).toMatchObject({ orders: 0, mails: 1 });
    const erased = { recipient: '[erased]', subject: '[erased]', message: '[erased]', state: 'skipped' };
    expect(await readSend(json.data.id)).toMatchObject(erased);
    expect(await new MockActivityEnvironment().run(() => createActivities(service.deps).sendDocument({ sendId: json.data.id }))).toBe(
      'skipped',
    );
    expect(mail.received).toEqual([]);
  });

  it('is not sent if it is erased while its document is rendered', async () => {
    const { accountId, invoiceNumber } = await aBilled();
    const { id, attempt } = await aDelayed(invoiceNumber, 'er');
    const pdfRenderer = Object.create(service.deps.pdfRenderer) as PdfRenderer;
    pdfRenderer.render = async (...document) => {
      const pdf = await service.deps.pdfRenderer.render(...document);
      await service.studio().post(`/accounts/${accountId}/erase`, { before: '2999-01-01' });
      return pdf;
    };
    expect(await attempt({ pdfRenderer })).toBe('skipped');
    expect(await readSend(id)).toMatchObject({ state: 'skipped', recipient: '[erased]' });
    expect(mail.received).toEqual([]);
  });

  it('an attempt that ends late keeps the claim of another', async () => {
    const { invoiceNumber } = await aBilled();
    const { id, attempt } = await aDelayed(invoiceNumber, 'lc');
    const mailer = {
      ...service.deps.mailer,
      send: async () => {
        await service.deps.database.run(`UPDATE sends SET claimed_until = clock_timestamp() + interval '9 minutes' WHERE id = $1`, [id]);
        throw new MailDelayed('too late');
      },
    };
    await expect(attempt({ mailer })).rejects.toThrow('too late');
    await expect(attempt()).rejects.toThrow('another attempt is sending this mail');
  });

  it('keeps its recipient while it waits, even if the contact is removed', async () => {
    const { accountId, invoiceNumber } = await aBilled();
    const { id, attempt } = await aDelayed(invoiceNumber, 'kr');
    await office.send('PATCH', `/accounts/${accountId}`, { contacts: [] });
    expect(await attempt()).toBe('sent');
    expect(await readSend(id)).toMatchObject({ recipient: BILLING.email });
    expect(mail.received.at(-1)?.to).toEqual([BILLING.email]);
  });

  it('a document that cannot be rendered is tried five times and then refused, without its texts in errors', async () => {
    const { orderId, invoiceNumber } = await aBilled();
    const { id, attempt } = await aDelayed(invoiceNumber, 'nr');
    const folder = await mkdtemp(path.join(tmpdir(), 'trade-print-renderer-'));
    const program = path.join(folder, 'endless.mjs');
    await writeFile(program, `process.on('message', () => { for (;;); }); process.send({ ready: true, isRoot: false });`);
    const broken = new PdfRenderer(service.deps.logger, { ...BOUNDS, timeMs: 1 }, program);
    try {
      await expect(attempt({ pdfRenderer: broken }, { attempt: 4 })).rejects.toThrow(/^the document was not rendered$/);
      expect(await readSend(id)).toMatchObject({ state: 'pending' });
      expect(await attempt({ pdfRenderer: broken }, { attempt: 5 })).toBe('refused');
    } finally {
      broken.close();
      await rm(folder, { recursive: true });
    }
    expect(await attentionOf(orderId)).toMatchObject([{ code: 'MAIL_REFUSED', message: expect.stringContaining('too large') }]);
  });
});
