import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../../scripts/start/ports';
import { createMailer, MailDelayed, MailRefused, type Mail, type MailResult } from '../../../src/mail';
import { createConfirmationMail } from '../../../src/mail/confirmation';
import { createTroubleMails, type TroubleMailInput } from '../../../src/mail/webhook-trouble';
import type { AccountRow, OrderWithRelations } from '../../../src/db/rows';
import { startMailServer, type MailServer } from '../../support/smtp-server';

const mail = { id: 'confirmation-ord_1', to: 'ada@example.com', subject: 'Your order P-10001 has been placed', text: 'Grüße\n' };
const from = 'Print studio <orders@studio.example>';

describe('outbox folder', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'trade-print-outbox-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('keeps one readable message per occasion, also if it is sent again', async () => {
    const mailer = createMailer({ smtpUrl: null, from, outboxDir: path.join(dir, 'made/on/demand') });
    await mailer.send(mail);
    await mailer.send(mail);
    const files = await readdir(path.join(dir, 'made/on/demand'));
    expect(files).toEqual(['confirmation-ord_1.eml']);
    const text = await readFile(path.join(dir, 'made/on/demand', files[0] ?? ''), 'utf8');
    expect(text).toMatch(/^To: ada@example\.com$/m);
    expect(text).toMatch(/^Message-ID: <confirmation-ord_1@studio\.example>$/m);
    expect(text).toMatch(/^Subject: Your order P-10001 has been placed$/m);
  });
});

describe('SMTP', () => {
  let server: MailServer;
  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(() => server.stop());
  const createServerMailer = () => createMailer({ smtpUrl: server.url, from, outboxDir: '/nowhere' });

  it('passes the message to the server, with sender and recipient unchanged', async () => {
    await createServerMailer().send(mail);
    expect(server.received).toMatchObject([{ from: 'orders@studio.example', to: ['ada@example.com'] }]);
  });

  it('greets with the domain of the sender, because servers refuse the name that a container has', async () => {
    await createServerMailer().send(mail);
    expect(server.greetings).toEqual(['studio.example']);
  });

  const headersOf = (text: string): Map<string, string> =>
    new Map(
      [...(text.split('\r\n\r\n')[0] ?? '').matchAll(/^([\w-]+): (.*(?:\r\n[ \t].*)*)/gm)].map(([, name = '', value = '']) => [
        name,
        value.replaceAll(/\r\n[ \t]/g, ' ').trim(),
      ]),
    );

  it.each([
    ['Print studio <orders@studio.example>', 'studio.example', 'orders@studio.example'],
    ['orders+web@Studio.Example', 'studio.example', 'orders+web@studio.example'],
    ['"Prints, Frames & Co" <orders@studio.example>', 'studio.example', 'orders@studio.example'],
    ['Küste <orders@bücher.example>', 'xn--bcher-kva.example', 'orders@bücher.example'], // the test server decodes Punycode
  ])('sent from %s has a Message-ID of its domain, the same at a retry, and says that it is automatic', async (sender, domain, address) => {
    const mailer = createMailer({ smtpUrl: server.url, from: sender, outboxDir: '/nowhere' });
    server.setContentReply({ code: 451, words: 'later' });
    await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailDelayed);
    server.setContentReply(null);
    await mailer.send(mail);
    await mailer.send(mail);
    expect(server.received).toHaveLength(2);
    for (const { from: envelopeSender, text } of server.received) {
      const headers = headersOf(text);
      expect(headers.get('Message-ID')).toBe(`<confirmation-ord_1@${domain}>`);
      expect([headers.get('Auto-Submitted'), headers.get('X-Auto-Response-Suppress')]).toEqual(['auto-generated', 'OOF, AutoReply']);
      expect(Date.parse(headers.get('Date') ?? '')).not.toBeNaN();
      expect([envelopeSender, headers.has('Reply-To')]).toEqual([address, false]);
    }
  });

  it('keeps a subject of any script on one line, without further headers', async () => {
    const subject = `Webhooks to Küste 王小明\r\nBcc: eve@example.com\u2028Reply-To: eve@example.com ${'ü'.repeat(300)} are failing`;
    await createServerMailer().send({ ...mail, subject });
    const headers = headersOf(server.received[0]?.text ?? '');
    const words = [...(headers.get('Subject') ?? '').matchAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi)].map(([, encoding, text = '']) =>
      encoding === 'B' ? Buffer.from(text, 'base64') : Buffer.from(decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%'))),
    );
    expect(Buffer.concat(words).toString()).toBe(subject.replace('\r\n', ' ').replace('\u2028', ' '));
    expect([headers.has('Bcc'), headers.has('Reply-To'), server.received[0]?.to]).toEqual([false, false, ['ada@example.com']]);
  });

  it.each([550, 552, 553, 554])("a recipient refused with %i is refused permanently, with the server's reply", async (code) => {
    server.setRecipientReply({ code, words: '5.1.1 no such user here' });
    const error = await createServerMailer()
      .send(mail)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MailRefused);
    expect(error).toMatchObject({ responseCode: code, reply: expect.stringContaining('no such user here') });
  });

  it('content refused with 554 is refused permanently', async () => {
    server.setContentReply({ code: 554, words: 'looks like spam' });
    await expect(createServerMailer().send(mail)).rejects.toMatchObject({ name: 'MailRefused', responseCode: 554 });
  });

  it.each([
    ['setSenderReply', 553, '5.7.1 sender is not allowed', 'MAIL FROM'],
    ['setRecipientReply', 553, '5.7.1 <orders@studio.example>: Sender address rejected: not owned by user', 'RCPT TO'],
    ['setRecipientReply', 550, '5.1.8 <orders@studio.example>: Domain not found', 'RCPT TO'],
    ['setContentReply', 554, 'Message rejected: Email address is not verified.', 'DATA'],
    ['setContentReply', 550, 'The from address does not match a verified Sender Identity.', 'DATA'],
    ['setContentReply', 550, '5.1.8 Access denied, bad outbound sender', 'DATA'],
    ['setRecipientReply', 554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example', 'RCPT TO'],
    ['setRecipientReply', 550, '5.7.1 Client host rejected: cannot find your hostname', 'RCPT TO'],
    ['setRecipientReply', 550, 'Sender verify failed', 'RCPT TO'],
    ['setRecipientReply', 550, '5.4.5 daily user sending limit exceeded', 'RCPT TO'],
    ['setRecipientReply', 550, '5.7.64 TenantAttribution; relay access denied', 'RCPT TO'],
    ['setContentReply', 554, '5.2.2 mailbox full', 'DATA'],
    ['setContentReply', 554, '5.2.252 SendAsDenied', 'DATA'],
    ['setContentReply', 550, '5.4.5 daily user sending limit exceeded', 'DATA'],
    ['setContentReply', 550, '5.7.30 basic authentication is not supported', 'DATA'],
  ] as const)('%s %i %s is temporary, because it is about the sender', async (set, code, words, command) => {
    server[set]({ code, words });
    const enhanced = /^5\S+ /.exec(words)?.[0] ?? '';
    const expected = `the mail server answered ${code} ${enhanced}to ${command}`;
    await expect(createServerMailer().send(mail)).rejects.toMatchObject({ name: 'MailDelayed', message: expected });
    server[set](null);
    await createServerMailer().send(mail);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['setSenderReply', 552, '5.3.4 message size exceeds the limit'],
    ['setRecipientReply', 550, '5.7.1 delivery not authorized'],
    ['setRecipientReply', 550, '5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required'],
    ['setRecipientReply', 550, '5.7.124 sender not in allowed-senders list of the group'],
    ['setRecipientReply', 552, '5.2.2 mailbox full'],
    ['setContentReply', 550, '5.7.1 rejected by policy'],
    ['setContentReply', 554, '5.7.0 Reject, id=1 - spam'],
    ['setContentReply', 554, '5.6.0 malformed content'],
    ['setContentReply', 550, '5.1.1 no such user'],
    ['setContentReply', 552, 'message too large'],
  ] as const)('%s %i %s is permanent', async (set, code, words) => {
    server[set]({ code, words });
    await expect(createServerMailer().send(mail)).rejects.toMatchObject({ name: 'MailRefused', responseCode: code });
  });

  it('reaches the other recipients if one is refused, and does not count as sent', async () => {
    const results: MailResult[] = [];
    const mailer = createMailer({ smtpUrl: server.url, from, outboxDir: '/nowhere' }, (result) => results.push(result));
    for (const code of [550, 450]) {
      server.setRecipientReply({ code, words: 'not here' }, 'typo@studio.example');
      await mailer.send({ ...mail, to: 'ada@studio.example, typo@studio.example' });
    }
    await mailer.send({ ...mail, to: 'ada@studio.example' });
    expect(server.received.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => ['ada@studio.example']));
    expect(results).toEqual(['refused', 'delayed', 'sent']);
  });

  // The last five are about the session: a command, a sign-in or encryption.
  it.each([421, 450, 452, 503, 530, 534, 535, 538])('%i is temporary, and the error does not name the recipient', async (code) => {
    server.setRecipientReply({ code, words: '<ada@example.com> try again later' });
    const error = await createServerMailer()
      .send(mail)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MailDelayed);
    expect(String(error)).toContain(String(code));
    expect(String(error)).not.toContain('ada@example.com');
  });

  it('an address that is invalid in a command is refused permanently', async () => {
    await expect(createServerMailer().send({ ...mail, to: '@' })).rejects.toBeInstanceOf(MailRefused);
  });

  it('rejects if no server responds, so the mail is sent again', async () => {
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${await findFreePort()}`, from, outboxDir: '/nowhere' });
    await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('confirmation', () => {
  const order = {
    id: 'ord_1',
    order_number: 'P-10001',
    promised_ready_date: '2026-12-01',
    lines: [{ quantity: 2, productName: 'Fine art printing', externalReference: 'dunes', unitPriceCents: 5189, amountCents: 10378 }],
  } as OrderWithRelations;
  const address = {
    name: 'Ada',
    line1: '12 Hanging Lane',
    line2: null,
    city: 'Melbourne',
    state: 'VIC',
    postcode: '3000',
    country: 'AU',
    email: 'ada@example.com',
  };

  it('goes to the customer, lists the items, and shows no price', () => {
    const { to, text, subject } = createConfirmationMail(order, address, { name: 'Gallery North' } as AccountRow);
    expect(to).toEqual({ address: 'ada@example.com' });
    expect(subject).toContain('P-10001');
    expect(text).toContain('2 x Fine art printing (dunes)');
    expect(text).toContain('ready on 2026-12-01');
    expect(text).toContain('Melbourne VIC 3000');
    expect(text).not.toMatch(/5189|10378|51\.89|103\.78|\$/);
  });

  it('of an order to collect says so, without an address', () => {
    const { text } = createConfirmationMail({ ...order, is_collection: true }, address, { name: 'Gallery North' } as AccountRow);
    expect(text).toContain('You collect it at our studio. Please quote P-10001.');
    expect(text).not.toMatch(/ship|Hanging Lane/);
  });

  it('has the address in the order of its country', () => {
    const abroad = { ...address, city: 'London', state: ' ', postcode: 'NW1 6XE', country: 'GB' };
    const { text } = createConfirmationMail(order, abroad, { name: 'Gallery North' } as AccountRow);
    expect(text).toContain('  Ada\n  12 Hanging Lane\n  London\n  NW1 6XE\n  United Kingdom\n');
  });

  const BREAKS = ['\r', '\n', '\r\n', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029'];
  const LINES = /\r\n|[\n\r\u000b\u000c\u0085\u2028\u2029]/u;

  it.each(BREAKS.map((text) => [JSON.stringify(text), text]))('%s in any field never breaks a line of a mail', async (_shown, text) => {
    const broken = `x${text}Bcc: eve@example.com${text}${text}Dear Eve`;
    const hostile = {
      ...address,
      name: broken,
      company: broken,
      line1: broken,
      line2: broken,
      city: broken,
      state: broken,
      postcode: broken,
    };
    const lines = order.lines.map((line) => ({ ...line, externalReference: broken, productName: broken }));
    const made = createConfirmationMail({ ...order, lines, order_number: broken, promised_ready_date: broken }, hostile, {
      name: broken,
    } as AccountRow);
    const calm = createConfirmationMail(order, { ...address, company: 'x', line2: 'x' }, { name: 'x' } as AccountRow);
    expect(made.text.split(LINES)).toHaveLength(calm.text.split('\n').length);
    const createTroubleMailsFor = (name: string) =>
      createTroubleMails({
        id: 'whe_1',
        endpoint: { id: 'whe_1', url: 'https://x.example/', state: 'enabled' },
        account: { id: 'acc_1', name, email: 'gallery@x.example' },
        failures: 3,
        lastAnswer: name,
        studioMail: 'studio@studio.example',
        publicBaseUrl: 'https://api.example/v1',
        studioUrl: 'https://studio.example',
      } satisfies TroubleMailInput);
    const countLines = (mails: Mail[], breaks: RegExp | string) => mails.map((each) => each.text.split(breaks).length);
    expect(countLines(createTroubleMailsFor(broken), LINES)).toEqual(countLines(createTroubleMailsFor('x'), '\n'));
    const server = await startMailServer();
    try {
      const mailer = createMailer({ smtpUrl: server.url, from, outboxDir: '/nowhere' });
      await mailer.send(made);
      for (const each of createTroubleMailsFor(broken)) await mailer.send(each);
    } finally {
      await server.stop();
    }
    expect(server.received.map(({ to }) => to)).toEqual([['ada@example.com'], ['studio@studio.example'], ['gallery@x.example']]);
    for (const message of server.received) expect(message.text.replaceAll('=\r\n', '')).not.toMatch(/^(Bcc:|Dear Eve)/m); // joins lines of quoted-printable like a mail reader
  });
});
