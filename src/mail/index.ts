import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { readUrl } from '../domain/urls';
import { onOneLine } from './mail-text';

export interface Mail {
  /** The same whenever this mail is sent again. The Message-ID contains it, so mail clients recognize a repeated mail. */
  id: string;
  /**
   * A string, from the settings, may list several recipients with names. An object is exactly one address and is never parsed as a list.
   */
  to: string | { address: string };
  subject: string;
  text: string;
  attachments?: readonly { filename: string; content: Buffer }[];
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail. @throws MailRefused if a retry cannot succeed, MailDelayed if it may */
  send(mail: Mail): Promise<void>;
  /** Deletes the copies of mails in the outbox folder, by the beginnings of their ids. Mails that a server has accepted cannot be recalled. */
  deleteCopies(idPrefixes: readonly string[]): Promise<void>;
}

export type MailResult = 'sent' | 'refused' | 'delayed';

/** Sends by SMTP if `smtpUrl` is set; otherwise writes one `.eml` file for each mail to a local outbox folder. */
export function createMailer(
  settings: { smtpUrl: string | null; from: string; outboxDir: string },
  onResult: (result: MailResult) => void = () => undefined,
): Mailer {
  const mailer = settings.smtpUrl === null ? outboxMailer(settings.from, settings.outboxDir) : smtpMailer(settings.smtpUrl, settings.from);
  return {
    ...mailer,
    async send(mail) {
      try {
        onResult(await mailer.send(mail));
      } catch (error) {
        const mailError = toMailError(error);
        onResult(mailError instanceof MailRefused ? 'refused' : 'delayed');
        throw mailError;
      }
    },
  };
}

/**
 * Timeout of one mail, ms. A server that scans attachments answers late, and a mail without its answer is repeated. It is shorter than the
 * activity's timeout, so an unresponsive server results in MailDelayed.
 */
const SEND_TIMEOUT_MS = 90_000;
/** Timeout of the connection and of the server's greeting, ms. */
const CONNECTION_TIMEOUT_MS = 20_000;

/** No vacation notice answers these mails: RFC 3834, and the header that Exchange reads instead. */
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' };

/** The domain of the sender in ASCII. Spam filters distrust a Message-ID of another domain. */
function senderDomain(from: string): string {
  const [sender] = addressparser(from, { flatten: true });
  return readUrl(`http://${sender?.address.split('@').at(-1)}`)?.hostname.replace(/\.$/, '') ?? 'localhost';
}

function envelope(mail: Mail, from: string) {
  return {
    from,
    to: recipient(mail.to),
    subject: onOneLine(mail.subject),
    text: mail.text,
    attachments: [...(mail.attachments ?? [])],
    messageId: `<${onOneLine(mail.id)}@${senderDomain(from)}>`,
    headers: HEADERS,
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  };
}

function recipient(to: Mail['to']) {
  return typeof to === 'string' ? onOneLine(to) : { name: '', address: onOneLine(to.address) };
}

/** `send` returns `refused` or `delayed` if the server did not accept some of several recipients. The others have the mail. */
interface Transport extends Pick<Mailer, 'deleteCopies'> {
  send(mail: Mail): Promise<MailResult>;
}

function smtpMailer(url: string, from: string): Transport {
  const timeouts = { connectionTimeout: CONNECTION_TIMEOUT_MS, greetingTimeout: CONNECTION_TIMEOUT_MS };
  // In a container, nodemailer greets as [127.0.0.1], which some servers refuse.
  const transport = createTransport({ url, name: senderDomain(from), ...timeouts });
  return {
    async send(mail) {
      const { rejected, rejectedErrors = [] } = await transport.sendMail(envelope(mail, from));
      if (rejected.length === 0) return 'sent';
      return rejectedErrors.some(({ responseCode = 0 }) => responseCode >= 500) ? 'refused' : 'delayed';
    },
    deleteCopies: () => Promise.resolve(),
  };
}

/** Names each file by the mail's id and replaces it atomically, so a repeated mail does not create a second file. */
function outboxMailer(from: string, dir: string): Transport {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(envelope(mail, from));
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const file = path.join(dir, `${mail.id}.eml`);
      await writeFile(`${file}.partial`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.partial`, file);
      return 'sent';
    },
    async deleteCopies(idPrefixes) {
      const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const copies = names.filter((name) => idPrefixes.some((prefix) => name.startsWith(prefix)));
      for (const name of copies) await rm(path.join(dir, name), { force: true });
    },
  };
}

/** The mail server has refused this mail permanently, so a retry cannot succeed. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** @param reply the server's answer on one line; it may name the recipient and must not reach logs or histories */
  constructor(
    readonly responseCode: number | null,
    readonly reply: string,
  ) {
    super(`the mail server permanently refused the mail${responseCode === null ? '' : ` (${responseCode})`}`);
  }
}

/** The mail could not be sent now, but a retry may succeed. Workflow histories store this error, so its text contains no mail address. */
export class MailDelayed extends Error {
  override readonly name = 'MailDelayed';
  constructor(
    message: string,
    readonly isConnectionError = false,
  ) {
    super(message);
  }
}

interface SendFailure {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
  response?: unknown;
  message?: unknown;
}

/** Nodemailer's codes for a rejected sender, recipient or content. Other codes, such as for a rejected sign-in, do not concern the mail. */
const MAIL_ERROR_CODES = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);
/** Replies about the session, such as its sign-in or encryption (RFC 5321, 4954 and 3207). They do not concern the mail. */
const SESSION_REPLIES = new Set([503, 530, 534, 535, 538]);
/** Network errors, whose messages contain hosts and ports, and the end of the time for a mail. */
const CONNECTION_ERROR_CODES = new Set<unknown>(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS', 'ETLS', 'EABORT']);

/**
 * Returns MailRefused for a permanent failure: a 5yz reply (RFC 5321) about recipient or content, or an address that SMTP cannot carry.
 * Others are MailDelayed.
 */
function toMailError(error: unknown): MailRefused | MailDelayed {
  const { code, command, responseCode, response, message } = (error ?? {}) as SendFailure;
  const reply = onOneLine(String(response)).slice(0, 500);
  const isPermanent = typeof responseCode === 'number' && responseCode >= 500 && responseCode <= 599 && !SESSION_REPLIES.has(responseCode);
  if (MAIL_ERROR_CODES.has(code) && isPermanent && !isAboutSender(command, reply)) return new MailRefused(responseCode, reply);
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused(null, 'the address is not valid');
  if (typeof responseCode === 'number') {
    const answer = [responseCode, enhancedCode(reply)].join(' ').trimEnd();
    return new MailDelayed(`the mail server answered ${answer} to ${String(command)}`, responseCode === 421);
  }
  const isConnectionError = CONNECTION_ERROR_CODES.has(code);
  const reason = isConnectionError ? onOneLine(String(message)) : String((code as string | undefined) ?? 'unknown error');
  return new MailDelayed(`the mail was not sent: ${reason}`, isConnectionError);
}

/** The enhanced status code of a reply (RFC 3463), such as 5.1.1. Empty if it has none. */
function enhancedCode(reply: string): string {
  return /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? '';
}

/** Too large a mail: for the mailbox (5.2.3) or for the server (5.3.4). */
const TOO_LARGE = new Set(['5.2.3', '5.3.4']);
/**
 * The sender's address (5.1.7, 5.1.8), its daily limit (5.4.5), and a sign-in, address or domain that is not allowed to send (5.7.x). Some
 * recipients take no mail of strangers (5.7.2, 5.7.12, 5.7.124, 5.7.133 to 5.7.136).
 */
const SENDER_CODES = /^5\.(?:1\.[78]|4\.5|7\.(?!(?:1|2|12|124|13[3-6])$)\d+)$/;
/** In the reply to the content, 5.2.x is about the sender's mailbox, and 5.3.x to 5.5.x about the server. Spam is 5.7.0 or 5.7.1. */
const SENDER_CODES_AFTER_CONTENT = /^5\.(?:1\.[78]|[2-5]\.\d+|7\.(?!(?:[0-2]|12|124|13[3-6])$)\d+)$/;
/** Words of Postfix and Exim, which check the sender at RCPT TO, and of Amazon SES and SendGrid. Their codes are those of other refusals. */
const SENDER_WORDS = [
  /\b(?:Sender address|Client host|Helo command) rejected\b/,
  /\] blocked using\b/,
  /\bRelay access denied\b|\bSender verify failed\b/,
  /\bEmail address is not verified\b|\bSending paused for this account\b|^554 Access denied: User\b/,
  /\bdoes not match a verified Sender Identity\b/,
];

/**
 * Whether a permanent reply is about the sender, its account or the server. Then a later attempt can succeed.
 * Microsoft answers 5.2.2 if the sender's mailbox is full, and Google 5.4.5 at its daily limit.
 */
function isAboutSender(command: unknown, reply: string): boolean {
  const code = enhancedCode(reply);
  if (reply.startsWith('552') || TOO_LARGE.has(code)) return false;
  const codes = command === 'DATA' ? SENDER_CODES_AFTER_CONTENT : SENDER_CODES;
  return command === 'MAIL FROM' || codes.test(code) || SENDER_WORDS.some((words) => words.test(reply));
}
