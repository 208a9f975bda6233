import { raiseAttention } from '../src/db/repositories/attention';
import { markMailProcessed, recordMailDelay } from '../src/db/repositories/mails-sent';
import {
  endIssueMail,
  endReadyMail,
  findIssueMails,
  findMailedOrder,
  findReadyMails,
  type DueMail,
  type DueReadyMail,
  type MailedOrder,
} from '../src/db/repositories/order-mails';
import type { Sql } from '../src/db/database';
import { MINUTE_MS } from '../src/domain/duration';
import { MAILED_ISSUE_CODES } from '../src/domain/order-issues';
import { MailDelayed, type Mail } from '../src/mail';
import { createIssueMail, createReadyMail } from '../src/mail/order-mails';
import type { ActivityDeps } from './deps';
import { sendMailOnce } from './mail-once';

const BATCH_SIZE = 100;
/** Limits the mails of each kind in one run of the sweep, because each may take 90 seconds. The next run sends the remaining mails. */
const TIME_LIMIT_MS = 0.75 * MINUTE_MS;

/**
 * Sends the mails about orders that are ready to collect, and about missing or rejected artwork (ruling 94). A refused
 * mail raises ORDER_MAIL_FAILED, and so do failures for three days. A mail server that cannot be reached ends the run.
 */
export async function mailAboutOrders(deps: ActivityDeps, abortSignal: AbortSignal): Promise<{ mails: number }> {
  const { database, clock } = deps;
  let mails = 0;
  let isServerReachable = true;

  /** @returns false if the mail must be tried again */
  const mailOne = async (mail: Mail, occurrence: Occurrence): Promise<boolean> => {
    try {
      if (await sendMailOnce(deps, mail, abortSignal, (sql, { reply }) => raiseFailure(sql, occurrence, reply, clock.now()))) mails += 1;
      return true;
    } catch (error) {
      if (!(error instanceof MailDelayed)) throw error;
      isServerReachable = !error.isConnectionError;
      return giveUpAfterTimeout(deps, mail, occurrence, error);
    }
  };

  /** @param createMails null for an order whose mail waits */
  const mailEach = async <D extends DueMail>(
    subject: Occurrence['subject'],
    due: readonly D[],
    createMails: (order: MailedOrder, one: D) => Mail[] | null,
    end: (one: D) => Promise<void>,
  ): Promise<void> => {
    const deadlineMs = performance.now() + TIME_LIMIT_MS;
    const mayContinue = (): boolean => isServerReachable && !abortSignal.aborted && performance.now() <= deadlineMs;
    for (const one of due) {
      if (!mayContinue()) return;
      const toSend = createMails(await findMailedOrder(database, one.orderId), one);
      let hasEnded = toSend !== null;
      for (const mail of toSend ?? []) {
        const isDone = mayContinue() && (await mailOne(mail, { orderId: one.orderId, subject }));
        hasEnded &&= isDone;
      }
      if (hasEnded) await end(one);
    }
  };

  const createReadyMails = (order: MailedOrder, { since }: DueReadyMail): Mail[] | null => {
    if (order.base_status === 'on_hold') return null; // held since the list was read
    const recipient = readyRecipient(order);
    return recipient === null ? [] : [createReadyMail(order, recipient, since)];
  };
  await mailEach('ready', await findReadyMails(database, BATCH_SIZE), createReadyMails, (due) => endReadyMail(database, due));
  await mailEach(
    'issue',
    await findIssueMails(database, BATCH_SIZE),
    (order, { contacts, ids }) =>
      hasArtworkIssue(order) ? contacts.map((contact) => createIssueMail(order, contact, ids.at(-1) ?? 0)) : [],
    (due) => endIssueMail(database, due, clock.now()),
  );
  return { mails };
}

/** Null if no mail is sent: the account wants none, or the order is not to be collected, was corrected or erased. */
function readyRecipient(order: MailedOrder): 'customer' | 'account' | null {
  if (order.ready_mail === 'none' || !order.is_collection || !isReady(order)) return null;
  if (order.erased_at !== null || order.parcels.length > 0) return null;
  return order.white_label ? 'account' : order.ready_mail;
}

const isReady = ({ base_status: status, stage }: MailedOrder): boolean =>
  status === 'completed' || (status === 'in_production' && stage === 'ready');

/** Clients do not see remakes: their artwork is that of the original. */
const hasArtworkIssue = ({ issues, erased_at: erasedAt, quote_id: quoteId }: MailedOrder): boolean =>
  erasedAt === null && quoteId !== null && issues.some(({ code }) => MAILED_ISSUE_CODES.includes(code));

interface Occurrence {
  orderId: string;
  subject: 'ready' | 'issue';
}

/** @returns true if the mail has failed for three days and is not tried again */
async function giveUpAfterTimeout(
  { database, clock, logger }: ActivityDeps,
  mail: Mail,
  occurrence: Occurrence,
  error: MailDelayed,
): Promise<boolean> {
  const hasTimedOut = await recordMailDelay(database, mail.id);
  logger.warn({ err: error, orderId: occurrence.orderId, hasTimedOut }, 'a mail about an order is delayed');
  if (!hasTimedOut) return false;
  await database.transaction(async (sql) => {
    await raiseFailure(sql, occurrence, error.message, clock.now());
    await markMailProcessed(sql, mail.id, clock.now());
  });
  return true;
}

async function raiseFailure(sql: Sql, { orderId, subject }: Occurrence, reason: string, now: Date): Promise<void> {
  const what = subject === 'ready' ? 'that the order is ready' : 'about its artwork';
  const message = `the mail ${what} could not be sent: ${reason}; contact the recipient in another way`;
  await raiseAttention(sql, { orderId, code: 'ORDER_MAIL_FAILED', subject }, message, now);
}
