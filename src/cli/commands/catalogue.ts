import { STORED_SECTIONS } from '../../domain/catalogue';
import { time, whole, type ApiCommand } from '../api-command';
import { environment } from './accounts';

/** Of whatever of them is at hand, the book is taken. */
const BOOK_FILE = 'as JSON: the book alone, what price-books show --json prints, or { book, effectiveAt }; - is standard input';

const BOOK_ANSWERED = ['version', 'effectiveAt', 'publishedBy', 'createdAt', 'sha256'];

export const CATALOGUE_COMMANDS: readonly ApiCommand[] = [
  {
    words: 'catalogue list',
    tells: `every row of a section, withdrawn ones too: ${STORED_SECTIONS.join(', ')}`,
    call: 'GET /catalogue/:section',
    shows: { rows: ['id', 'slug', 'sizeCode', 'name', 'label', 'withdrawn'], whole: true },
    examples: ['catalogue list media', 'catalogue list mouldings --json'],
  },
  {
    words: 'catalogue put',
    tells: 'a whole row, new or instead of the old one',
    call: 'PUT /catalogue/:section/:id',
    file: { tells: 'the row as JSON, every field of its section; - is standard input' },
    examples: ['catalogue put sizes a3 a3.json'],
  },
  {
    words: 'catalogue withdraw',
    tells: 'take it off the offer; orders that name it keep it',
    call: 'PATCH /catalogue/:section/:id',
    fixed: { withdrawn: true },
    examples: ['catalogue withdraw media media-cotton-rag-310'],
  },
  {
    words: 'catalogue restore',
    tells: 'offer it again',
    call: 'PATCH /catalogue/:section/:id',
    fixed: { withdrawn: false },
    examples: ['catalogue restore media media-cotton-rag-310'],
  },
  {
    words: 'price-books list',
    tells: 'the published books, newest first; of those in force the one that came into force last prices',
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
    words: 'price-books diff',
    tells: 'the rates in which a book differs from another, by default from the one before it',
    call: 'GET /price-books/:version/diff',
    options: [whole('--against <version>', 'against', 'the other book')],
    shows: { fields: ['version', 'against'], parts: { differences: ['path=rate', 'change', 'before', 'after'] }, tellsNone: 'differences' },
    examples: ['price-books diff 2', 'price-books diff 3 --against 1'],
  },
  {
    words: 'price-books try',
    tells: 'price the newest quotes by a draft, and show every line that would change; nothing is stored',
    call: 'POST /price-books/try',
    options: [
      whole('--quotes <number>', 'quotes', 'how many, at most 200 (default: 50)'),
      environment('whose quotes; live unless said otherwise'),
    ],
    file: { tells: `the draft ${BOOK_FILE}`, field: 'book', answered: BOOK_ANSWERED },
    shows: {
      fields: ['inForce=in force', 'looked=quotes', 'priced', 'totalBeforeCents=sum before', 'totalAfterCents=sum after'],
      parts: {
        lines: ['quoteId=quote', 'line', 'accountName=account', 'productName=product', 'quantity', 'beforeCents', 'afterCents'],
        quotes: ['quoteId=quote', 'createdAt', 'shippingBeforeCents', 'shippingAfterCents', 'totalBeforeCents', 'totalAfterCents'],
        unpriced: ['quoteId=quote', 'refusedBy', 'reason'],
      },
    },
    examples: ['price-books show 1 --json > draft.json', 'price-books try draft.json', 'price-books try draft.json --quotes 200 --json'],
  },
  {
    words: 'price-books publish',
    tells: 'publish a whole book as the next version; refused with every fault named',
    call: 'POST /price-books',
    options: [time('--effective-at <time>', 'effectiveAt', 'in force from then on (default: now)')],
    file: {
      tells: `the book ${BOOK_FILE}; effectiveAt of the latter counts, unless --effective-at is given`,
      field: 'book',
      beside: ['effectiveAt'],
      answered: BOOK_ANSWERED,
    },
    shows: { fields: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'sha256'] },
    examples: ['price-books publish book.json --effective-at "2026-07-01 00:00"'],
  },
];
