import { createReminders } from './activity-proxies';

/** Run by a Temporal Schedule every morning: makes the reminders of overdue invoices. */
export function reminders(): Promise<{ reminders: number }> {
  return createReminders();
}
