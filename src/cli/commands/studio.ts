import type { ApiCommand } from '../api-command';

const BOOK_FILE = 'as JSON (- reads standard input): a price book, { book, effectiveAt }, or the output of price-books show --json';
const BOOK_COLUMNS = 'version, effectiveAt=in force from, publishedBy=by, createdAt=published, sha256';

export const STUDIO_COMMANDS: Readonly<Record<string, ApiCommand>> = {
  'catalogue list': {
    call: 'GET /catalogue/:section',
    columns: 'id, slug, sizeCode, name, label, withdrawn',
  },
  'catalogue put': {
    call: 'PUT /catalogue/:section/:id',
    file: { description: 'the row as JSON with all fields of its section; - reads standard input' },
  },
  'catalogue withdraw': {
    call: 'PATCH /catalogue/:section/:id',
    description: 'withdraw a row; existing orders keep it',
    fixedFields: { withdrawn: true },
  },
  'catalogue restore': {
    call: 'PATCH /catalogue/:section/:id',
    description: 'restore a withdrawn row',
    fixedFields: { withdrawn: false },
  },
  'price-books list': { call: 'GET /price-books', columns: BOOK_COLUMNS },
  'price-books show': {
    call: 'GET /price-books/:version',
    columns: `${BOOK_COLUMNS}, book.currency`,
    examples: ['price-books show 1 --json > draft.json'],
  },
  'price-books diff': {
    call: 'GET /price-books/:version/diff',
    columns: 'version, against',
    lists: { differences: 'path=rate, change, before, after' },
    emptyListField: 'differences',
    examples: ['price-books diff 3 --against 1'],
  },
  'price-books try': {
    call: 'POST /price-books/try',
    file: { description: `the draft ${BOOK_FILE}`, field: 'book' },
    columns: 'inForce=in force, looked=quotes, priced, totalBeforeCents=sum before, totalAfterCents=sum after',
    lists: {
      lines: 'quoteId=quote, line, accountName=account, productName=product, quantity, beforeCents, afterCents',
      quotes: 'quoteId=quote, createdAt, shippingBeforeCents, shippingAfterCents, totalBeforeCents, totalAfterCents',
      unpriced: 'quoteId=quote, refusedBy, reason',
    },
  },
  'price-books publish': {
    call: 'POST /price-books',
    file: { description: `the price book ${BOOK_FILE}. --effective-at overrides effectiveAt`, field: 'book' },
    columns: 'version, effectiveAt=in force from, publishedBy=by, sha256',
    examples: ['price-books publish book.json --effective-at "2026-07-01 00:00"'],
  },
  'settings show': { call: 'GET /settings' },
  'settings set': { call: 'PATCH /settings', examples: ['settings set --critical-rush off'] },
  stats: {
    call: 'GET /stats',
    lists: { days: 'date, orders, revenueCents' },
    examples: ['stats --from 2026-03-01 --to 2026-03-31 --json'],
  },
  today: { call: 'GET /today', lists: { dueByDay: 'date, orders' }, examples: ['today --environment test'] },
  schedules: {
    call: 'GET /schedules',
    columns:
      'id=schedule, state, note, nextRunAt=next, runs.0.startedAt=last, runs.0.status=ended, runs.0.failure=failure, runs.0.result=did',
  },
  audit: {
    call: 'GET /audit',
    columns: 'at=when, actor.name=who, action, subject, requestId=request',
    examples: ['audit --subject P-10001', 'audit --subject acc_0123abcd --from 2026-03-01'],
  },
};
