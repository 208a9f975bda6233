import type { MilestoneType } from '../../domain/order-message-types';
import type { ApiCommand } from '../api-command';

export const BOARD_COLUMNS =
  'orderNumber=order, status, accountName=account, totalCents, dueDate=due, late, rushTier=rush, facts.liveParcels=parcels, invoice.state=invoice, createdAt=placed';
const ORDER_COLUMNS = 'orderNumber=order, status, facts.printed=printed, facts.liveParcels=parcels, facts.paidCents=paid, totalCents';
const ARTWORK_COLUMNS = 'artworkFilename=artwork, artworkReceived=arrived, inspection.state=picture, inspection.effectiveDpi=dpi';

const attention = 'code, since, message';
const parcels = 'parcelId, trackingNumber, carrier, lines=holds, shippedAt, voidedAt';
const payments = 'paymentId, amountCents, receivedAt, reference, reversedAt';

const MILESTONES: Readonly<Record<MilestoneType, { name: string } & Omit<ApiCommand, 'call'>>> = {
  production_started: { name: 'start', description: 'record that production has started' },
  printed: { name: 'printed', description: 'record that the order is printed; the client can no longer cancel it' },
  held: { name: 'hold', description: 'put the order on hold', without: ['line'] },
  released: { name: 'release', description: 'release the order from hold' },
  artwork_rejected: {
    name: 'reject-artwork',
    description: 'reject the artwork of a line and ask the client for other artwork',
    without: [],
    required: ['line', 'reason'],
    examples: ['milestone reject-artwork P-10001 --line 1 --reason "the picture is cut off"'],
  },
  completed: { name: 'complete', description: 'record that the order is completed' },
  cancelled: {
    name: 'cancel',
    description: 'cancel the order permanently',
    confirmQuestion: 'Cancel the order permanently? This voids its invoice and cannot be undone.',
  },
};

const MILESTONE_COMMANDS = Object.entries(MILESTONES).map(([type, { name, ...rest }]): [string, ApiCommand] => [
  `milestone ${name}`,
  {
    call: 'POST /orders/:order/milestones',
    without: ['line', 'reason'],
    fixedFields: { type },
    columns: ORDER_COLUMNS,
    lists: { attention },
    ...rest,
  },
]);

export const ORDER_COMMANDS: Readonly<Record<string, ApiCommand>> = {
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
      'orderNumber=order, orderId=id, status, environment, accountName=account, totalCents, promisedReadyDate=promised, rushTier=rush, whiteLabel, job.shippingMethod=ships by, job.shippingAddress=ships to, job.specialInstructions=instructions, remakeOf.orderNumber=remake of, remakeOf.reason=remake reason, invoice.invoiceNumber=invoice, invoice.state=invoice state, invoice.dueAt=due, facts.paidCents=paid, cancellable.blockers=cancel blockers, createdAt=placed, erasedAt, workflowUrl=workflow',
    lists: {
      attention,
      'job.lines': `#=line, productName=product, quantity, selections, ${ARTWORK_COLUMNS}, externalReference=reference`,
      remakes: 'orderNumber=remake, status, lines, reason',
      parcels,
      payments,
      events: 'createdAt=when, type=event, deliveries.0.id=delivery, deliveries.0.state=state, deliveries.0.attemptCount=attempts',
      timeline: 'occurredAt=when, type, outcome, actor, milestoneId=id, corrects, note, reason',
    },
  },
  'orders actions': {
    call: 'GET /orders/:order',
    description: 'list the actions on an order: whether each is allowed, and the event that the client receives',
    columns: 'orderNumber=order, status',
    lists: { actions: 'type=action, allowed, eventType=client event, reason' },
  },
  'orders job-sheet': { call: 'GET /orders/:order/job-sheet.pdf', examples: ['orders job-sheet P-10001 --out - | lpr'] },
  'orders job-sheets': { call: 'GET /job-sheets.pdf', examples: ['orders job-sheets --orders P-10001,P-10002 --out - | lpr'] },
  'orders packing-slip': {
    call: 'GET /orders/:order/packing-slip.pdf',
    examples: ['orders packing-slip P-10001 --parcel CC-20041'],
  },
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
  'payment record': { call: 'POST /orders/:order/payments', columns: ORDER_COLUMNS, lists: { attention, payments } },
  'payment reverse': { call: 'DELETE /orders/:order/payments/:payment', columns: ORDER_COLUMNS, lists: { attention, payments } },
  'credit-note reverse': {
    call: 'POST /orders/:order/credit-notes/:note/reverse',
    columns: ORDER_COLUMNS,
    lists: { attention },
  },
};
