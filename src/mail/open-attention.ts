import type { OpenAttentionSummary } from '../db/repositories/attention';
import { mailText } from './mail-text';
import { localDate, type StudioDay } from '../domain/pricing/ready-date';
import type { Mail } from './index';

interface AttentionMailInput {
  open: readonly OpenAttentionSummary[];
  /** `YYYY-MM-DD`, where they end soon. */
  holidaysUntil: string | null;
  studioDay: StudioDay;
  to: string;
}

/** What needs a person, once a day: codes and order numbers alone, because its words may name customers (ruling 58). */
export function createAttentionMail({ open, holidaysUntil, studioDay, to }: AttentionMailInput): Mail {
  const { timeZone, today } = studioDay;
  const total = open.reduce((sum, { open: count }) => sum + count, 0) + (holidaysUntil === null ? 0 : 1);
  return {
    id: `attention-${today}`,
    to,
    subject: total === 1 ? 'One thing needs a person' : `${total} things need a person`,
    text: mailText([
      ...open.flatMap((group) => [...describeGroup(group, timeZone), '']),
      ...(holidaysUntil === null ? [] : [...holidayLines(holidaysUntil), '']),
      'What each is about: GET /studio/v1/attention in the studio API, or /studio/v1/orders/{id} of one order.',
      'Whoever has seen to it says so with POST /studio/v1/orders/{id}/attention/{code}/resolve.',
      '',
    ]),
  };
}

function holidayLines(until: string): string[] {
  return [
    `The price book has holidays until ${until}. Later dates count holidays as business days.`,
    '  Publish a price book with the next holidays: POST /studio/v1/price-books, or Prices in the console.',
  ];
}

function describeGroup({ code, open, orders, oldest, orderNumbers }: OpenAttentionSummary, timeZone: string): string[] {
  const more = orders > orderNumbers.length ? `, and ${orders - orderNumbers.length} more orders` : '';
  return [`${code}: ${open}, the oldest since ${localDate(timeZone, oldest)}`, `  ${orderNumbers.join(', ')}${more}`];
}
