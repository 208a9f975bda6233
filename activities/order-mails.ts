import { raiseAttention } from '../src/db/repositories/attention';
import {
  endIssueMail,
  endReadyMail,
  findIssueMails,
  findMailedOrder,
  findReadyMails,
  type DueMail,
  type MailedOrder,
} from '../src/db/repositories/order-mails';
import { DAY_MS, MINUTE_MS } from '../src/domain/duration';
import { MAILED_ISSUE_CODES } from '../src/domain/order-issues';
import { MailDelayed, MailRefused, type Mail } from '../src/mail';
import { createIssueMail, createReadyMail } from '../src/mail/order-mails';
import type { ActivityDeps } from './deps';
import { sendMailOnce } from './mail-once';

const BATCH_SIZE = 100;
const MAIL_TIMEOUT_MS = 3 * DAY_MS;
/** Limits the mails of each kind in one run of the sweep, because each may take 90 seconds. The next run sends the remaining mails. */
const TIME_LIMIT_MS = 0.75 * MINUTE_MS;

/**
 * Sends the mails about orders that are ready to collect, and about missing or rejected artwork (ruling 94). A refused
 * mail raises ORDER_MAIL_FAILED, and so does a delay of three days.
 */
export async function mailAboutOrders(deps: ActivityDeps, abortSignal: AbortSignal): Promise<{ mails: number }> {
  const { database, clock } = deps;
  const mailEach = async <D extends DueMail>(due: readonly D[], mailOne: (one: D) => Promise<number>): Promise<number> => {
    const deadlineMs = performance.now() + TIME_LIMIT_MS;
    let mails = 0;
    for (const one of due) {
      if (performance.now() > deadlineMs || abortSignal.aborted) break;
      mails += await mailOne(one);
    }
    return mails;
  };
  const ready = await mailEach(await findReadyMails(database, BATCH_SIZE), async (due) => {
    const order = await findMailedOrder(database, due.orderId);
    if (order.base_status === 'on_hold') return 0; // held since the list was read; the mail waits
    const recipient = readyRecipient(order);
    const mails = recipient === null ? [] : [createReadyMail(order, recipient, due.since)];
    const sent = await sendAll(deps, due, 'ready', mails, abortSignal);
    if (sent !== null) await endReadyMail(database, due);
    return sent ?? 0;
  });
  const issues = await mailEach(await findIssueMails(database, BATCH_SIZE), async (due) => {
    const order = await findMailedOrder(database, due.orderId);
    const mails = hasArtworkIssue(order) ? due.contacts.map((contact) => createIssueMail(order, contact, due.ids.at(-1) ?? 0)) : [];
    const sent = await sendAll(deps, due, 'issue', mails, abortSignal);
    if (sent !== null) await endIssueMail(database, due, clock.now());
    return sent ?? 0;
  });
  return { mails: ready + issues };
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

/** @returns the number of mails, or null if one is delayed and must be tried again */
async function sendAll(
  deps: ActivityDeps,
  { orderId, since }: DueMail,
  subject: 'ready' | 'issue',
  mails: readonly Mail[],
  abortSignal: AbortSignal,
): Promise<number | null> {
  const { database, clock, logger } = deps;
  const hasTimedOut = clock.now().getTime() - since.getTime() > MAIL_TIMEOUT_MS;
  let failure: MailRefused | MailDelayed | null = null;
  let isDelayed = false;
  for (const mail of mails) {
    try {
      failure = (await sendMailOnce(deps, mail, abortSignal)) ?? failure;
    } catch (error) {
      if (!(error instanceof MailDelayed)) throw error;
      logger.warn({ err: error, orderId }, 'a mail about an order is delayed; the next run retries it');
      if (hasTimedOut) failure = error;
      else isDelayed = true;
    }
  }
  if (failure !== null) {
    const what = subject === 'ready' ? 'that the order is ready' : 'about its artwork';
    const message = `the mail ${what} could not be sent: ${failure instanceof MailRefused ? failure.reply : failure.message}; contact the recipient in another way`;
    await raiseAttention(database, { orderId, code: 'ORDER_MAIL_FAILED', subject }, message, clock.now());
  }
  return isDelayed ? null : mails.length;
}
