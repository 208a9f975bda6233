import type { MilestoneType } from '../domain/order-messages';
import { resolveCommands, type ApiCommand } from './api-command';

export const GROUP_DESCRIPTIONS: Readonly<Record<string, string>> = {
  accounts: 'manage accounts, their balances, payments and refunds',
  keys: 'manage API keys of an account',
  tokens: 'manage studio API tokens',
  badges: 'manage the badges of people at stations',
  orders: 'show orders and their documents',
  milestone: 'record milestones of an order',
  parcel: 'record parcels of an order',
  labels: 'exchange files with a label program',
  payment: 'list payments, and record payments for an order',
  invoices: 'show invoices and credit notes',
  sends: 'show mails with documents',
  statements: 'mail statements to all accounts with a balance',
  'credit-note': 'reverse credit notes of an order',
  refunds: 'list refunds of all accounts',
  attention: 'list and resolve attention',
  endpoints: 'manage webhook endpoints',
  deliveries: 'show and resend webhook deliveries',
  catalogue: 'manage the catalogue',
  'price-books': 'manage price books',
  settings: 'manage the settings of the studio',
};

export const BOARD_COLUMNS =
  'orderNumber=order, status, accountName=account, totalCents, dueDate=due, late, rushTier=rush, stage, facts.liveParcels=parcels, invoice.state=invoice, createdAt=placed';
const ORDER_COLUMNS =
  'orderNumber=order, status, facts.printed=printed, stage, facts.liveParcels=parcels, facts.paidCents=paid, totalCents';
const ARTWORK_COLUMNS = 'artworkFilename=artwork, artworkReceived=arrived, inspection.state=picture, inspection.effectiveDpi=dpi';

const attention = 'code, since, message';
const parcels = 'parcelId, trackingNumber, carrier, lines=holds, shippedAt, deliveredAt, voidedAt';
const payments = 'paymentId, amountCents, receivedAt, reference, reversedAt';

/** Stages have `lines` only. */
const STAGE_WITHOUT = ['line', 'reason', 'signedBy'];

const MILESTONES: Readonly<Record<MilestoneType, { name: string } & Omit<ApiCommand, 'call'>>> = {
  production_started: { name: 'start', description: 'record that production has started' },
  printed: {
    name: 'printed',
    description: 'record that the order or some of its lines are printed; the client can no longer cancel it',
    without: STAGE_WITHOUT,
    examples: ['milestone printed P-10001 --line 1 --line 3'],
  },
  framed: { name: 'framed', description: 'record that the framed lines or some of them are framed', without: STAGE_WITHOUT },
  checked: { name: 'checked', description: 'record that the order or some of its lines are checked', without: STAGE_WITHOUT },
  ready: { name: 'ready', description: 'record that the order or some of its lines are ready to pack or collect', without: STAGE_WITHOUT },
  held: { name: 'hold', description: 'put the order on hold', without: ['line', 'lines', 'signedBy'] },
  released: { name: 'release', description: 'release the order from hold' },
  artwork_rejected: {
    name: 'reject-artwork',
    description: 'reject the artwork of a line and ask the client for other artwork',
    without: ['lines', 'signedBy'],
    required: ['line', 'reason'],
    examples: ['milestone reject-artwork P-10001 --line 1 --reason "the picture is cut off"'],
  },
  completed: {
    name: 'complete',
    description: 'record that the order is completed',
    without: ['line', 'reason'],
    examples: ['milestone complete P-10001 --signed-by "Ada Moreau"'],
  },
  cancelled: {
    name: 'cancel',
    description: 'cancel the order permanently',
    confirmQuestion: 'Cancel the order permanently? This voids its invoice and cannot be undone.',
  },
};

const MILESTONE_COMMANDS = Object.entries(MILESTONES).map(([type, { name, ...rest }]): [string, ApiCommand] => {
  const command = { columns: ORDER_COLUMNS, lists: { attention }, without: ['line', 'lines', 'reason', 'signedBy'], ...rest };
  return [`milestone ${name}`, { call: 'POST /orders/:order/milestones', fixedFields: { type }, ...command }];
});

const DELIVERY_COLUMNS =
  'id, eventType=event, orderNumber=order, accountName=account, endpointId=endpoint, endpointUrl=url, state, lastErrorCode=last error, nextAttemptAt, createdAt, completedAt, workflowUrl=workflow, attemptsDeletedUntil';
const attempts = 'at=when, chain, number, trigger, ok, status, errorCode=error, replyExcerpt=reply, nextAttemptAt=next';

const SENDS = 'id, createdAt=made, accountName=account, document, documentNumber=number, recipient, subject, state, failure, endedAt=ended';

const TRACKING_COLUMNS =
  'trackingColumns.orderNumber=order, trackingColumns.trackingNumber=tracking, trackingColumns.carrier=carrier, trackingColumns.service=service, trackingColumns.trackingUrl=tracking page, trackingColumns.shippedAt=shipped, trackingColumns.deliveredAt=delivered';

const CARRIER_COLUMNS = 'name, services, masks=numbers, trackingUrl=tracking page';

const RUNS = 'id, runId=run, periodFrom=from, periodTo=to, state, accounts, sent, refused, pending, createdAt=started, endedAt=ended';

const BOOK_FILE = 'as JSON (- reads standard input): a price book, { book, effectiveAt }, or the output of price-books show --json';
const BOOK_COLUMNS = 'version, effectiveAt=in force from, publishedBy=by, createdAt=published, sha256';

/** The commands for notes on orders or on accounts. */
const noteCommands = (of: 'order' | 'account'): Record<string, ApiCommand> => ({
  [`${of}s notes`]: { call: `GET /${of}s/:${of}/notes`, columns: 'createdAt=when, author, pinned, text, noteId=id' },
  [`${of}s note`]: { call: `POST /${of}s/:${of}/notes` },
  [`${of}s pin-note`]: {
    call: `PATCH /${of}s/:${of}/notes/:noteid`,
    description: `list a note on an ${of} before the others`,
    fixedFields: { pinned: true },
  },
  [`${of}s unpin-note`]: {
    call: `PATCH /${of}s/:${of}/notes/:noteid`,
    description: `list a note on an ${of} by its time again`,
    fixedFields: { pinned: false },
  },
  [`${of}s delete-note`]: { call: `DELETE /${of}s/:${of}/notes/:noteid`, confirmQuestion: 'Delete the note permanently?' },
});

/** The commands of the studio API in the order of the help. A command has its name, its columns and its question. */
export const API_COMMANDS = resolveCommands({
  'accounts list': {
    call: 'GET /accounts',
    columns: 'id, name, status, live.outstandingCents=owes, live.creditCents=credit, live.availableCents=available, createdAt=since',
    examples: ['accounts list --q gallery', 'accounts list --credit-used-over 80 --sort creditUsed', 'accounts list --all --json'],
  },
  'accounts show': { call: 'GET /accounts/:account' },
  'accounts create': { call: 'POST /accounts' },
  'accounts update': { call: 'PATCH /accounts/:account', examples: ['accounts update acc_0123abcd --status suspended'] },
  'accounts erase': {
    call: 'POST /accounts/:account/erase',
    dryRunQuestion: 'Erase this data permanently?',
    columns: 'dryRun=only counted, orders, quotes=expired quotes, artwork=artwork files, mails, notes=account notes',
  },
  'accounts statement': {
    call: 'GET /accounts/:account/statement',
    columns:
      'accountName=account, environment, from, to, openingCents, closingCents, closingOutstandingCents=to pay, closingCreditCents=credit, now.outstandingCents, now.creditCents',
    lists: {
      entries:
        'bookedOn=day, type, amountCents, balanceCents, orderNumber=order, invoiceNumber=invoice, creditNoteNumber=credit note, paymentId=payment, refundId=refund, reference',
      openInvoices: 'invoiceNumber=invoice, orderNumber=order, issuedAt=issued, dueDate=due, amountCents, dueCents=to pay',
    },
    examples: ['accounts statement acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  'accounts statement-pdf': {
    call: 'GET /accounts/:account/statement.pdf',
    examples: ['accounts statement-pdf acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  'accounts send-statement': {
    call: 'POST /accounts/:account/statement/send',
    columns: SENDS,
    examples: ['accounts send-statement acc_0123abcd --period-from 2026-03-01 --period-to 2026-03-31'],
  },
  'accounts statement-mail': { call: 'GET /accounts/:account/statement/send' },
  'accounts reminders': {
    call: 'GET /accounts/:account/reminders',
    columns: 'enabled, next.on=next, next.step, last.sentAt=last, last.step',
  },
  'accounts payments': {
    call: 'GET /accounts/:account/payments',
    columns:
      'receivedAt=when, paymentId=id, environment, source, amountCents, invoiceCount=invoices, unappliedCents=credit, reference, reversedAt',
  },
  'accounts payment': { call: 'GET /accounts/:account/payments/:payment' },
  'accounts pay': {
    call: 'POST /accounts/:account/payments',
    presets: [
      { flags: '--as-credit', field: 'invoices', description: 'pay no invoice; the complete amount becomes credit', presetValue: [] },
    ],
    examples: ['accounts pay acc_0123abcd --environment live --amount 220.50 --invoice INV-10001=100 --invoice INV-10002=120.50'],
  },
  'accounts reverse': { call: 'POST /accounts/:account/payments/:payment/reverse' },
  'accounts refund': { call: 'POST /accounts/:account/refunds' },
  'accounts refunds': {
    call: 'GET /accounts/:account/refunds',
    columns: 'refundedAt=when, refundId=id, environment, amountCents, reference, reversedAt',
  },
  'accounts reverse-refund': { call: 'POST /accounts/:account/refunds/:refund/reverse' },
  ...noteCommands('account'),
  'keys list': {
    call: 'GET /accounts/:account/keys',
    columns: 'id, environment, name, scopes, lastFour=ends in, lastUsedAt, expiresAt, revokedAt',
  },
  'keys mint': { call: 'POST /accounts/:account/keys' },
  'keys revoke': { call: 'DELETE /accounts/:account/keys/:key' },
  'tokens list': { call: 'GET /tokens', columns: 'id, name, role, kind, lastUsedAt, expiresAt, revokedAt' },
  'tokens mint': { call: 'POST /tokens' },
  'tokens revoke': { call: 'DELETE /tokens/:token' },
  'badges list': { call: 'GET /badges', columns: 'id, name, code, createdAt, revokedAt' },
  'badges create': { call: 'POST /badges' },
  'badges revoke': { call: 'DELETE /badges/:badge' },
  'badges print': { call: 'GET /badges/:badge/badge.pdf' },
  'orders list': {
    call: 'GET /orders',
    columns: BOARD_COLUMNS,
    examples: ['orders list --late --sort dueDate', 'orders list --q "Ada Customer" --environment test'],
  },
  'orders count': { call: 'GET /orders/counts' },
  'orders show': {
    call: 'GET /orders/:order',
    description: 'show an order with its job, timeline, parcels, payments and attention',
    columns:
      'orderNumber=order, orderId=id, status, environment, accountName=account, reference, totalCents, promisedReadyDate=promised, rushTier=rush, whiteLabel, job.shippingMethod=ships by, job.shippingAddress=ships to, job.specialInstructions=instructions, remakeOf.orderNumber=remake of, remakeOf.reason=remake reason, invoice.invoiceNumber=invoice, invoice.state=invoice state, invoice.dueAt=due, facts.paidCents=paid, cancellable.blockers=cancel blockers, createdAt=placed, erasedAt, workflowUrl=workflow',
    lists: {
      attention,
      'job.lines': `#=line, productName=product, quantity, stages, selections, ${ARTWORK_COLUMNS}, externalReference=reference`,
      remakes: 'orderNumber=remake, status, lines, reason',
      parcels,
      payments,
      events: 'createdAt=when, type=event, deliveries.0.id=delivery, deliveries.0.state=state, deliveries.0.attemptCount=attempts',
      timeline: 'occurredAt=when, type, outcome, sendState=mail, actor, milestoneId=id, corrects, note, reason, carried.signedBy=signed by',
    },
  },
  'orders actions': {
    call: 'GET /orders/:order',
    description: 'list the actions on an order: whether each is allowed, and the event that the client receives',
    columns: 'orderNumber=order, status',
    lists: { actions: 'type=action, allowed, eventType=client event, reason' },
  },
  'orders change': {
    call: 'POST /orders/:order/changes',
    without: ['lines'],
    columns: ORDER_COLUMNS,
    examples: ['orders change P-10001 --address address.json'],
  },
  ...noteCommands('order'),
  'orders fit': { call: 'POST /orders/:order/lines/:n/fit', columns: ORDER_COLUMNS },
  'orders job-sheet': { call: 'GET /orders/:order/job-sheet.pdf', examples: ['orders job-sheet P-10001 --out - | lpr'] },
  'orders job-sheets': { call: 'GET /job-sheets.pdf', examples: ['orders job-sheets --orders P-10001,P-10002 --out - | lpr'] },
  'orders cutting-list-pdf': {
    call: 'GET /cutting-list.pdf',
    examples: ['orders cutting-list-pdf --orders P-10001,P-10002 --out - | lpr'],
  },
  'orders cutting-list-csv': { call: 'GET /cutting-list.csv', examples: ['orders cutting-list-csv --orders P-10001 --out cutting.csv'] },
  'orders packing-slip': { call: 'GET /orders/:order/packing-slip.pdf', examples: ['orders packing-slip P-10001 --parcel CC-20041'] },
  'orders preview': { call: 'GET /orders/:order/lines/:n/preview', examples: ['orders preview P-10001 2 --out dunes.webp'] },
  'orders inspect': {
    call: 'POST /orders/:order/lines/:n/inspect',
    columns: 'orderNumber=order',
    lists: { 'job.lines': `#=line, ${ARTWORK_COLUMNS}` },
  },
  ...Object.fromEntries(MILESTONE_COMMANDS),
  'milestone batch': {
    call: 'POST /milestone-batches',
    file: { description: 'JSON file with type, note and items, each with orderId and milestoneId; - reads standard input' },
    columns: 'orderId=order, outcome, error.code=code, error.message=reason',
  },
  'milestone correct': { call: 'POST /orders/:order/milestones/:milestone/correct', columns: ORDER_COLUMNS, lists: { attention } },
  remake: {
    call: 'POST /orders/:order/remakes',
    columns: `${ORDER_COLUMNS}, remakeOf.orderNumber=remake of, remakeOf.reason=remake reason`,
    lists: { attention },
  },
  'parcel add': {
    call: 'POST /orders/:order/parcels',
    columns: ORDER_COLUMNS,
    lists: { attention, parcels },
    examples: ['parcel add P-10001 --tracking AP123456790AU --line 1=2 --line 2=1 --id CC-20042'],
  },
  'parcel void': { call: 'DELETE /orders/:order/parcels/:parcel', columns: ORDER_COLUMNS, lists: { attention, parcels } },
  'parcel deliver': {
    call: 'PATCH /orders/:order/parcels/:parcel',
    columns: ORDER_COLUMNS,
    lists: { parcels },
    examples: ['parcel deliver P-10001 CC-20042 --at "2026-03-05 14:20"'],
  },
  'parcel undeliver': {
    call: 'PATCH /orders/:order/parcels/:parcel',
    description: 'take back when a parcel was delivered',
    columns: ORDER_COLUMNS,
    lists: { parcels },
    fixedFields: { deliveredAt: null },
  },
  'labels export': {
    call: 'GET /packed-orders.csv',
    examples: ['labels export --out packed.csv'],
  },
  'labels import': {
    call: 'POST /tracking-files',
    file: { description: 'CSV file with the tracking numbers', field: 'file', isBase64: true },
    dryRunQuestion: 'Record these rows?',
    columns: 'dryRun=only previewed, added, delivered, unchanged, refused, failed',
    lists: { rows: 'row, orderNumber=order, trackingNumber=tracking, carrier, deliveredAt=delivered, outcome, error.message=reason' },
    examples: ['labels import shipped.csv --dry-run', 'labels import shipped.csv --yes'],
  },
  'payment record': { call: 'POST /orders/:order/payments', columns: ORDER_COLUMNS, lists: { attention, payments } },
  'payment reverse': {
    call: 'POST /orders/:order/payments/:payment/reverse',
    columns: ORDER_COLUMNS,
    lists: { attention, payments },
    examples: ['payment reverse P-10001 bank-2026-124 --reason "returned by the bank"'],
  },
  'credit-note reverse': { call: 'POST /orders/:order/credit-notes/:credit/reverse', columns: ORDER_COLUMNS, lists: { attention } },
  'invoices list': {
    call: 'GET /invoices',
    columns: 'invoiceNumber=invoice, orderNumber=order, accountName=account, amountCents, dueCents=to pay, state, dueDate=due, overdue',
    examples: ['invoices list --bucket days31To60 --sort dueDate', 'invoices list --account acc_0123abcd --state open --all'],
  },
  'invoices ageing': { call: 'GET /invoices/ageing' },
  'invoices show': { call: 'GET /invoices/:invoice' },
  'invoices pdf': { call: 'GET /invoices/:invoice.pdf', examples: ['invoices pdf INV-10001 --out march.pdf --force'] },
  'invoices credit-notes': {
    call: 'GET /credit-notes',
    columns:
      'creditNoteNumber=note, invoiceNumber=invoice, accountName=account, amountCents, gstCents=gst, reason, createdAt=issued, reversedAt',
    examples: ['invoices credit-notes --from 2026-07-01 --to 2026-09-30'],
  },
  'invoices credit-note-totals': { call: 'GET /credit-notes/totals' },
  'payment list': {
    call: 'GET /payments',
    columns: 'receivedAt=received, accountName=account, amountCents, source, reference, paymentId=id, orderNumber=order, reversedAt',
    examples: ['payment list --from 2026-03-05 --to 2026-03-05'],
  },
  'payment totals': { call: 'GET /payments/totals', examples: ['payment totals --from 2026-03-01 --to 2026-03-31'] },
  'refunds list': {
    call: 'GET /refunds',
    columns: 'refundedAt=refunded, accountName=account, amountCents, reference, refundId=id, reversedAt',
    examples: ['refunds list --from 2026-03-05 --to 2026-03-05'],
  },
  'refunds totals': { call: 'GET /refunds/totals' },
  'invoices mail': { call: 'GET /invoices/:invoice/send' },
  'invoices send': { call: 'POST /invoices/:invoice/send', columns: SENDS, examples: ['invoices send INV-10001'] },
  'invoices credit-note-mail': { call: 'GET /credit-notes/:note/send' },
  'invoices send-credit-note': { call: 'POST /credit-notes/:note/send', columns: SENDS },
  'sends list': { call: 'GET /sends', columns: SENDS, examples: ['sends list --account acc_0123abcd --state refused'] },
  'statements send': {
    call: 'POST /statement-runs',
    columns: RUNS,
    confirmQuestion: 'Mail statements to all accounts with a balance?',
    examples: ['statements send --run march-2026 --period-from 2026-03-01 --period-to 2026-03-31'],
  },
  'statements list': { call: 'GET /statement-runs', columns: RUNS },
  'statements show': { call: 'GET /statement-runs/:run', columns: RUNS },
  'statements pause': { call: 'POST /statement-runs/:run/pause', columns: RUNS },
  'statements resume': { call: 'POST /statement-runs/:run/resume', columns: RUNS },
  'sends show': { call: 'GET /sends/:send', columns: `${SENDS}, message` },
  'invoices credit-note-pdf': { call: 'GET /credit-notes/:note.pdf' },
  'invoices credit': { call: 'POST /invoices/:invoice/credit-notes' },
  'attention list': {
    call: 'GET /attention',
    columns: 'since, orderNumber=order, status, accountName=account, code, message',
    examples: ['attention list --code DELIVERY_FAILED'],
  },
  'attention count': { call: 'GET /attention/counts', columns: 'code, open, orders, oldestSince=since' },
  'attention resolve': {
    call: 'POST /orders/:order/attention/:code/resolve',
    columns: 'orderNumber=order, status',
    lists: { attention: 'code, since, message' },
  },
  'endpoints list': {
    call: 'GET /webhook-endpoints',
    columns:
      'accountName=account, id, environment, url, state, disabledReason=reason, consecutiveFailures=failures, deliveries.held=held, deliveries.failed=failed, health.lastErrorCode=last error',
    examples: ['endpoints list --failing'],
  },
  'endpoints add': { call: 'POST /accounts/:account/webhook-endpoints' },
  'endpoints show': { call: 'GET /webhook-endpoints/:endpoint' },
  'endpoints url': {
    call: 'PATCH /webhook-endpoints/:endpoint',
    description: 'change the URL of an endpoint, from the next attempt on',
    without: ['eventTypes'],
    required: ['url'],
  },
  'endpoints events': {
    call: 'PATCH /webhook-endpoints/:endpoint',
    description: 'change the event types of an endpoint, from the next event on',
    without: ['url'],
    presets: [{ flags: '--all', field: 'eventTypes', description: 'the six types of a status, not issues', presetValue: null }],
    examples: ['endpoints events whe_0123abcd --event order.shipped --event order.cancelled'],
  },
  'endpoints enable': { call: 'POST /webhook-endpoints/:endpoint/enable' },
  'endpoints disable': { call: 'POST /webhook-endpoints/:endpoint/disable' },
  'endpoints rotate-secret': { call: 'POST /webhook-endpoints/:endpoint/rotate-secret' },
  'endpoints ping': { call: 'POST /webhook-endpoints/:endpoint/ping' },
  'endpoints recover': {
    call: 'POST /webhook-endpoints/:endpoint/recover',
    dryRunQuestion: 'Resend all these deliveries?',
    examples: ['endpoints recover whe_0123abcd --since "2026-03-01 09:30" --dry-run'],
  },
  'endpoints delete': { call: 'DELETE /webhook-endpoints/:endpoint' },
  'deliveries list': {
    call: 'GET /deliveries',
    columns:
      'id, eventType=event, orderNumber=order, accountName=account, state, attemptCount=attempts, lastErrorCode=last error, lastStatus=reply, nextAttemptAt=next, createdAt',
    examples: ['deliveries list --state failed', 'deliveries list --order P-10001'],
  },
  'deliveries count': { call: 'GET /deliveries/counts' },
  'deliveries show': { call: 'GET /deliveries/:delivery', columns: `${DELIVERY_COLUMNS}, event.rawBody=text`, lists: { attempts } },
  'deliveries resend': { call: 'POST /deliveries/:delivery/resend', columns: DELIVERY_COLUMNS, lists: { attempts } },
  'catalogue list': {
    call: 'GET /catalogue/:section',
    columns: 'id, slug, sizeCode, name, label, withdrawn, outOfStockUntil=out of stock until',
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
  'catalogue restore': { call: 'PATCH /catalogue/:section/:id', description: 'restore a withdrawn row', fixedFields: { withdrawn: false } },
  'catalogue out-of-stock': {
    call: 'PUT /catalogue/:section/:id/stock',
    required: ['outOfStockUntil'],
  },
  'catalogue in-stock': {
    call: 'PUT /catalogue/:section/:id/stock',
    description: 'mark a material as in stock again',
    fixedFields: { outOfStockUntil: null },
  },
  'catalogue open-orders': {
    call: 'GET /materials/:section/open-orders',
    columns: 'id, orders, pieces',
    examples: ['catalogue open-orders mouldings', 'orders list --material mouldings/moulding-oak-natural-20'],
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
  'settings reminders': { call: 'GET /reminder-settings', lists: { steps: 'days, subject, message' } },
  'settings set-reminders': {
    call: 'PUT /reminder-settings',
    file: { description: 'JSON file with the three steps, each with days, subject and message; - reads standard input' },
    lists: { steps: 'days, subject, message' },
  },
  'settings carriers': { call: 'GET /carriers', lists: { carriers: CARRIER_COLUMNS } },
  'settings set-carriers': {
    call: 'PUT /carriers',
    file: { description: 'JSON file with carriers, each with name, services, trackingUrl and masks; - reads standard input' },
    lists: { carriers: CARRIER_COLUMNS },
  },
  'settings stages': { call: 'GET /stage-settings' },
  'settings set-stages': {
    call: 'PUT /stage-settings',
    examples: ['settings set-stages --framed on --checked off --ready on'],
  },
  'settings label-program': { call: 'GET /label-program', columns: TRACKING_COLUMNS, lists: { orderColumns: 'heading, value' } },
  'settings set-label-program': {
    call: 'PUT /label-program',
    file: { description: 'JSON file with orderColumns and trackingColumns; - reads standard input' },
    columns: TRACKING_COLUMNS,
    lists: { orderColumns: 'heading, value' },
  },
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
});
