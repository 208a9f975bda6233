import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../src/dev/ports';
import { createMailer } from '../../src/mail';
import { confirmationMail } from '../../src/mail/confirmation';
import type { AccountRow, OrderWithParcels } from '../../src/db/rows';

const mail = { id: 'confirmation-ord_1', to: 'ada@example.com', subject: 'Your order P-10001 is with the studio', text: 'Grüße\n' };
const from = 'Print studio <orders@studio.example>';

describe('outbox folder', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'trade-print-outbox-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('keeps one readable message per occasion, however often it is sent', async () => {
    const mailer = createMailer({ smtpUrl: null, from, outboxDir: path.join(dir, 'made/on/demand') });
    await mailer.send(mail);
    await mailer.send(mail);
    const files = await readdir(path.join(dir, 'made/on/demand'));
    expect(files).toEqual(['confirmation-ord_1.eml']);
    const text = await readFile(path.join(dir, 'made/on/demand', files[0] ?? ''), 'utf8');
    expect(text).toMatch(/^To: ada@example\.com$/m);
    expect(text).toMatch(/^Message-ID: <confirmation-ord_1@trade-print>$/m);
    expect(text).toMatch(/^Subject: Your order P-10001 is with the studio$/m);
  });
});

describe('SMTP', () => {
  it('hands the message to the server, sender and recipient as given', async () => {
    const received: { from: string; to: string[]; text: string }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() });
          done();
        });
      },
    });
    const port = await freePort();
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    try {
      await createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outboxDir: '/nowhere' }).send(mail);
    } finally {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    }
    expect(received).toMatchObject([{ from: 'orders@studio.example', to: ['ada@example.com'] }]);
    expect(received[0]?.text).toContain('Message-ID: <confirmation-ord_1@trade-print>');
  });

  it('rejects where no server answers, so that the sending is tried again', async () => {
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${await freePort()}`, from, outboxDir: '/nowhere' });
    await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('confirmation', () => {
  const order = {
    id: 'ord_1', order_number: 'P-10001', promised_ready_date: '2026-12-01',
    lines: [{ quantity: 2, productName: 'Fine art printing', externalReference: 'dunes', unitPriceCents: 5189, amountCents: 10378 }],
  } as OrderWithParcels;
  const address = { name: 'Ada', line1: '12 Hanging Lane', line2: null, city: 'Melbourne', state: 'VIC', postcode: '3000', country: 'AU', email: 'ada@example.com' };

  it('goes to the customer, names what was ordered, and shows no price', () => {
    const { to, text, subject } = confirmationMail(order, address, { name: 'Gallery North' } as AccountRow);
    expect(to).toBe('ada@example.com');
    expect(subject).toContain('P-10001');
    expect(text).toContain('2 x Fine art printing (dunes)');
    expect(text).toContain('ready on 2026-12-01');
    expect(text).toContain('Melbourne VIC 3000');
    expect(text).not.toMatch(/5189|10378|51\.89|103\.78|\$/);
  });
});
