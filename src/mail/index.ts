import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';

export interface Mail {
  /** Stable for one occasion: also the Message-ID, so that a repeat is recognised as the same mail. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Resolves when the mail has been handed over; rejects so that the caller may try again. */
  send(mail: Mail): Promise<void>;
}

/** SMTP when `smtpUrl` is given, otherwise one `.eml` file per mail in a local outbox folder. */
export function createMailer(settings: { smtpUrl: string | null; from: string; outboxDir: string }): Mailer {
  return settings.smtpUrl === null ? outboxMailer(settings.from, settings.outboxDir) : smtpMailer(settings.smtpUrl, settings.from);
}

function envelope(mail: Mail, from: string) {
  return { from, to: mail.to, subject: mail.subject, text: mail.text, messageId: `<${mail.id}@trade-print>` };
}

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(url);
  return {
    async send(mail) {
      await transport.sendMail(envelope(mail, from));
    },
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
  };
}
