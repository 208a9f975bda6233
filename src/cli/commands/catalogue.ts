import { STORED_SECTIONS } from '../../domain/catalogue';
import { time, integer, type ApiCommand } from '../api-command';
import { environment } from './accounts';

/** Of whatever of them is at hand, the book is taken. */
const BOOK_FILE_DESCRIPTION = 'as JSON: the book alone, what price-books show --json prints, or { book, effectiveAt }; - is standard input';

const BOOK_RESPONSE_FIELDS = ['version', 'effectiveAt', 'publishedBy', 'createdAt', 'sha256'];

export const CATALOGUE_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'catalogue list',
    description: `every row of a section, withdrawn ones too: ${STORED_SECTIONS.join(', ')}`,
    call: 'GET /catalogue/:section',
    output: { rows: ['id', 'slug', 'sizeCode', 'name', 'label', 'withdrawn'], isUnpaged: true },
    examples: ['catalogue list media', 'catalogue list mouldings --json'],
  },
  {
    name: 'catalogue put',
    description: 'a whole row, new or instead of the old one',
    call: 'PUT /catalogue/:section/:id',
    file: { description: 'the row as JSON, every field of its section; - is standard input' },
    examples: ['catalogue put sizes a3 a3.json'],
  },
  {
    name: 'catalogue withdraw',
    description: 'take it off the offer; orders that name it keep it',
    call: 'PATCH /catalogue/:section/:id',
    fixedFields: { withdrawn: true },
    examples: ['catalogue withdraw media media-cotton-rag-310'],
  },
  {
    name: 'catalogue restore',
    description: 'offer it again',
    call: 'PATCH /catalogue/:section/:id',
    fixedFields: { withdrawn: false },
    examples: ['catalogue restore media media-cotton-rag-310'],
  },
  {
    name: 'price-books list',
    description: 'the published books, newest first; of those in force the one that came into force last prices',
    call: 'GET /price-books',
    output: { rows: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'createdAt=published', 'sha256'] },
    examples: ['price-books list'],
  },
  {
    name: 'price-books show',
    description: 'a book as it was published; --json has the book itself',
    call: 'GET /price-books/:version',
    output: { fields: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'createdAt=published', 'sha256', 'book.currency'] },
    examples: ['price-books show 1', 'price-books show 1 --json'],
  },
  {
    name: 'price-books diff',
    description: 'the rates in which a book differs from another, by default from the one before it',
    call: 'GET /price-books/:version/diff',
    options: [integer('--against <version>', 'against', 'the other book')],
    output: {
      fields: ['version', 'against'],
      lists: { differences: ['path=rate', 'change', 'before', 'after'] },
      emptyListField: 'differences',
    },
    examples: ['price-books diff 2', 'price-books diff 3 --against 1'],
  },
  {
    name: 'price-books try',
    description: 'price the newest quotes by a draft, and show every line that would change; nothing is stored',
    call: 'POST /price-books/try',
    options: [
      integer('--quotes <number>', 'quotes', 'how many, at most 200 (default: 50)'),
      environment('whose quotes; live unless said otherwise'),
    ],
    file: { description: `the draft ${BOOK_FILE_DESCRIPTION}`, field: 'book', responseFields: BOOK_RESPONSE_FIELDS },
    output: {
      fields: ['inForce=in force', 'looked=quotes', 'priced', 'totalBeforeCents=sum before', 'totalAfterCents=sum after'],
      lists: {
        lines: ['quoteId=quote', 'line', 'accountName=account', 'productName=product', 'quantity', 'beforeCents', 'afterCents'],
        quotes: ['quoteId=quote', 'createdAt', 'shippingBeforeCents', 'shippingAfterCents', 'totalBeforeCents', 'totalAfterCents'],
        unpriced: ['quoteId=quote', 'refusedBy', 'reason'],
      },
    },
    examples: ['price-books show 1 --json > draft.json', 'price-books try draft.json', 'price-books try draft.json --quotes 200 --json'],
  },
  {
    name: 'price-books publish',
    description: 'publish a whole book as the next version; refused with every fault named',
    call: 'POST /price-books',
    options: [time('--effective-at <time>', 'effectiveAt', 'in force from then on (default: now)')],
    file: {
      description: `the book ${BOOK_FILE_DESCRIPTION}; effectiveAt of the latter counts, unless --effective-at is given`,
      field: 'book',
      optionalFields: ['effectiveAt'],
      responseFields: BOOK_RESPONSE_FIELDS,
    },
    output: { fields: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'sha256'] },
    examples: ['price-books publish book.json --effective-at "2026-07-01 00:00"'],
  },
];
