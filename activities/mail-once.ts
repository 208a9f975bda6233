import type { Sql } from '../src/db/database';
import { isMailProcessed, markMailProcessed } from '../src/db/repositories/mails-sent';
import { MailRefused, type Mail } from '../src/mail';
import type { ActivityDeps } from './deps';

/**
 * Sends a mail once for its id. The mail is marked after it is sent, so a crash in between repeats the mail instead of losing
 * it. A permanently refused mail is logged and dropped.
 * @param onRefused runs in the transaction that marks a refused mail
 * @returns true if the mail was sent now
 * @throws MailDelayed to have the mail retried
 */
export async function sendMailOnce(
  { database, mailer, clock, logger }: ActivityDeps,
  mail: Mail,
  abortSignal: AbortSignal,
  onRefused: (sql: Sql, refusal: MailRefused) => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  if (await isMailProcessed(database, mail.id)) return false;
  abortSignal.throwIfAborted();
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    logger.error({ err: error, mailId: mail.id }, 'a mail was permanently refused and will not be sent');
    await database.transaction(async (sql) => {
      await onRefused(sql, error);
      await markMailProcessed(sql, mail.id, clock.now());
    });
    return false;
  }
  await markMailProcessed(database, mail.id, clock.now());
  return true;
}
