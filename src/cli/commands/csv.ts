import type { ApiCommand } from '../api-command';
import { shownTime } from '../values';

/** Lists that are files of rows as well, by the words of the list: those of the file, what it has, and its name. */
const FILES: Readonly<Record<string, { words: string; of: string; name: string }>> = {
  'accounts list': { words: 'accounts csv', of: 'accounts', name: 'accounts' },
  'accounts statement': { words: 'accounts statement-csv', of: 'the statement', name: 'statement' },
  'orders list': { words: 'orders csv', of: 'the job list', name: 'orders' },
  'invoices list': { words: 'invoices csv', of: 'invoices', name: 'invoices' },
  'attention list': { words: 'attention csv', of: 'everything that needs a person', name: 'attention' },
  'endpoints list': { words: 'endpoints csv', of: 'endpoints with their health', name: 'endpoints' },
  'deliveries list': { words: 'deliveries csv', of: 'webhooks', name: 'deliveries' },
  audit: { words: 'audit-csv', of: 'who did what, with before and after,', name: 'audit' },
};

/** The command, and after it the one that keeps the same rows as CSV, where there is one. */
export function withCsv(command: ApiCommand): ApiCommand[] {
  const file = FILES[command.words];
  if (file === undefined) return [command];
  const { words, of, name } = file;
  const argument = command.call.includes(':account') ? ' acc_0123abcd' : '';
  const rows: ApiCommand = {
    words,
    tells: `keep ${of} as CSV, every row, by the same options`,
    call: `${command.call}.csv`,
    ...(command.options === undefined ? {} : { options: command.options }),
    shows: { file: ([account]) => `${name}-${account ?? shownTime(new Date()).slice(0, 10)}.csv` },
    examples: [`${words}${argument}`, `${words}${argument} --out - > ${name}.csv`],
  };
  return [command, rows];
}
