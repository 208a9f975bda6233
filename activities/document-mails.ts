import { activityInfo } from '@temporalio/activity';
import { findAccount } from '../src/db/repositories/accounts';
import { raiseAttention } from '../src/db/repositories/attention';
import { recordMailDelay } from '../src/db/repositories/mails-sent';
import { findUnpaidInvoices } from '../src/db/repositories/reminders';
import { findCurrentSeller } from '../src/db/repositories/sellers';
import { claimSend, endSend, findNewestOrder, findSend, isPending, releaseSend, type NamedSend } from '../src/db/repositories/sends';
import { completeRun, findPendingOfRun, findRun } from '../src/db/repositories/statement-runs';
import { loadCreditNote, loadInvoice, loadStatement, type LoadedDocument } from '../src/orders/documents';
import { DocumentTooLarge, RenderingFailed } from '../src/documents/render-with-fallbacks';
import { startOfDay } from '../src/domain/pricing/ready-date';
import { amountToRemind } from '../src/domain/pricing/reminders';
import type { SendState, StatementRunState } from '../src/domain/sends';
import { MailDelayed, type Mail } from '../src/mail';
import { createDocumentMail, documentMailId } from '../src/mail/documents';
import { createReminderMail } from '../src/mail/reminders';
import type { ActivityDeps } from './deps';
import { mailFailureReason } from './mail-timeout';

/**
 * Sends a mail with its document, rendered now. The row is marked after the mail is sent, so a crash in between repeats the mail under the
 * same Message-ID. A mail that is permanently refused, or that fails for three days, raises attention on its order and is not retried. So
 * does one whose document cannot be rendered.
 * @throws MailDelayed, or an error without texts of the document, to have the mail retried
 */
export async function sendDocument(deps: ActivityDeps, sendId: string, abortSignal: AbortSignal): Promise<SendState | 'gone'> {
  const send = await findSend(deps.database, sendId);
  if (send === null || send.state !== 'pending') return send?.state ?? 'gone';
  const claim = await claimSend(deps.database, sendId);
  if (claim === null) throw new Error('another attempt is sending this mail, or its run is paused');
  try {
    return await sendClaimed(deps, { ...send, recipient: claim.recipient }, abortSignal);
  } finally {
    await releaseSend(deps.database, sendId, claim);
  }
}

async function sendClaimed(deps: ActivityDeps, send: NamedSend, abortSignal: AbortSignal): Promise<SendState> {
  const { database, mailer, clock } = deps;
  try {
    const mail = await createMail(deps, send);
    if (mail === null) {
      await endSend(database, send.id, 'skipped', NOTHING_DUE, clock.now());
      return 'skipped'; // a reminder, which has no run
    }
    abortSignal.throwIfAborted();
    if (!(await isPending(database, send.id))) return 'skipped'; // erased while the document was rendered
    await mailer.send(mail);
  } catch (error) {
    return refuse(deps, send, await failureReason(deps, send.id, error));
  }
  if (await endSend(database, send.id, 'sent', null, clock.now())) return endRun(deps, send, 'sent');
  await mailer.deleteCopies([documentMailId(send.id)]); // erased while it was sent
  return 'skipped';
}

/** @throws to have the mail tried again */
async function failureReason(deps: ActivityDeps, sendId: string, error: unknown): Promise<string> {
  if (error instanceof RenderingFailed) return renderingReason(deps, sendId, error);
  const hasTimedOut = error instanceof MailDelayed && (await recordMailDelay(deps.database, documentMailId(sendId)));
  return mailFailureReason(error, 'the mail', hasTimedOut);
}

/** The last mail of a run completes it. */
async function endRun<S extends SendState>(
  { database, clock }: Pick<ActivityDeps, 'database' | 'clock'>,
  { run_id: runId }: NamedSend,
  state: S,
): Promise<S> {
  if (runId !== null) await completeRun(database, runId, clock.now());
  return state;
}

/** A busy machine or a killed process can fail a rendering that succeeds later. */
const MAX_RENDERINGS = 5;

/** @throws to have the document rendered again */
function renderingReason({ logger }: ActivityDeps, sendId: string, error: RenderingFailed): string {
  logger.warn({ sendId, tooLarge: error instanceof DocumentTooLarge }, 'the document of a mail was not rendered');
  if (activityInfo().attempt < MAX_RENDERINGS) throw new Error('the document was not rendered');
  return error instanceof DocumentTooLarge ? TOO_LARGE : 'the document cannot be rendered';
}

const TOO_LARGE = 'the document is too large for a PDF; send a shorter period';

const NOTHING_DUE = 'the invoice is paid, the credit covers the amount, or reminders are off';

/** Null if a reminder is not needed any more. */
async function createMail(deps: ActivityDeps, send: NamedSend): Promise<Mail | null> {
  if (send.document === 'reminder') return createReminder(deps, send);
  const { name, content } = await loadDocument(deps, send);
  const pdf = await deps.pdfRenderer.render(content, deps.clock.now());
  return createDocumentMail(send, { filename: `${name}.pdf`, content: pdf });
}

/** The reminder with the invoices that are overdue now. Null if the invoice that brought it is paid, or the credit covers all. */
async function createReminder({ database, calendar, clock }: ActivityDeps, send: NamedSend): Promise<Mail | null> {
  const { timeZone, today } = await calendar.studioDay(database, clock.now());
  const dueBefore = startOfDay(timeZone, today);
  const [account, { invoices, credit_cents: creditCents }, seller] = await database.snapshot((sql) =>
    Promise.all([findAccount(sql, send.account_id), findUnpaidInvoices(sql, send.account_id, dueBefore), findCurrentSeller(sql)]),
  );
  const amountCents = amountToRemind(
    invoices.map(({ due_cents: dueCents }) => ({ dueCents })),
    creditCents,
  );
  const isDue = invoices.some(({ id }) => id === send.invoice_id);
  if (account?.reminders !== true || !isDue || amountCents <= 0) return null;
  return createReminderMail(send, { accountName: account.name, invoices, creditCents, amountCents, timeZone, seller });
}

async function loadDocument(deps: ActivityDeps, send: NamedSend): Promise<LoadedDocument> {
  const { document, invoice_id: invoiceId, credit_note_id: creditNoteId, account_id: accountId, period_from: from, period_to: to } = send;
  if (document === 'invoice') return present(await loadInvoice(deps, { id: invoiceId ?? '' }));
  if (document === 'credit_note') return present(await loadCreditNote(deps, { id: creditNoteId ?? '' }));
  const statement = present(await loadStatement(deps, { accountId, environment: 'live', from: from ?? '', to: to ?? '' }));
  if (statement.firstUnprintable >= 0) throw new DocumentTooLarge(TOO_LARGE);
  return statement;
}

function present<T>(document: T | null): T {
  if (document === null) throw new Error('the document of a mail is gone');
  return document;
}

/** The attention about a statement is on the order of the account's newest invoice. Without one, only the list of mails has the failure. */
async function refuse({ database, clock, logger }: ActivityDeps, send: NamedSend, reason: string): Promise<SendState> {
  const now = clock.now();
  await database.transaction(async (sql) => {
    if (!(await endSend(sql, send.id, 'refused', reason, now))) return;
    const orderId = send.order_id ?? (await findNewestOrder(sql, send.account_id));
    if (orderId === null) return;
    const what = send.document === 'statement' || send.document === 'reminder' ? `the ${send.document}` : send.document_number;
    const remedy = send.document === 'reminder' ? 'send the statement' : 'send it again';
    const advice = `${what} was not sent: ${reason}; check the address, and ${remedy}`;
    await raiseAttention(sql, { orderId, code: 'MAIL_REFUSED', subject: send.id }, advice, now);
  });
  logger.warn({ sendId: send.id }, 'a mail with a document will not be sent'); // no reason, because it may name the recipient
  return endRun({ database, clock }, send, 'refused');
}

/** Few, so that a pause takes effect soon. */
const MAILS_AT_ONCE = 5;

/** The pending mails of a run after the last one. Mails that were handed over stay pending and come before it. */
export async function nextSends(
  { database }: ActivityDeps,
  { runId, after }: { runId: string; after: string },
): Promise<{ state: StatementRunState | 'gone'; sendIds: string[] }> {
  const run = await findRun(database, runId);
  if (run?.state !== 'running') return { state: run?.state ?? 'gone', sendIds: [] };
  return { state: 'running', sendIds: await findPendingOfRun(database, runId, after, MAILS_AT_ONCE) };
}
