import { shiftDay } from './ready-date';

export const REMINDER_STEPS = 3;
/** The hour of the reminders in the studio's time zone. */
export const REMINDER_HOUR = 8;

/** A step of the reminders, with the text of its mail above the invoices. */
export interface ReminderStep {
  /** Days after the due date. */
  days: number;
  subject: string;
  message: string;
}

export const DEFAULT_STEPS: readonly ReminderStep[] = [
  {
    days: 7,
    subject: 'Reminder: invoices are due',
    message: 'These invoices are past their due date. If you have paid them in the meantime, please ignore this mail.',
  },
  { days: 21, subject: 'Second reminder: invoices are overdue', message: 'These invoices are still open. Please pay them within a week.' },
  {
    days: 35,
    subject: 'Last reminder: invoices are overdue',
    message: 'These invoices are long overdue. Please pay them now, or contact us today.',
  },
];

/** An unpaid invoice. Days are of the studio's calendar. */
export interface OpenInvoice {
  id: string;
  dueDate: string;
  dueCents: number;
  /** The highest step that a mail has reached; 0 before the first. */
  remindedStep: number;
}

/** The highest step that an invoice has reached on a day; 0 before the first. */
export const reachedStep = ({ dueDate }: Pick<OpenInvoice, 'dueDate'>, steps: readonly ReminderStep[], today: string): number =>
  steps.filter(({ days }) => shiftDay(dueDate, days) <= today).length;

interface Reminder {
  /** The step of the mail, from 1. */
  step: number;
  /** The oldest invoice that brings this step. */
  invoiceId: string;
  /** The new step of each invoice that reached one. */
  reached: { id: string; step: number }[];
}

/** The mail that an account gets today (ruling 89); null for none. `invoices` are all its overdue ones, the earliest due first. */
export function dueReminder(
  invoices: readonly OpenInvoice[],
  creditCents: number,
  steps: readonly ReminderStep[],
  today: string,
): Reminder | null {
  const reached = invoices
    .map((invoice) => ({ id: invoice.id, step: reachedStep(invoice, steps, today), before: invoice.remindedStep }))
    .filter(({ step, before }) => step > before);
  const step = Math.max(0, ...reached.map((invoice) => invoice.step));
  const first = reached.find((invoice) => invoice.step === step);
  if (first === undefined || amountToRemind(invoices, creditCents) <= 0) return null;
  return { step, invoiceId: first.id, reached: reached.map(({ id, step: to }) => ({ id, step: to })) };
}

/** The overdue amount that the account's credit does not cover. */
export const amountToRemind = (invoices: readonly Pick<OpenInvoice, 'dueCents'>[], creditCents: number): number =>
  invoices.reduce((cents, { dueCents }) => cents + dueCents, 0) - Math.max(0, creditCents);

interface Reached {
  /** `YYYY-MM-DD`. */
  on: string;
  step: number;
}

/**
 * When the account gets its next mail if nothing is paid; null if no step is left, or the credit covers all. `invoices` are all its unpaid ones.
 * @param earliest the day of the next run
 */
export function nextReminder(
  invoices: readonly OpenInvoice[],
  creditCents: number,
  steps: readonly ReminderStep[],
  earliest: string,
): Reached | null {
  const next = invoices.flatMap(({ dueDate, remindedStep }) => {
    const step = Math.max(remindedStep, reachedStep({ dueDate }, steps, earliest) - 1) + 1;
    const { days } = steps[step - 1] ?? {};
    if (days === undefined) return [];
    const on = shiftDay(dueDate, days);
    return [{ on: on < earliest ? earliest : on, step }];
  });
  const isBefore = (one: Reached, other: Reached): boolean => one.on < other.on || (one.on === other.on && one.step > other.step);
  const isOwed = ({ on }: Reached): boolean =>
    amountToRemind(
      invoices.filter(({ dueDate }) => dueDate < on),
      creditCents,
    ) > 0;
  return next.filter(isOwed).reduce<Reached | null>((first, one) => (first === null || isBefore(one, first) ? one : first), null);
}
