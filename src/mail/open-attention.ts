import type { OpenUnderCode } from '../db/repositories/attention';
import { mailText } from './flat';
import { localDate, type StudioDay } from '../domain/pricing/ready-date';
import type { Mail } from './index';

/** What needs a person, once a day: codes and order numbers alone, because its words may name customers (ruling 58). */
export function attentionMail(open: readonly OpenUnderCode[], { timeZone, today }: StudioDay, to: string): Mail {
  const total = open.reduce((sum, { open: some }) => sum + some, 0);
  return {
    id: `attention-${today}`,
    to,
    subject: total === 1 ? 'One thing needs a person' : `${total} things need a person`,
    text: mailText([
      ...open.flatMap((group) => [...linesOf(group, timeZone), '']),
      'What each is about: GET /studio/v1/attention in the studio API, or /studio/v1/orders/{id} of one order.',
      'Whoever has seen to it says so with POST /studio/v1/orders/{id}/attention/{code}/resolve.',
      '',
    ]),
  };
}

function linesOf({ code, open, orders, oldest, orderNumbers }: OpenUnderCode, timeZone: string): string[] {
  const more = orders > orderNumbers.length ? `, and ${orders - orderNumbers.length} more orders` : '';
  return [`${code}: ${open}, the oldest since ${localDate(timeZone, oldest)}`, `  ${orderNumbers.join(', ')}${more}`];
}
