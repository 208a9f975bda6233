import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { onOneLine } from './mail-text';

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
  deleteCopy(mailId: string): Promise<void>;
}

/** SMTP when `smtpUrl` is given, otherwise one `.eml` file per mail in a local outbox folder. */
export function createMailer(settings: { smtpUrl: string | null; from: string; outboxDir: string }): Mailer {
  const mailer = settings.smtpUrl === null ? outboxMailer(settings.from, settings.outboxDir) : smtpMailer(settings.smtpUrl, settings.from);
  return {
    ...mailer,
    send: (mail) =>
      mailer.send(mail).catch((error: unknown) => {
        throw toMailError(error);
      }),
  };
}

/** Shorter than one attempt of the activities that send mail, so that a silent server fails the sending and not the activity, ms. */
const SEND_TIMEOUT_MS = 20_000;

function envelope(mail: Mail, from: string) {
  return {
    from,
    to: recipient(mail.to),
    subject: onOneLine(mail.subject),
    text: mail.text,
    messageId: `<${onOneLine(mail.id)}@trade-print>`,
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
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
    deleteCopy: () => Promise.resolve(),
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
    deleteCopy: (mailId) => rm(path.join(dir, `${mailId}.eml`), { force: true }),
  };
}

/** The mail server has refused this mail for good; sending it again would meet the same answer. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** @param reply what the mail server said, on one line; it may name the recipient, so it goes into no log and no history. */
  constructor(
    readonly responseCode: number | null,
    readonly reply: string,
  ) {
    super(`the mail server refused the mail for good${responseCode === null ? '' : ` (${responseCode})`}`);
  }
}

/** The mail could not be handed over now; later it may be. Its message names no address: workflow histories carry it. */
export class MailDelayed extends Error {
  override readonly name = 'MailDelayed';
}

interface SendFailure {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
  response?: unknown;
  message?: unknown;
}

/** Of the mail itself: its sender, its recipient, its content. What the server says to our sign-in is our fault, not the mail's. */
const MAIL_ERROR_CODES = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);
/** Between the machines: such messages name hosts and ports. */
const CONNECTION_ERROR_CODES = new Set<unknown>(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS', 'ETLS']);

/** A failed sending as MailRefused (RFC 5321: 5yz, or an address that no SMTP command can carry) or MailDelayed. */
function toMailError(error: unknown): MailRefused | MailDelayed {
  const { code, command, responseCode, response, message } = (error ?? {}) as SendFailure;
  if (MAIL_ERROR_CODES.has(code) && typeof responseCode === 'number' && responseCode >= 500 && responseCode <= 599) {
    return new MailRefused(responseCode, onOneLine(String(response)).slice(0, 500));
  }
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused(null, 'the address cannot be written to');
  if (typeof responseCode === 'number') return new MailDelayed(`the mail server answered ${responseCode} to ${String(command)}`);
  return new MailDelayed(
    `the mail was not handed over: ${CONNECTION_ERROR_CODES.has(code) ? onOneLine(String(message)) : String((code as string | undefined) ?? 'unknown fault')}`,
  );
}
