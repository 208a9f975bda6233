import { ATTENTION_ABOUT, ATTENTION_CODES } from '../../domain/attention';
import { ORDER_STATUSES } from '../../domain/order-status';
import type { MilestoneType } from '../../domain/order-message-types';
import {
  amount,
  choice,
  day,
  dayOrTime,
  jsonFile,
  lineNumber,
  lineQuantities,
  flag,
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
  flag('--late', 'late', 'still to be shipped, and due earlier than today'),
  flag('--part-shipped', 'partShipped', 'shipped and not completed, but pieces of it are in no parcel yet'),
  text('--q <text>', 'q', 'part of a number, recipient, account, e-mail address, reference or tracking number; or a whole id'),
  choice('--sort <order>', 'sort', ORDER_SORTS, 'the newest first (also as createdAt), the oldest, or the soonest due'),
];

const ORDER_AFTER_CHANGE = {
  fields: ['orderNumber=order', 'status', 'facts.printed=printed', 'facts.liveParcels=parcels', 'facts.paidCents=paid', 'totalCents'],
  lists: { attention: ['code', 'since', 'message'] },
};
const PARCEL_COLUMNS = ['parcelId', 'trackingNumber', 'carrier', 'lines=holds', 'shippedAt', 'voidedAt'];
const PAYMENT_COLUMNS = ['paymentId', 'amountCents', 'receivedAt', 'reference', 'reversedAt'];

type MilestoneCommand = Pick<ApiCommand, 'description' | 'confirmQuestion' | 'options'> & {
  commandName: string;
  /** What examples need besides. */ exampleOptions?: string;
};
const MILESTONES: Readonly<Record<MilestoneType, MilestoneCommand>> = {
  production_started: { commandName: 'start', description: 'production has started' },
  printed: { commandName: 'printed', description: 'it is printed: the client cannot cancel any more' },
  held: {
    commandName: 'hold',
    description: 'production waits',
    options: [text('--reason <text>', 'reason', 'why, in words for the client')],
  },
  released: { commandName: 'release', description: 'production goes on' },
  artwork_rejected: {
    commandName: 'reject-artwork',
    description: 'the artwork of a line cannot be printed, and the client is to send other artwork',
    options: [
      lineNumber('--line <n>', 'line', 'which line of the order, from 1', { isRequired: true }),
      text('--reason <text>', 'reason', 'why, in words for the client', { isRequired: true }),
    ],
    exampleOptions: ' --line 1 --reason "the picture is cut off"',
  },
  completed: { commandName: 'complete', description: 'it is done' },
  cancelled: {
    commandName: 'cancel',
    description: 'the studio cancels it, for good; asks',
    confirmQuestion: 'Cancel the order for good? Its invoice is voided, and nothing takes that back.',
  },
};

const toMilestoneCommand = ([type, { commandName, options = [], exampleOptions = '', ...rest }]: [
  string,
  MilestoneCommand,
]): ApiCommand => ({
  ...rest,
  name: `milestone ${commandName}`,
  call: 'POST /orders/:order/milestones',
  fixedFields: { type },
  options: [
    ...options,
    text('--note <text>', 'note', 'a word for the timeline'),
    time('--at <time>', 'occurredAt', 'when it happened, such as "2026-03-01 09:30" (default: now)'),
  ],
  ownIdField: 'milestoneId',
  output: ORDER_AFTER_CHANGE,
  examples: [
    `milestone ${commandName} P-10001${exampleOptions}`,
    `milestone ${commandName} P-10001${exampleOptions} --note "on the large printer" --id press-7/1041`,
  ],
});

export const ORDER_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'orders list',
    description: 'the job list, newest first',
    call: 'GET /orders',
    options: BOARD_OPTIONS,
    output: { rows: BOARD_COLUMNS },
    examples: ['orders list --status received', 'orders list --late --sort dueDate', 'orders list --q "Ada Customer" --environment test'],
  },
  {
    name: 'orders count',
    description: 'how many orders there are now: of each status, late, and that need a person',
    call: 'GET /orders/counts',
    options: [
      environment('live unless said otherwise'),
      choice('--about <what>', 'about', ATTENTION_ABOUT, 'of what needs a person, only that about it'),
    ],
    examples: ['orders count', 'orders count --environment test'],
  },
  {
    name: 'orders show',
    description: 'one order with its job, timeline, parcels, payments and what needs a person',
    call: 'GET /orders/:order',
    output: {
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
      lists: {
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
        parcels: PARCEL_COLUMNS,
        payments: PAYMENT_COLUMNS,
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
    name: 'orders actions',
    description: 'what may be done with an order now, why not, and what its client would be told',
    call: 'GET /orders/:order',
    output: { fields: ['orderNumber=order', 'status'], lists: { actions: ['type=action', 'allowed', 'tells=tells the client', 'reason'] } },
    examples: ['orders actions P-10001'],
  },
  {
    name: 'orders job-sheet',
    description: "keep the floor's job sheet as a PDF",
    call: 'GET /orders/:order/job-sheet.pdf',
    output: { file: ([order = '']) => `job-sheet-${order}.pdf` },
    examples: ['orders job-sheet P-10001', 'orders job-sheet P-10001 --out - | lpr'],
  },
  {
    name: 'orders packing-slip',
    description: 'keep what goes into a parcel as a PDF',
    call: 'GET /orders/:order/packing-slip.pdf',
    options: [text('--parcel <parcel>', 'parcelId', 'of this parcel (default: of the whole order)')],
    output: { file: ([order = '']) => `packing-slip-${order}.pdf` },
    examples: ['orders packing-slip P-10001', 'orders packing-slip P-10001 --parcel CC-20041'],
  },
  {
    name: 'orders preview',
    description: 'keep the picture of a line as a file, to look at it',
    call: 'GET /orders/:order/lines/:n/preview',
    output: { file: ([order = '', line = '']) => `${order}-${line}.webp` },
    examples: ['orders preview P-10001 1', 'orders preview P-10001 2 --out dunes.webp'],
  },
  ...Object.entries(MILESTONES).map(toMilestoneCommand),
  {
    name: 'milestone correct',
    description: 'take back a milestone that was recorded by mistake; both stay in the timeline',
    call: 'POST /orders/:order/milestones/:milestone/correct',
    options: [text('--reason <text>', 'reason', 'why', { isRequired: true })],
    output: ORDER_AFTER_CHANGE,
    examples: ['milestone correct P-10001 press-7/1041 --reason "it was another order"'],
  },
  {
    name: 'remake',
    description: 'make lines of an order again at no charge, as an order of its own',
    call: 'POST /orders/:order/remakes',
    options: [
      lineQuantities('so many of that line, counted from 1; once for each line', true),
      text('--reason <text>', 'reason', 'why; it stands on the job', { isRequired: true }),
      jsonFile('--address <file>', 'shippingAddress', "where it goes, as JSON (default: the original's address)"),
    ],
    ownIdField: 'remakeId',
    output: { ...ORDER_AFTER_CHANGE, fields: [...ORDER_AFTER_CHANGE.fields, 'remakeOf.orderNumber=remake of', 'remakeOf.reason=because'] },
    examples: ['remake P-10001 --line 1=2 --reason "a scratch on the glass"'],
  },
  {
    name: 'parcel add',
    description: 'a parcel has left: from then on the order is shipped',
    call: 'POST /orders/:order/parcels',
    options: [
      text('--tracking <number>', 'trackingNumber', "the carrier's number", { isRequired: true }),
      text('--carrier <name>', 'carrier', 'who carries it'),
      text('--tracking-url <url>', 'trackingUrl', 'where the recipient follows it'),
      time('--at <time>', 'shippedAt', 'when it left (default: now)'),
      lineQuantities('so many of that line, counted from 1, are in it; once for each line'),
    ],
    ownIdField: 'parcelId',
    output: { ...ORDER_AFTER_CHANGE, lists: { ...ORDER_AFTER_CHANGE.lists, parcels: PARCEL_COLUMNS } },
    examples: [
      'parcel add P-10001 --tracking AP123456789AU --carrier "Australia Post"',
      'parcel add P-10001 --tracking AP123456790AU --line 1=2 --line 2=1 --id CC-20042',
    ],
  },
  {
    name: 'parcel void',
    description: 'the label is void: without another parcel the order is what it was before',
    call: 'DELETE /orders/:order/parcels/:parcel',
    output: { ...ORDER_AFTER_CHANGE, lists: { ...ORDER_AFTER_CHANGE.lists, parcels: PARCEL_COLUMNS } },
    examples: ['parcel void P-10001 CC-20041'],
  },
  {
    name: 'payment record',
    description: "money was received for an order's invoice",
    call: 'POST /orders/:order/payments',
    options: [
      amount('--amount <amount>', 'amountCents', 'such as 120.50', { isRequired: true }),
      time('--received-at <time>', 'receivedAt', 'when (default: now)'),
      text('--reference <text>', 'reference', 'as the bank has it'),
    ],
    ownIdField: 'paymentId',
    output: { ...ORDER_AFTER_CHANGE, lists: { ...ORDER_AFTER_CHANGE.lists, payments: PAYMENT_COLUMNS } },
    examples: ['payment record P-10001 --amount 120.50 --reference "Gallery North, March" --id bank/2026-118'],
  },
  {
    name: 'payment reverse',
    description: 'take a payment back',
    call: 'DELETE /orders/:order/payments/:payment',
    output: { ...ORDER_AFTER_CHANGE, lists: { ...ORDER_AFTER_CHANGE.lists, payments: PAYMENT_COLUMNS } },
    examples: ['payment reverse P-10001 bank/2026-118'],
  },
  {
    name: 'credit-note reverse',
    description: 'take a credit note back: the invoice asks for its amount again',
    call: 'POST /orders/:order/credit-notes/:note/reverse',
    options: [text('--reason <text>', 'reason', 'why; it stands on the statement', { isRequired: true })],
    ownIdField: 'reversalId',
    output: ORDER_AFTER_CHANGE,
    examples: ['credit-note reverse P-10001 complaint-17 --reason "it was another order"'],
  },
];
