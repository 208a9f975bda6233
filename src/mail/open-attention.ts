import type { AttentionSummary } from '../db/repositories/attention';
import { mailText } from './mail-text';
import { localDate, type StudioDay } from '../domain/pricing/ready-date';
import type { Mail } from './index';

interface AttentionMailInput {
  summaries: readonly AttentionSummary[];
  /** `YYYY-MM-DD`; set if the configured holidays end soon. */
  holidaysUntil: string | null;
  studioDay: StudioDay;
  to: string;
  /** The URL of the console. */
  studioUrl: string;
}

/** Creates the daily mail about orders that need attention. It lists only codes and order numbers, because messages may name customers. */
export function createAttentionMail({ summaries, holidaysUntil, studioDay, to, studioUrl }: AttentionMailInput): Mail {
  const { timeZone, today } = studioDay;
  const total = summaries.reduce((sum, { open: count }) => sum + count, 0) + (holidaysUntil === null ? 0 : 1);
  return {
    id: `attention-${today}`,
    to,
    subject: total === 1 ? '1 item needs attention' : `${total} items need attention`,
    text: mailText([
      ...summaries.flatMap((group) => [...describeGroup(group, timeZone, studioUrl), '']),
      ...(holidaysUntil === null ? [] : [...holidayLines(holidaysUntil, studioUrl), '']),
      `All items: ${studioUrl}/`,
      'When an item is done, resolve it there.',
      '',
    ]),
  };
}

function holidayLines(until: string, studioUrl: string): string[] {
  return [
    `The price book lists holidays only until ${until}. Public holidays after that date count as business days.`,
    `  Publish a price book with the next holidays: ${studioUrl}/prices`,
  ];
}

function describeGroup({ code, open, orders, oldest, orderNumbers }: AttentionSummary, timeZone: string, studioUrl: string): string[] {
  const more = orders > orderNumbers.length ? `, and ${orders - orderNumbers.length} more orders` : '';
  return [
    `${code}: ${open} open, oldest from ${localDate(timeZone, oldest)}`,
    `  ${orderNumbers.join(', ')}${more}`,
    `  ${studioUrl}/?code=${code}`,
  ];
}
