import { ATTENTION_ABOUT, ATTENTION_CODES } from '../../domain/attention';
import { ORDER_STATUSES, type MilestoneType } from '../../domain/order-status';
import {
  amount,
  choice,
  day,
  dayOrTime,
  jsonFile,
  lineNumber,
  lines,
  on,
  text,
  time,
  type ApiCommand,
  type CommandOption,
} from '../api-command';
import { environment } from './accounts';

const ORDER_SORTS = ['newest', 'oldest', 'dueDate', 'createdAt'];

export const BOARD_COLUMNS = [
  'orderNumber=order',
  'status',
  'accountName=account',
  'totalCents',
  'dueDate=due',
  'late',
  'rushTier=rush',
  'facts.liveParcels=parcels',
  'invoice.state=invoice',
  'createdAt=placed',
];

export const BOARD_OPTIONS: readonly CommandOption[] = [
  environment('live unless said otherwise'),
  choice('--status <status>', 'status', ORDER_STATUSES, 'only those'),
  text('--account <account>', 'accountId', "only this account's, by its id"),
  choice('--attention <code>', 'attention', ['any', ...ATTENTION_ABOUT, ...ATTENTION_CODES], 'something of it is open; any: anything is'),
  dayOrTime('--from <day>', 'from', 'placed then or later'),
  dayOrTime('--to <day>', 'to', 'placed earlier than that time; a day is included'),
  day('--due-from <day>', 'dueFrom', 'still to be shipped, and due that day or later'),
  day('--due-before <day>', 'dueBefore', 'still to be shipped, and due earlier than that day'),
  on('--late', 'late', 'still to be shipped, and due earlier than today'),
  on('--part-shipped', 'partShipped', 'shipped and not completed, but pieces of it are in no parcel yet'),
  text('--q <text>', 'q', 'part of a number, recipient, account, e-mail address, reference or tracking number; or a whole id'),
  choice('--sort <order>', 'sort', ORDER_SORTS, 'the newest first (also as createdAt), the oldest, or the soonest due'),
];

const AFTERWARDS = {
  fields: ['orderNumber=order', 'status', 'facts.printed=printed', 'facts.liveParcels=parcels', 'facts.paidCents=paid', 'totalCents'],
  parts: { attention: ['code', 'since', 'message'] },
};
const PARCELS = ['parcelId', 'trackingNumber', 'carrier', 'lines=holds', 'shippedAt', 'voidedAt'];
const PAYMENTS = ['paymentId', 'amountCents', 'receivedAt', 'reference', 'reversedAt'];

type MilestoneWords = Pick<ApiCommand, 'tells' | 'confirms' | 'options'> & {
  word: string;
  /** What examples need besides. */ given?: string;
};
const MILESTONES: Readonly<Record<MilestoneType, MilestoneWords>> = {
  production_started: { word: 'start', tells: 'production has started' },
  printed: { word: 'printed', tells: 'it is printed: the client cannot cancel any more' },
  held: { word: 'hold', tells: 'production waits', options: [text('--reason <text>', 'reason', 'why, in words for the client')] },
  released: { word: 'release', tells: 'production goes on' },
  artwork_rejected: {
    word: 'reject-artwork',
    tells: 'the artwork of a line cannot be printed, and the client is to send other artwork',
    options: [
      lineNumber('--line <n>', 'line', 'which line of the order, from 1', { needed: true }),
      text('--reason <text>', 'reason', 'why, in words for the client', { needed: true }),
    ],
    given: ' --line 1 --reason "the picture is cut off"',
  },
  completed: { word: 'complete', tells: 'it is done' },
  cancelled: {
    word: 'cancel',
    tells: 'the studio cancels it, for good; asks',
    confirms: 'Cancel the order for good? Its invoice is voided, and nothing takes that back.',
  },
};

const milestone = ([type, { word, options = [], given = '', ...rest }]: [string, MilestoneWords]): ApiCommand => ({
  ...rest,
  words: `milestone ${word}`,
  call: 'POST /orders/:order/milestones',
  fixed: { type },
  options: [
    ...options,
    text('--note <text>', 'note', 'a word for the timeline'),
    time('--at <time>', 'occurredAt', 'when it happened, such as "2026-03-01 09:30" (default: now)'),
  ],
  ownId: 'milestoneId',
  shows: AFTERWARDS,
  examples: [`milestone ${word} P-10001${given}`, `milestone ${word} P-10001${given} --note "on the large printer" --id press-7/1041`],
});

export const ORDER_COMMANDS: readonly ApiCommand[] = [
  {
    words: 'orders list',
    tells: 'the job list, newest first',
    call: 'GET /orders',
    options: BOARD_OPTIONS,
    shows: { rows: BOARD_COLUMNS },
    examples: ['orders list --status received', 'orders list --late --sort dueDate', 'orders list --q "Ada Customer" --environment test'],
  },
  {
    words: 'orders count',
    tells: 'how many orders there are now: of each status, late, and that need a person',
    call: 'GET /orders/counts',
    options: [
      environment('live unless said otherwise'),
      choice('--about <what>', 'about', ATTENTION_ABOUT, 'of what needs a person, only that about it'),
    ],
    examples: ['orders count', 'orders count --environment test'],
  },
  {
    words: 'orders show',
    tells: 'one order with its job, timeline, parcels, payments and what needs a person',
    call: 'GET /orders/:order',
    shows: {
      fields: [
        'orderNumber=order',
        'orderId=id',
        'status',
        'environment',
        'accountName=account',
        'totalCents',
        'promisedReadyDate=promised',
        'rushTier=rush',
        'whiteLabel',
        'job.shippingMethod=ships by',
        'job.shippingAddress=ships to',
        'job.specialInstructions=instructions',
        'remakeOf.orderNumber=remake of',
        'remakeOf.reason=because',
        'invoice.invoiceNumber=invoice',
        'invoice.state=invoice is',
        'invoice.dueAt=due',
        'facts.paidCents=paid',
        'cancellable.blockers=client cannot cancel for',
        'createdAt=placed',
        'erasedAt',
        'workflowUrl=workflow',
      ],
      parts: {
        attention: ['code', 'since', 'message'],
        'job.lines': [
          '#=line',
          'productName=product',
          'quantity',
          'selections',
          'artworkFilename=artwork',
          'artworkReceived=arrived',
          'inspection.state=picture',
          'inspection.effectiveDpi=dpi',
          'externalReference=reference',
        ],
        remakes: ['orderNumber=remake', 'status', 'lines', 'reason'],
        parcels: PARCELS,
        payments: PAYMENTS,
        events: [
          'createdAt=when',
          'type=event',
          'deliveries.0.id=delivery',
          'deliveries.0.state=state',
          'deliveries.0.attemptCount=attempts',
        ],
        timeline: ['occurredAt=when', 'type', 'outcome', 'actor', 'milestoneId=id', 'corrects', 'note', 'reason'],
      },
    },
    examples: ['orders show P-10001', 'orders show ord_0123abcd --json'],
  },
  {
    words: 'orders actions',
    tells: 'what may be done with an order now, why not, and what its client would be told',
    call: 'GET /orders/:order',
    shows: { fields: ['orderNumber=order', 'status'], parts: { actions: ['type=action', 'allowed', 'tells=tells the client', 'reason'] } },
    examples: ['orders actions P-10001'],
  },
  {
    words: 'orders job-sheet',
    tells: "keep the floor's job sheet as a PDF",
    call: 'GET /orders/:order/job-sheet.pdf',
    shows: { file: ([order = '']) => `job-sheet-${order}.pdf` },
    examples: ['orders job-sheet P-10001', 'orders job-sheet P-10001 --out - | lpr'],
  },
  {
    words: 'orders packing-slip',
    tells: 'keep what goes into a parcel as a PDF',
    call: 'GET /orders/:order/packing-slip.pdf',
    options: [text('--parcel <parcel>', 'parcelId', 'of this parcel (default: of the whole order)')],
    shows: { file: ([order = '']) => `packing-slip-${order}.pdf` },
    examples: ['orders packing-slip P-10001', 'orders packing-slip P-10001 --parcel CC-20041'],
  },
  {
    words: 'orders preview',
    tells: 'keep the picture of a line as a file, to look at it',
    call: 'GET /orders/:order/lines/:n/preview',
    shows: { file: ([order = '', line = '']) => `${order}-${line}.webp` },
    examples: ['orders preview P-10001 1', 'orders preview P-10001 2 --out dunes.webp'],
  },
  ...Object.entries(MILESTONES).map(milestone),
  {
    words: 'milestone correct',
    tells: 'take back a milestone that was recorded by mistake; both stay in the timeline',
    call: 'POST /orders/:order/milestones/:milestone/correct',
    options: [text('--reason <text>', 'reason', 'why', { needed: true })],
    shows: AFTERWARDS,
    examples: ['milestone correct P-10001 press-7/1041 --reason "it was another order"'],
  },
  {
    words: 'remake',
    tells: 'make lines of an order again at no charge, as an order of its own',
    call: 'POST /orders/:order/remakes',
    options: [
      lines('so many of that line, counted from 1; once for each line', true),
      text('--reason <text>', 'reason', 'why; it stands on the job', { needed: true }),
      jsonFile('--address <file>', 'shippingAddress', "where it goes, as JSON (default: the original's address)"),
    ],
    ownId: 'remakeId',
    shows: { ...AFTERWARDS, fields: [...AFTERWARDS.fields, 'remakeOf.orderNumber=remake of', 'remakeOf.reason=because'] },
    examples: ['remake P-10001 --line 1=2 --reason "a scratch on the glass"'],
  },
  {
    words: 'parcel add',
    tells: 'a parcel has left: from then on the order is shipped',
    call: 'POST /orders/:order/parcels',
    options: [
      text('--tracking <number>', 'trackingNumber', "the carrier's number", { needed: true }),
      text('--carrier <name>', 'carrier', 'who carries it'),
      text('--tracking-url <url>', 'trackingUrl', 'where the recipient follows it'),
      time('--at <time>', 'shippedAt', 'when it left (default: now)'),
      lines('so many of that line, counted from 1, are in it; once for each line'),
    ],
    ownId: 'parcelId',
    shows: { ...AFTERWARDS, parts: { ...AFTERWARDS.parts, parcels: PARCELS } },
    examples: [
      'parcel add P-10001 --tracking AP123456789AU --carrier "Australia Post"',
      'parcel add P-10001 --tracking AP123456790AU --line 1=2 --line 2=1 --id CC-20042',
    ],
  },
  {
    words: 'parcel void',
    tells: 'the label is void: without another parcel the order is what it was before',
    call: 'DELETE /orders/:order/parcels/:parcel',
    shows: { ...AFTERWARDS, parts: { ...AFTERWARDS.parts, parcels: PARCELS } },
    examples: ['parcel void P-10001 CC-20041'],
  },
  {
    words: 'payment record',
    tells: "money was received for an order's invoice",
    call: 'POST /orders/:order/payments',
    options: [
      amount('--amount <amount>', 'amountCents', 'such as 120.50', { needed: true }),
      time('--received-at <time>', 'receivedAt', 'when (default: now)'),
      text('--reference <text>', 'reference', 'as the bank has it'),
    ],
    ownId: 'paymentId',
    shows: { ...AFTERWARDS, parts: { ...AFTERWARDS.parts, payments: PAYMENTS } },
    examples: ['payment record P-10001 --amount 120.50 --reference "Gallery North, March" --id bank/2026-118'],
  },
  {
    words: 'payment reverse',
    tells: 'take a payment back',
    call: 'DELETE /orders/:order/payments/:payment',
    shows: { ...AFTERWARDS, parts: { ...AFTERWARDS.parts, payments: PAYMENTS } },
    examples: ['payment reverse P-10001 bank/2026-118'],
  },
  {
    words: 'credit-note reverse',
    tells: 'take a credit note back: the invoice asks for its amount again',
    call: 'POST /orders/:order/credit-notes/:note/reverse',
    options: [text('--reason <text>', 'reason', 'why; it stands on the statement', { needed: true })],
    ownId: 'reversalId',
    shows: AFTERWARDS,
    examples: ['credit-note reverse P-10001 complaint-17 --reason "it was another order"'],
  },
];
