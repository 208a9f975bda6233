import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { listen } from './listen';

/** A real mail server with responses that the test sets. */
export interface MailServer {
  url: string;
  /** Complete messages in the order of arrival. */
  received: { from: string; to: string[]; text: string }[];
  /** Requested recipients, including refused ones. */
  checkedRecipients: string[];
  /** The names of EHLO, one for each requested recipient. */
  greetings: string[];
  /** Sets the reply to RCPT TO from now on, for one recipient or all. Null: accepted. */
  setRecipientReply(reply: { code: number; words: string } | null, only?: string): void;
  /** Sets the reply to MAIL FROM in the same way. */
  setSenderReply(reply: { code: number; words: string } | null): void;
  /** Sets the reply to the end of DATA in the same way. */
  setContentReply(reply: { code: number; words: string } | null): void;
  /** Drops the connection at the end of DATA, before or after the message counts as received. Null: never. */
  setDrops(when: 'before' | 'after' | null): void;
  /** Accepts everything again, and empties the lists. */
  forget(): void;
  stop(): Promise<void>;
}

type SmtpReply = { code: number; words: string } | null;

export async function startMailServer(): Promise<MailServer> {
  const received: MailServer['received'] = [];
  const checkedRecipients: string[] = [];
  const greetings: string[] = [];
  let recipientReply: SmtpReply = null;
  let onlyRecipient: string | undefined;
  let senderReply: SmtpReply = null;
  let contentReply: SmtpReply = null;
  let drops: 'before' | 'after' | null = null;
  const dropAll = (): void => {
    for (const { _socket: socket } of server.connections as Set<{ _socket: Socket }>) socket.destroy();
  };
  const toSmtpError = (reply: SmtpReply) => (reply === null ? null : Object.assign(new Error(reply.words), { responseCode: reply.code }));
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(toSmtpError(senderReply)),
    onRcptTo({ address }, session, done) {
      checkedRecipients.push(address);
      greetings.push(session.hostNameAppearsAs);
      done(toSmtpError(onlyRecipient === undefined || onlyRecipient === address ? recipientReply : null));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (drops === 'before') return dropAll();
        const { mailFrom, rcptTo } = session.envelope;
        if (contentReply === null)
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            text: Buffer.concat(chunks).toString(),
          });
        if (drops === 'after') return dropAll();
        done(toSmtpError(contentReply));
      });
    },
  });
  return {
    url: `smtp://${await listen(server.server)}`,
    received,
    checkedRecipients,
    greetings,
    setRecipientReply: (reply, only) => void ([recipientReply, onlyRecipient] = [reply, only]),
    setSenderReply: (reply) => void (senderReply = reply),
    setContentReply: (reply) => void (contentReply = reply),
    setDrops: (when) => void (drops = when),
    forget() {
      recipientReply = null;
      onlyRecipient = undefined;
      senderReply = null;
      contentReply = null;
      drops = null;
      received.length = 0;
      checkedRecipients.length = 0;
      greetings.length = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}
