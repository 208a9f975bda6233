import { onOneLine } from './flat';

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

/** What nodemailer's errors say, as far as we ask. */
interface SendFailure {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
  response?: unknown;
  message?: unknown;
}

/** Of the mail itself: its sender, its recipient, its content. What the server says to our sign-in is our fault, not the mail's. */
const OF_THE_MAIL = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);
/** Between the machines: such messages name hosts and ports. */
const OF_THE_LINE = new Set<unknown>(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT', 'EDNS', 'ETLS']);

/** A failed sending as MailRefused (RFC 5321: 5yz, or an address that no SMTP command can carry) or MailDelayed. */
export function mailFailure(error: unknown): MailRefused | MailDelayed {
  const { code, command, responseCode, response, message } = (error ?? {}) as SendFailure;
  if (OF_THE_MAIL.has(code) && typeof responseCode === 'number' && responseCode >= 500 && responseCode <= 599) {
    return new MailRefused(responseCode, onOneLine(String(response)).slice(0, 500));
  }
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused(null, 'the address cannot be written to');
  if (typeof responseCode === 'number') return new MailDelayed(`the mail server answered ${responseCode} to ${String(command)}`);
  return new MailDelayed(
    `the mail was not handed over: ${OF_THE_LINE.has(code) ? onOneLine(String(message)) : String((code as string | undefined) ?? 'unknown fault')}`,
  );
}
