import { ATTENTION_ABOUT, ATTENTION_CODES } from '../../domain/attention';
import { PREVIEW_SIZES } from '../../domain/inspection';
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
  environment('environment (default: live)'),
  choice('--status <status>', 'status', ORDER_STATUSES, 'only this status'),
  text('--account <account>', 'accountId', 'only this account, by its id'),
  choice('--attention <code>', 'attention', ['any', ...ATTENTION_ABOUT, ...ATTENTION_CODES], 'only with open attention; any means all'),
  dayOrTime('--from <day>', 'from', 'placed at this time or later'),
  dayOrTime('--to <day>', 'to', 'placed before this time, or before the end of this day'),
  day('--due-from <day>', 'dueFrom', 'unshipped and due on this day or later'),
  day('--due-before <day>', 'dueBefore', 'unshipped and due before this day'),
  flag('--late', 'late', 'unshipped and due before today'),
  flag('--part-shipped', 'partShipped', 'shipped but not completed, with pieces that are in no parcel'),
  text(
    '--q <text>',
    'q',
    'part of a number (order, invoice or credit note), recipient, account, e-mail address, reference or tracking number, or a complete id',
  ),
  choice('--sort <order>', 'sort', ORDER_SORTS, 'order of rows; createdAt means newest, dueDate lists the earliest unshipped first'),
];

const ORDER_AFTER_CHANGE = {
  fields: ['orderNumber=order', 'status', 'facts.printed=printed', 'facts.liveParcels=parcels', 'facts.paidCents=paid', 'totalCents'],
  lists: { attention: ['code', 'since', 'message'] },
};
const ARTWORK_COLUMNS = [
  '#=line',
  'artworkFilename=artwork',
  'artworkReceived=arrived',
  'inspection.state=picture',
  'inspection.effectiveDpi=dpi',
];
const PARCEL_COLUMNS = ['parcelId', 'trackingNumber', 'carrier', 'lines=holds', 'shippedAt', 'voidedAt'];
const PAYMENT_COLUMNS = ['paymentId', 'amountCents', 'receivedAt', 'reference', 'reversedAt'];

type MilestoneCommand = Pick<ApiCommand, 'description' | 'confirmQuestion' | 'options'> & {
  commandName: string;
  /** Required options in examples. */ exampleOptions?: string;
};
const MILESTONES: Readonly<Record<MilestoneType, MilestoneCommand>> = {
  production_started: { commandName: 'start', description: 'record that production has started' },
  printed: { commandName: 'printed', description: 'record that the order is printed; the client can no longer cancel it' },
  held: {
    commandName: 'hold',
    description: 'put the order on hold',
    options: [text('--reason <text>', 'reason', 'reason for the client')],
  },
  released: { commandName: 'release', description: 'release the order from hold' },
  artwork_rejected: {
    commandName: 'reject-artwork',
    description: 'reject the artwork of a line and ask the client for other artwork',
    options: [
      lineNumber('--line <n>', 'line', 'line of the order, from 1', { isRequired: true }),
      text('--reason <text>', 'reason', 'reason for the client', { isRequired: true }),
    ],
    exampleOptions: ' --line 1 --reason "the picture is cut off"',
  },
  completed: { commandName: 'complete', description: 'record that the order is completed' },
  cancelled: {
    commandName: 'cancel',
    description: 'cancel the order permanently; asks for confirmation',
    confirmQuestion: 'Cancel the order permanently? This voids its invoice and cannot be undone.',
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
    text('--note <text>', 'note', 'note for the timeline'),
    time('--at <time>', 'occurredAt', 'time of the milestone, such as "2026-03-01 09:30" (default: now)'),
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
    description: 'list orders, newest first',
    call: 'GET /orders',
    options: BOARD_OPTIONS,
    output: { rows: BOARD_COLUMNS },
    examples: ['orders list --status received', 'orders list --late --sort dueDate', 'orders list --q "Ada Customer" --environment test'],
  },
  {
    name: 'orders count',
    description: 'count orders by status, late orders, and orders with open attention',
    call: 'GET /orders/counts',
    options: [
      environment('environment (default: live)'),
      choice('--about <topic>', 'about', ATTENTION_ABOUT, 'count only attention about this'),
    ],
    examples: ['orders count', 'orders count --environment test'],
  },
  {
    name: 'orders show',
    description: 'show an order with its job, timeline, parcels, payments and attention',
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
        'remakeOf.reason=remake reason',
        'invoice.invoiceNumber=invoice',
        'invoice.state=invoice state',
        'invoice.dueAt=due',
        'facts.paidCents=paid',
        'cancellable.blockers=cancel blockers',
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
          ...ARTWORK_COLUMNS.slice(1),
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
    description: 'list the actions on an order: whether each is allowed, and the event that the client receives',
    call: 'GET /orders/:order',
    output: { fields: ['orderNumber=order', 'status'], lists: { actions: ['type=action', 'allowed', 'eventType=client event', 'reason'] } },
    examples: ['orders actions P-10001'],
  },
  {
    name: 'orders job-sheet',
    description: 'save the job sheet as PDF',
    call: 'GET /orders/:order/job-sheet.pdf',
    output: { file: ([order = '']) => `job-sheet-${order}.pdf` },
    examples: ['orders job-sheet P-10001', 'orders job-sheet P-10001 --out - | lpr'],
  },
  {
    name: 'orders job-sheets',
    description: 'save the job sheets of many orders as one PDF',
    call: 'GET /job-sheets.pdf',
    options: [text('--orders <orders>', 'orders', 'order numbers or ids, separated by commas', { isRequired: true })],
    output: { file: () => 'job-sheets.pdf' },
    examples: ['orders job-sheets --orders P-10001,P-10002', 'orders job-sheets --orders P-10001,P-10002 --out - | lpr'],
  },
  {
    name: 'orders packing-slip',
    description: 'save the packing slip as PDF',
    call: 'GET /orders/:order/packing-slip.pdf',
    options: [text('--parcel <parcel>', 'parcelId', 'parcel to list (default: the complete order)')],
    output: { file: ([order = '']) => `packing-slip-${order}.pdf` },
    examples: ['orders packing-slip P-10001', 'orders packing-slip P-10001 --parcel CC-20041'],
  },
  {
    name: 'orders preview',
    description: 'save the preview of a line as a picture',
    call: 'GET /orders/:order/lines/:n/preview',
    options: [choice('--size <size>', 'size', PREVIEW_SIZES, 'large, at most 1,600 pixels, or small, at most 320 (default: large)')],
    output: { file: ([order = '', line = '']) => `${order}-${line}.webp` },
    examples: ['orders preview P-10001 1', 'orders preview P-10001 2 --out dunes.webp'],
  },
  {
    name: 'orders inspect',
    description: 'inspect the artwork of a line again, such as after an update of the decoder',
    call: 'POST /orders/:order/lines/:n/inspect',
    output: { fields: ['orderNumber=order'], lists: { 'job.lines': ARTWORK_COLUMNS } },
    examples: ['orders inspect P-10001 1'],
  },
  ...Object.entries(MILESTONES).map(toMilestoneCommand),
  {
    name: 'milestone batch',
    description: 'record a milestone of many orders and print the outcome of each',
    call: 'POST /milestone-batches',
    file: { description: 'JSON file with type, note and items, each with orderId and milestoneId; - reads standard input' },
    output: { rows: ['orderId=order', 'outcome', 'error.code=code', 'error.message=reason'], isUnpaged: true },
    examples: ['milestone batch sheet-12.json'],
  },
  {
    name: 'milestone correct',
    description: 'correct a milestone that was recorded by mistake; both stay in the timeline',
    call: 'POST /orders/:order/milestones/:milestone/correct',
    options: [text('--reason <text>', 'reason', 'reason of the correction', { isRequired: true })],
    output: ORDER_AFTER_CHANGE,
    examples: ['milestone correct P-10001 press-7/1041 --reason "it was another order"'],
  },
  {
    name: 'remake',
    description: 'remake lines of an order as a separate free order',
    call: 'POST /orders/:order/remakes',
    options: [
      lineQuantities('line, from 1, and quantity; repeat it for each line', true),
      text('--reason <text>', 'reason', 'reason, printed on the job sheet', { isRequired: true }),
      jsonFile('--address <file>', 'shippingAddress', 'JSON file with the shipping address (default: the address of the original order)'),
    ],
    ownIdField: 'remakeId',
    output: {
      ...ORDER_AFTER_CHANGE,
      fields: [...ORDER_AFTER_CHANGE.fields, 'remakeOf.orderNumber=remake of', 'remakeOf.reason=remake reason'],
    },
    examples: ['remake P-10001 --line 1=2 --reason "a scratch on the glass"'],
  },
  {
    name: 'parcel add',
    description: 'record a parcel; the order becomes shipped',
    call: 'POST /orders/:order/parcels',
    options: [
      text('--tracking <number>', 'trackingNumber', 'tracking number of the carrier', { isRequired: true }),
      text('--carrier <name>', 'carrier', 'carrier'),
      text('--tracking-url <url>', 'trackingUrl', 'URL of the tracking page'),
      time('--at <time>', 'shippedAt', 'time of shipping (default: now)'),
      lineQuantities('line, from 1, and quantity in the parcel; repeat it for each line'),
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
    description: 'void the label of a parcel; after the only parcel, the order returns to its earlier status',
    call: 'DELETE /orders/:order/parcels/:parcel',
    output: { ...ORDER_AFTER_CHANGE, lists: { ...ORDER_AFTER_CHANGE.lists, parcels: PARCEL_COLUMNS } },
    examples: ['parcel void P-10001 CC-20041'],
  },
  {
    name: 'payment record',
    description: 'record a payment for an order',
    call: 'POST /orders/:order/payments',
    options: [
      amount('--amount <amount>', 'amountCents', 'amount, such as 120.50', { isRequired: true }),
      time('--received-at <time>', 'receivedAt', 'time of receipt (default: now)'),
      text('--reference <text>', 'reference', 'reference on the bank statement'),
    ],
    ownIdField: 'paymentId',
    output: { ...ORDER_AFTER_CHANGE, lists: { ...ORDER_AFTER_CHANGE.lists, payments: PAYMENT_COLUMNS } },
    examples: ['payment record P-10001 --amount 120.50 --reference "Gallery North, March" --id bank/2026-118'],
  },
  {
    name: 'payment reverse',
    description: 'reverse a payment',
    call: 'DELETE /orders/:order/payments/:payment',
    output: { ...ORDER_AFTER_CHANGE, lists: { ...ORDER_AFTER_CHANGE.lists, payments: PAYMENT_COLUMNS } },
    examples: ['payment reverse P-10001 bank/2026-118'],
  },
  {
    name: 'credit-note reverse',
    description: 'reverse a credit note, which raises the invoice again',
    call: 'POST /orders/:order/credit-notes/:note/reverse',
    options: [text('--reason <text>', 'reason', 'reason, printed on the statement', { isRequired: true })],
    ownIdField: 'reversalId',
    output: ORDER_AFTER_CHANGE,
    examples: ['credit-note reverse P-10001 complaint-17 --reason "it was another order"'],
  },
];
