import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { mailFailure } from './failures';
import { onOneLine } from './flat';

export { MailDelayed, MailRefused } from './failures';

export interface Mail {
  /** Stable for one occasion: also the Message-ID, so that a repeat is recognised as the same mail. */
  id: string;
  /** A header's text, as settings have it; or one address that is taken as it is, whatever a header would make of it. */
  to: string | { address: string };
  subject: string;
  text: string;
}

export interface Mailer {
  /** Resolves when the mail has been handed over. @throws MailRefused when trying again is no use, MailDelayed when it may be */
  send(mail: Mail): Promise<void>;
  /** Removes the copy of a mail that stands in the outbox folder; what was handed to a mail server is out of our hands. */
  forget(mailId: string): Promise<void>;
}

/** SMTP when `smtpUrl` is given, otherwise one `.eml` file per mail in a local outbox folder. */
export function createMailer(settings: { smtpUrl: string | null; from: string; outboxDir: string }): Mailer {
  const mailer = settings.smtpUrl === null ? outboxMailer(settings.from, settings.outboxDir) : smtpMailer(settings.smtpUrl, settings.from);
  return {
    send: (mail) =>
      mailer.send(mail).catch((error: unknown) => {
        throw mailFailure(error);
      }),
    forget: (mailId) => mailer.forget(mailId),
  };
}

/** Shorter than one attempt of the activities that send mail, so that a silent server fails the sending and not the activity, ms. */
const SEND_MS = 20_000;

function envelope(mail: Mail, from: string) {
  return {
    from,
    to: recipient(mail.to),
    subject: onOneLine(mail.subject),
    text: mail.text,
    messageId: `<${onOneLine(mail.id)}@trade-print>`,
    signal: AbortSignal.timeout(SEND_MS),
  };
}

function recipient(to: Mail['to']) {
  return typeof to === 'string' ? onOneLine(to) : { name: '', address: onOneLine(to.address) };
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url);
  return {
    async send(mail) {
      await transport.sendMail(envelope(mail, from));
    },
    forget: () => Promise.resolve(),
  };
}

/** The same mail twice is one file: it is named by the mail's id and replaced atomically. */
function outboxMailer(from: string, dir: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(envelope(mail, from));
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const file = path.join(dir, `${mail.id}.eml`);
      await writeFile(`${file}.partial`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.partial`, file);
    },
    forget: (mailId) => rm(path.join(dir, `${mailId}.eml`), { force: true }),
  };
}
