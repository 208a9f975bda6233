import { isMailProcessed, markMailProcessed } from '../src/db/repositories/mails-sent';
import { MailRefused, type Mail } from '../src/mail';
import type { ActivityDeps } from './deps';

/**
 * Sends a mail once for its id. The mail is marked after it is sent, so a crash in between repeats the mail instead of losing
 * it. A permanently refused mail is logged and dropped.
 * @returns the refusal; null if the mail was sent, now or before
 * @throws MailDelayed to have the mail retried
 */
export async function sendMailOnce(
  { database, mailer, clock, logger }: ActivityDeps,
  mail: Mail,
  abortSignal: AbortSignal,
): Promise<MailRefused | null> {
  if (await isMailProcessed(database, mail.id)) return null;
  let refusal: MailRefused | null = null;
  abortSignal.throwIfAborted();
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    logger.error({ err: error, mailId: mail.id }, 'a mail was permanently refused and will not be sent');
    refusal = error;
  }
  await markMailProcessed(database, mail.id, clock.now());
  return refusal;
}
