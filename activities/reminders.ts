import { lockAccount } from '../src/db/repositories/accounts';
import {
  findAccountsToRemind,
  findBillingEmail,
  findUnpaidInvoices,
  hasReminderToday,
  recordRemindedSteps,
} from '../src/db/repositories/reminders';
import { readSetting } from '../src/db/repositories/settings';
import { insertSend, NO_SEND_REFERENCES } from '../src/db/repositories/sends';
import type { Transaction } from '../src/db/database';
import { dueReminder, type ReminderStep } from '../src/domain/pricing/reminders';
import { localDate, startOfDay, type StudioDay } from '../src/domain/pricing/ready-date';
import { reminderKey } from '../src/domain/sends';
import { sha256 } from '../src/security/fingerprint';
import { newId } from '../src/security/ids';
import type { ActivityDeps } from './deps';

const BATCH_SIZE = 200;

/**
 * Makes the reminders of today (ruling 89). One transaction for each account stores the mail and the steps of its invoices, so a repeated run
 * makes none twice. The workflows of the mails check again what is due. If one is not started, the sweep starts it.
 * @throws the last failure of an account after all accounts, so Temporal retries
 */
export async function createReminders(deps: ActivityDeps, abortSignal: AbortSignal): Promise<{ reminders: number }> {
  const now = deps.clock.now();
  const [day, steps] = await Promise.all([deps.calendar.studioDay(deps.database, now), readSetting(deps.database, 'reminders')]);
  const dueBefore = startOfDay(day.timeZone, day.today);
  let reminders = 0;
  let failure: unknown = null;
  for (let after: string | undefined = ''; after !== undefined;) {
    const accountIds: string[] = await findAccountsToRemind(deps.database, dueBefore, after, BATCH_SIZE);
    for (const accountId of accountIds) {
      abortSignal.throwIfAborted();
      const create = () => deps.database.transaction((sql) => createReminder(sql, { accountId, day, dueBefore, steps, now }));
      const sendId = await deps.accountWriteQueue.run(accountId, create).catch((error: unknown) => {
        failure = error;
        deps.logger.warn({ err: error, accountId }, 'the reminder of an account was not made');
        return null;
      });
      if (sendId === null) continue;
      reminders += 1;
      await deps.temporal.sends
        .start(sendId)
        .catch((error: unknown) => deps.logger.info({ err: error, sendId }, 'the workflow of a reminder was not started'));
    }
    after = accountIds.length < BATCH_SIZE ? undefined : accountIds.at(-1);
  }
  if (failure !== null) throw failure;
  return { reminders };
}

interface ReminderInput {
  accountId: string;
  day: StudioDay;
  dueBefore: Date;
  steps: readonly ReminderStep[];
  now: Date;
}

/** @returns the id of the new mail; null if none is due */
async function createReminder(sql: Transaction, { accountId, day, dueBefore, steps, now }: ReminderInput): Promise<string | null> {
  const account = await lockAccount(sql, accountId);
  if (account?.reminders !== true || (await hasReminderToday(sql, accountId, dueBefore))) return null;
  const { invoices, credit_cents: creditCents } = await findUnpaidInvoices(sql, accountId, dueBefore);
  const open = invoices.map(({ id, due_at, due_cents: dueCents, reminded_step: remindedStep }) => ({
    id,
    dueDate: localDate(day.timeZone, due_at),
    dueCents,
    remindedStep,
  }));
  const reminder = dueReminder(open, creditCents, steps, day.today);
  const step = steps[(reminder?.step ?? 0) - 1];
  if (reminder === null || step === undefined) return null;
  const id = newId('snd');
  const key = reminderKey(reminder.step, reminder.invoiceId);
  await insertSend(sql, {
    id,
    account_id: accountId,
    key,
    digest: sha256(key),
    document: 'reminder',
    ...NO_SEND_REFERENCES,
    order_id: invoices.find((invoice) => invoice.id === reminder.invoiceId)?.order_id ?? null,
    invoice_id: reminder.invoiceId,
    step: reminder.step,
    recipient: await findBillingEmail(sql, accountId),
    subject: step.subject,
    message: step.message,
    state: 'pending',
    failure: null,
    token_id: null,
    actor: 'reminders',
    created_at: now,
    ended_at: null,
  });
  await recordRemindedSteps(sql, reminder.reached);
  return id;
}
