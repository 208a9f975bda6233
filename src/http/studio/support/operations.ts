import * as json from '../../openapi/json';
import type { Operation } from '../../openapi/operation';

const OF_A_LIST =
  'Every row that the list has, filtered and sorted as it is, each page as of its own reading. UTF-8 with a byte order mark; amounts are decimal ' +
  "numbers beside their currency, times on the studio's clock with its offset; text that a spreadsheet would take for a formula begins with `'`. " +
  'A file that is not whole ends with a broken connection.';

/** A file of rows, outside the envelope; its refusals are in it (ruling 64). */
export const csv = (operation: Pick<Operation, 'id' | 'summary' | 'description'>) => ({
  description: OF_A_LIST,
  ...operation,
  media: 'text/csv',
  answer: json.FILE,
  answerHeaders: { 'Content-Disposition': json.string('to be saved, under a name with the day') },
});
