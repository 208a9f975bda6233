import { STORED_SECTIONS } from '../../domain/catalogue';
import { time, integer, type ApiCommand } from '../api-command';
import { environment } from './accounts';

const BOOK_FILE_DESCRIPTION =
  'as JSON (- reads standard input): a price book, { book, effectiveAt }, or the output of price-books show --json';

const BOOK_RESPONSE_FIELDS = ['version', 'effectiveAt', 'publishedBy', 'createdAt', 'sha256'];

export const CATALOGUE_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'catalogue list',
    description: `list all rows of a section, withdrawn ones included; the sections are ${STORED_SECTIONS.join(', ')}`,
    call: 'GET /catalogue/:section',
    output: { rows: ['id', 'slug', 'sizeCode', 'name', 'label', 'withdrawn'], isUnpaged: true },
    examples: ['catalogue list media', 'catalogue list mouldings --json'],
  },
  {
    name: 'catalogue put',
    description: 'create or replace a row',
    call: 'PUT /catalogue/:section/:id',
    file: { description: 'the row as JSON with all fields of its section; - reads standard input' },
    examples: ['catalogue put sizes a3 a3.json'],
  },
  {
    name: 'catalogue withdraw',
    description: 'withdraw a row; existing orders keep it',
    call: 'PATCH /catalogue/:section/:id',
    fixedFields: { withdrawn: true },
    examples: ['catalogue withdraw media media-cotton-rag-310'],
  },
  {
    name: 'catalogue restore',
    description: 'restore a withdrawn row',
    call: 'PATCH /catalogue/:section/:id',
    fixedFields: { withdrawn: false },
    examples: ['catalogue restore media media-cotton-rag-310'],
  },
  {
    name: 'price-books list',
    description: 'list published price books, newest first; the book with the latest start that has passed sets the prices',
    call: 'GET /price-books',
    output: { rows: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'createdAt=published', 'sha256'] },
    examples: ['price-books list'],
  },
  {
    name: 'price-books show',
    description: 'show a price book; --json prints all its rates',
    call: 'GET /price-books/:version',
    output: { fields: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'createdAt=published', 'sha256', 'book.currency'] },
    examples: ['price-books show 1', 'price-books show 1 --json'],
  },
  {
    name: 'price-books diff',
    description: 'compare the rates of two price books',
    call: 'GET /price-books/:version/diff',
    options: [integer('--against <version>', 'against', 'version to compare with (default: the previous version)')],
    output: {
      fields: ['version', 'against'],
      lists: { differences: ['path=rate', 'change', 'before', 'after'] },
      emptyListField: 'differences',
    },
    examples: ['price-books diff 2', 'price-books diff 3 --against 1'],
  },
  {
    name: 'price-books try',
    description: 'price the newest quotes with a draft, and show changed lines; nothing is stored',
    call: 'POST /price-books/try',
    options: [
      integer('--quotes <number>', 'quotes', 'number of quotes, at most 200 (default: 50)'),
      environment('environment of the quotes (default: live)'),
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
    description: 'publish a price book as the next version; a refusal lists every issue',
    call: 'POST /price-books',
    options: [time('--effective-at <time>', 'effectiveAt', 'start of validity (default: now)')],
    file: {
      description: `the price book ${BOOK_FILE_DESCRIPTION}. --effective-at overrides effectiveAt`,
      field: 'book',
      optionalFields: ['effectiveAt'],
      responseFields: BOOK_RESPONSE_FIELDS,
    },
    output: { fields: ['version', 'effectiveAt=in force from', 'publishedBy=by', 'sha256'] },
    examples: ['price-books publish book.json --effective-at "2026-07-01 00:00"'],
  },
];
