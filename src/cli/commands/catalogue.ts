import { STORED_SECTIONS } from '../../domain/catalogue';
import { time, type ApiCommand } from '../api-command';

/** What is on offer, and at which rates. */
export const CATALOGUE_COMMANDS: readonly ApiCommand[] = [
  {
    words: 'catalogue list',
    tells: `every row of a section, withdrawn ones too: ${STORED_SECTIONS.join(', ')}`,
    call: 'GET /catalogue/:section',
    shows: { rows: ['id', 'slug', 'sizeCode', 'name', 'label', 'withdrawn'] },
    examples: ['catalogue list media', 'catalogue list mouldings --json'],
  },
  {
    words: 'catalogue put',
    tells: 'a whole row, new or instead of the old one',
    call: 'PUT /catalogue/:section/:id',
    file: { tells: 'the row as JSON, every field of its section; - is standard input' },
    shows: {},
    examples: ['catalogue put sizes a3 a3.json'],
  },
  {
    words: 'catalogue withdraw',
    tells: 'take it off the offer; orders that name it keep it',
    call: 'PATCH /catalogue/:section/:id',
    fixed: { withdrawn: true },
    shows: {},
    examples: ['catalogue withdraw media media-cotton-rag-310'],
  },
  {
    words: 'catalogue restore',
    tells: 'offer it again',
    call: 'PATCH /catalogue/:section/:id',
    fixed: { withdrawn: false },
    shows: {},
    examples: ['catalogue restore media media-cotton-rag-310'],
  },
  {
    words: 'price-books list',
    tells: 'the published books, newest first; of those in force the highest version prices',
    call: 'GET /price-books',
    shows: { rows: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'createdAt=published', 'sha256'] },
    examples: ['price-books list'],
  },
  {
    words: 'price-books show',
    tells: 'a book as it was published; --json has the book itself',
    call: 'GET /price-books/:version',
    shows: { fields: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'createdAt=published', 'sha256', 'book.currency'] },
    examples: ['price-books show 1', 'price-books show 1 --json'],
  },
  {
    words: 'price-books publish',
    tells: 'publish a whole book as the next version; refused with every fault named',
    call: 'POST /price-books',
    options: [time('--effective-at <time>', 'effectiveAt', 'in force from then on (default: now)')],
    file: { tells: 'the book as JSON; - is standard input', field: 'book' },
    shows: { fields: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'sha256'] },
    examples: ['price-books publish book.json --effective-at "2026-07-01 00:00"'],
  },
];
