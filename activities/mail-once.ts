import { isMailProcessed, markMailProcessed } from '../src/db/repositories/mails-sent';
import { MailRefused, type Mail } from '../src/mail';
import type { ActivityDeps } from './deps';

/**
 * Hands a mail of the studio's over, once for its id: sent before it is marked, so that a crash between the two repeats it rather than
 * losing it. One that is refused for good is logged and given up. @throws MailDelayed so that it is tried again
 */
export async function sendMailOnce({ database, mailer, clock, logger }: ActivityDeps, mail: Mail, stop: AbortSignal): Promise<void> {
  if (await isMailProcessed(database, mail.id)) return;
  stop.throwIfAborted();
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    logger.error({ err: error, mailId: mail.id }, 'a mail of the studio was refused for good and given up');
  }
  await markMailProcessed(database, mail.id, clock.now());
}
