import { ARTWORK_FITS } from '../../../domain/artwork-fit';
import { ATTENTION_CODES } from '../../../domain/attention';
import { EVENT_TYPES, PING } from '../../../domain/events';
import { RUSH_TIERS } from '../../../domain/limits';
import { MATERIAL_SECTIONS } from '../../../domain/materials';
import type { LineQuantity } from '../../../domain/line-quantities';
import { ACTION_TYPES, type OrderAction } from '../../../domain/order-actions';
import { BASE_STATUSES, ORDER_STATUSES } from '../../../domain/order-status';
import { SEND_STATES } from '../../../domain/sends';
import { STAGES, type StageLines } from '../../../domain/stages';
import type { LineReference, OrderChange } from '../../../domain/pricing/order-change';
import { DELIVERY_STATES } from '../../../domain/webhook-rules';
import type { PresentedLineInspection } from '../../../presenters/uploads';
import type { presentOrderEvent } from '../../../presenters/events';
import type { presentAttention, presentParcel, presentTimelineEntry } from '../../../presenters/order-records';
import type { presentStudioOrder, presentStudioOrderRow } from '../../../presenters/studio-orders';
import { ACTIONS_EXAMPLE, ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, DELIVERY_ID, ENDPOINT_ID } from './examples';
import { ADDRESS_EXAMPLE, EVENT_EXAMPLE, INSPECTION_EXAMPLE, LINE_EXAMPLE, ORDER_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import {
  ADDRESS_FIELDS,
  FIT_FIELDS,
  DELIVERY_STATE_DESCRIPTION,
  EVENT_TYPES_SCHEMA,
  INSPECTION_FIELDS,
  orderFields,
  PIECES,
  SHIPMENTS,
} from '../../openapi/resources';
import { INVOICE, PAYMENT } from './invoice-resources';

export type StudioOrderRow = ReturnType<typeof presentStudioOrderRow>;

type StudioOrder = ReturnType<typeof presentStudioOrder>;

export const ATTENTION_FIELDS: json.Fields<ReturnType<typeof presentAttention>> = {
  code: [json.openEnum(ATTENTION_CODES, 'the kind of the problem; docs/studio-api.md lists all'), 'SHIPPED_AFTER_CANCEL'],
  since: [json.time('the time at which the problem was found'), EXAMPLE_TIME],
  message: [json.string('the problem in words'), 'parcel p-1 has left, and the order is cancelled'],
};

export const ATTENTION = json.resource<ReturnType<typeof presentAttention>>('Attention', ATTENTION_FIELDS);

const WHITE_LABEL = json.boolean('whether parcels show no branding of the studio');

const RUSH_TIER = json.openEnum(RUSH_TIERS, 'the production speed');

const REMAKE_LINE = json.object<LineQuantity>({
  line: json.integer('the line of the original order, from 0'),
  quantity: json.integer('the number of remade pieces'),
});

export const STUDIO_ORDER_FIELDS: json.Fields<StudioOrderRow> = {
  ...orderFields(),
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  recipientName: [json.string("the recipient's name in the shipping address"), ADDRESS_EXAMPLE.name],
  baseStatus: [json.openEnum(BASE_STATUSES, 'the status without live parcels'), 'received'],
  whiteLabel: [WHITE_LABEL, true],
  rushTier: [RUSH_TIER, 'standard'],
  dueDate: [
    json.nullable(
      json.date('the promised date, or the end of the standard turnaround; null on orders settled before the service stored it'),
    ),
    '2026-03-16',
  ],
  late: [json.boolean("whether the order is unshipped and due before today on the studio's calendar"), false],
  facts: json.object<StudioOrderRow['facts']>({
    printed: [json.boolean('whether the studio reported all lines as printed'), false],
    liveParcels: [json.integer('the number of parcels whose label is not voided'), 0],
    paidCents: [json.cents('the amount of payments that are not reversed'), 0],
  }),
  stage: [
    json.nullable(json.openEnum(STAGES, 'the last stage that every line has reached; `framed` concerns only lines with a frame')),
    null,
  ],
  stageLines: json.object<StageLines>(
    {
      printed: [json.list(json.integer()), [0]],
      framed: [json.list(json.integer()), []],
      checked: [json.list(json.integer()), []],
      ready: [json.list(json.integer()), []],
    },
    { description: 'the lines that have reached each stage, from 0' },
  ),
  remakeOf: json.nullable(
    json.object<NonNullable<StudioOrderRow['remakeOf']>>(
      {
        orderId: json.id('ord'),
        orderNumber: json.string(),
        remakeId: json.string('the id that the caller sent'),
        reason: json.string('the reason of the remake'),
        lines: json.list(REMAKE_LINE, 'the remade lines'),
      },
      { description: 'the original order, if this order is a remake' },
    ),
  ),
  remakes: [
    json.list(
      json.object<StudioOrderRow['remakes'][number]>({
        orderId: json.id('ord'),
        orderNumber: json.string('the number of the remake, such as `P-10001-R1`'),
        remakeId: json.string('the id that the caller sent'),
        status: json.openEnum(ORDER_STATUSES),
        reason: json.string('the reason of the remake'),
        lines: json.list(REMAKE_LINE, 'the remade lines'),
        shipments: SHIPMENTS,
      }),
      'the remakes of the order, the oldest first',
    ),
    [],
  ],
  invoice: [json.nullable({ ...INVOICE, description: 'null for a remake' }), json.exampleOf(INVOICE) as StudioOrderRow['invoice']],
  attention: [json.list(ATTENTION, 'open attention, the oldest first'), []],
  postcode: [json.string('the postcode of the shipping address'), '3000'],
  hasPreview: [json.boolean('whether `/orders/{id}/lines/0/preview` has a picture'), true],
  webhookEndpoints: json.list(
    json.object<StudioOrderRow['webhookEndpoints'][number]>({
      state: [
        json.openEnum(['enabled', 'disabled'], 'events for a disabled endpoint are held until it is enabled and recovered'),
        'enabled',
      ],
      eventTypes: EVENT_TYPES_SCHEMA,
    }),
    'the endpoints of the account in this environment, the oldest first',
  ),
};

type Job = StudioOrder['job'];

const ADDRESS = json.object<Job['shippingAddress']>(ADDRESS_FIELDS, { optional: ['company', 'line2', 'phone'] });

const LINE_INSPECTION = json.resource<PresentedLineInspection>('LineInspection', {
  ...INSPECTION_FIELDS,
  ...FIT_FIELDS,
  notes: json.list(
    json.string(),
    'what production must know about the file, in words: another type than the client declared, several pages, channels that are not printed',
  ),
});

export const JOB = json.resource<Job>('Job', {
  lines: json.list(
    json.object<Job['lines'][number]>({
      externalReference: [json.nullable(json.string("the client's reference for the line")), LINE_EXAMPLE.externalReference],
      productSlug: [json.string('the slug of the product in the catalogue'), LINE_EXAMPLE.productSlug],
      productName: [json.string('the name of the product at pricing'), LINE_EXAMPLE.productName],
      quantity: [json.integer('the number of pieces'), LINE_EXAMPLE.quantity],
      selections: [
        json.mapOf(json.string(), 'the selections that the product knows, as sent'),
        { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' },
      ],
      words: [
        json.list(
          json.object<Job['lines'][number]['words'][number]>({
            label: json.string('the name of the property, such as `Size`'),
            value: json.string('its value in words'),
          }),
          'the selections as on the job sheet: sizes in words, materials by name',
        ),
        [
          { label: 'Size', value: '300 mm wide × 400 mm high, portrait' },
          { label: 'Printed on', value: 'Cotton rag 310' },
        ],
      ],
      outOfStock: [
        json.list(
          json.object<Job['lines'][number]['outOfStock'][number]>({
            section: json.openEnum(MATERIAL_SECTIONS, 'the section of the catalogue'),
            id: json.string('the id of the material'),
            name: json.string('its name'),
            until: json.date('the last day without stock'),
          }),
          'materials that the line still needs and that are out of stock today',
        ),
        [],
      ],
      artworkUrl: [
        json.nullable(json.uri('a signed URL that expires')),
        'https://files.example/artwork/acc_0f3a51d2/upl_6b1d.jpg?expires=1772413323&signature=9f',
      ],
      uploadId: [json.nullable(json.string('the upload with the artwork')), 'upl_6b1d'],
      artworkFilename: [json.nullable(json.string("the name of the client's file")), 'dunes.jpg'],
      artworkContentType: [json.nullable(json.string('the media type that the client sent')), 'image/jpeg'],
      artworkReceived: [json.nullable(json.boolean('whether the file has arrived; null if the store did not answer')), true],
      hasFrame: [json.boolean('whether the line has a frame'), true],
      stages: [json.list(json.openEnum(STAGES), 'the stages that the line has reached'), ['printed']],
      inspection: [
        json.nullable({ ...LINE_INSPECTION, description: 'the result of the inspection; null until the artwork is inspected' }),
        { ...INSPECTION_EXAMPLE, effectiveDpi: 304, shapeDifferencePercent: 0, warnings: [], notes: [] },
      ],
      placement: [
        json.nullable(
          json.object<NonNullable<Job['lines'][number]['placement']>>(
            {
              fit: json.nullable(json.openEnum(ARTWORK_FITS, 'the choice for a picture of another shape; null without one')),
              widthMm: json.integer('the printed width, in mm'),
              heightMm: json.integer('the printed height, in mm'),
              isTurned: json.boolean('whether the picture is turned by 90°'),
            },
            { description: 'how the picture is printed; null if its pixels or the size are unknown' },
          ),
        ),
        { fit: null, widthMm: 300, heightMm: 400, isTurned: false },
      ],
    }),
  ),
  remake: json.nullable(json.string('the original order and the reason; null if this order is not a remake')),
  shippingAddress: [ADDRESS, ADDRESS_EXAMPLE],
  specialInstructions: json.nullable(json.string("the client's instructions, printed on the job sheet")),
  whiteLabel: [WHITE_LABEL, true],
  rushTier: [RUSH_TIER, 'standard'],
  promisedReadyDate: json.nullable(json.date('the promised day; null if the rush tier promises none')),
  shippingMethod: [json.nullable(json.string('the id of the method')), 'standard-parcel'],
  shippingMethodName: [json.nullable(json.string('the name of the method')), 'Standard parcel'],
  isCollection: [json.boolean('whether the customer collects the order at the studio, so it needs no parcel'), false],
});

const CHANGE = json.resource<OrderChange>(
  'OrderChange',
  {
    shippingAddress: ADDRESS,
    lines: json.list(
      json.object<LineReference>({
        line: json.integer("the index in the order's `lines`, from 0"),
        externalReference: json.nullable(json.string("the client's reference for the line")),
      }),
    ),
    specialInstructions: json.nullable(json.string("the client's instructions, printed on the job sheet")),
    reference: json.nullable(json.string("the client's reference for the order")),
  },
  { optional: ['shippingAddress', 'lines', 'specialInstructions', 'reference'] },
);

type Carried = ReturnType<typeof presentTimelineEntry>['carried'];

const CARRIED_FIELDS = {
  parcelId: json.string(),
  trackingNumber: json.string(),
  carrier: json.string(),
  trackingUrl: json.string(),
  shippedAt: json.time(),
  lines: PIECES,
  paymentId: json.string(),
  amountCents: json.cents('the amount of the payment or credit note'),
  receivedAt: json.time('the time at which the bank received the payment'),
  reference: json.string('the reference of the payment'),
  creditNoteId: json.string(),
  line: json.integer('the line of rejected or fitted artwork, from 0'),
  fit: json.openEnum(ARTWORK_FITS, 'how the picture of the line fits its size'),
  signedBy: json.string('the name of the person who collected the order'),
} satisfies Record<keyof Carried, unknown>;

const TIMELINE_ENTRY = json.resource<StudioOrder['timeline'][number]>('TimelineEntry', {
  milestoneId: [
    json.string("the sender's id of a milestone, or the service's id of another message, such as `parcel:p-1`"),
    'press-7/1041',
  ],
  type: [json.string('the type of the message, such as `printed`, `parcel_added` or `changed`'), 'production_started'],
  outcome: [json.openEnum(['applied', 'refused'], 'a refused message changed nothing'), 'applied'],
  reason: json.nullable(json.string('the reason of the refusal, or the reason in the message; why a mail was not sent')),
  note: json.nullable(json.string('the note of the sender')),
  corrects: json.nullable(json.string('the milestoneId that this correction took back')),
  carried: json.object<Carried>(CARRIED_FIELDS, {
    description: 'the fields of a parcel, payment or credit note, the line of rejected or fitted artwork, and who collected the order',
    optional: Object.keys(CARRIED_FIELDS) as (keyof Carried)[],
  }),
  lines: json.nullable(json.list(json.integer(), 'the lines of a `printed`, `framed`, `checked` or `ready`, from 0; null for all lines')),
  actor: [json.string('the name of the token or system that sent the message; `account` for the client'), 'press-7'],
  occurredAt: [json.time('the time that the sender gave; the default is `recordedAt`'), EXAMPLE_TIME],
  recordedAt: [json.time('the time at which the service recorded the message'), EXAMPLE_TIME],
  correctable: [json.boolean('whether a correction would take back this milestone now; the service checks again on the request'), true],
  undoableUntil: [
    json.nullable(json.time('until when the token of this request can take back this milestone with the role `floor`; null if it cannot')),
    '2026-03-02T01:06:00.000Z',
  ],
  change: json.nullable(
    json.object<NonNullable<StudioOrder['timeline'][number]['change']>>(
      { before: CHANGE, after: CHANGE },
      { description: 'the values of a change; null for other entries' },
    ),
  ),
  sendState: json.nullable(json.openEnum(SEND_STATES, 'the state of a mail with a document; null for other entries')),
});

const PARCEL = json.resource<ReturnType<typeof presentParcel>>('Parcel', {
  parcelId: json.string('the id that the caller sent, or the tracking number'),
  trackingNumber: json.string(),
  carrier: json.nullable(json.string()),
  trackingUrl: json.nullable(json.string('the URL of the tracking page')),
  shippedAt: json.nullable(json.time()),
  deliveredAt: json.nullable(json.time('the time of delivery; null until it is known')),
  voidedAt: json.nullable(json.time('the time at which the label was voided')),
  lines: json.nullable(PIECES),
});

type OrderEvent = ReturnType<typeof presentOrderEvent>;

const ORDER_EVENT = json.resource<OrderEvent>('OrderEventInShort', {
  id: [json.id('evt'), EVENT_EXAMPLE.id],
  type: [json.string('the event type, such as `order.shipped`'), EVENT_EXAMPLE.type],
  sequence: [json.integer('counts the events of the order, from 1'), 3],
  createdAt: [json.time(), EXAMPLE_TIME],
  deliveries: json.list(
    json.object<OrderEvent['deliveries'][number]>({
      id: [json.id('dlv'), DELIVERY_ID],
      endpointId: [json.id('whe'), ENDPOINT_ID],
      state: [json.openEnum(DELIVERY_STATES, DELIVERY_STATE_DESCRIPTION), 'failed'],
      attemptCount: [json.integer('the attempts of the current chain'), 7],
      nextAttemptAt: json.nullable(json.time('null if no attempt is planned')),
      completedAt: [json.nullable(json.time('the time of the success or of the last failure')), EXAMPLE_TIME],
    }),
    'one delivery for each endpoint at that time',
  ),
});

const ACTION = json.resource<OrderAction>('OrderAction', {
  type: json.openEnum(ACTION_TYPES, 'the action: a milestone, a change of parcels or money, a correction (`corrected`) or a remake'),
  allowed: json.boolean('whether the order allows it now; the service checks again on the request'),
  reason: json.nullable(json.string('why it is not allowed, or that it would change nothing')),
  eventType: json.nullable(
    json.openEnum(
      EVENT_TYPES.filter((type) => type !== PING),
      'the event that the client would receive; null for none',
    ),
  ),
});

export const STUDIO_ORDER = json.resource<StudioOrder>('StudioOrder', {
  ...STUDIO_ORDER_FIELDS,
  job: { ...JOB, description: 'the order as the job sheet shows it' },
  timeline: json.list(TIMELINE_ENTRY, 'in order of recording, the oldest first'),
  parcels: [json.list(PARCEL, 'all parcels, voided ones included'), []],
  payments: [json.list(PAYMENT, 'all payments, reversed ones included'), []],
  events: json.list(ORDER_EVENT, 'the latest fifty events, the newest first'),
  actions: [json.list(ACTION, 'the possible actions with their results'), ACTIONS_EXAMPLE],
  erasedAt: json.nullable(json.time("the time at which the customer's data was erased")),
  workflowUrl: [
    json.uri('the workflow in the Temporal Web UI'),
    `http://127.0.0.1:8233/namespaces/default/workflows/order%2F${ORDER_EXAMPLE.orderId}`,
  ],
});
