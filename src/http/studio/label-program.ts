import { lastUsedStage } from '../../domain/stages';
import Joi from 'joi';
import { listPackedOrders } from '../../db/repositories/packed-orders';
import { methodNameOf } from '../../db/repositories/price-book-reader';
import { readSetting } from '../../db/repositories/settings';
import { validationError } from '../../domain/errors';
import {
  DEFAULT_LABEL_PROGRAM,
  LABEL_PROGRAM_LIMITS,
  type LabelProgram,
  type OrderColumn,
  PACKED_ORDER_VALUES,
  repeatedHeading,
  type TrackingColumns,
} from '../../domain/label-program';
import { TRACKING_FILE_LIMITS } from '../../domain/tracking-file';
import { packedOrderColumns, packedRows } from '../../presenters/packed-orders';
import * as json from '../openapi/json';
import { type BodyOf, bodySchema, booleanField, checkedField, nullable, oneOfField, optional, singleLineTextField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { replaceSetting } from './support/audited';
import { bookInForce, studioTimeZone } from './support/book-in-force';
import { CSV_RESPONSE, respondWithCsv } from './support/lists';
import { environmentField } from './support/query-filters';
import { importTrackingFile, ROW_CODES, ROW_OUTCOMES, type ImportedRow, type TrackingImport } from './support/tracking-import';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const headingField = singleLineTextField(1, LABEL_PROGRAM_LIMITS.heading);

const VALUE =
  'the value of the order in the column; `empty` leaves it empty, and a value that begins with `item` makes a row for each line';

const HEADINGS: Readonly<Record<keyof TrackingColumns, string>> = {
  orderNumber: 'the heading of the order number',
  trackingNumber: 'the heading of the tracking number',
  carrier: 'the heading of the carrier; null if the file has none',
  service: 'the heading of the service of the carrier; null if the file has none',
  trackingUrl: 'the heading of the URL of the tracking page; null if the file has none',
  shippedAt: 'the heading of the day or time of shipping; null if the file has none',
  deliveredAt: 'the heading of the day or time of delivery; null if the file has none',
};
const optionalHeading = (name: keyof TrackingColumns) => nullable(headingField.description(HEADINGS[name]));

const orderColumnField = bodySchema({
  heading: headingField.description('the heading of the column'),
  value: oneOfField(PACKED_ORDER_VALUES).description(VALUE),
});

export const labelProgramRequest = bodySchema({
  orderColumns: Joi.array<OrderColumn[]>()
    .items(orderColumnField)
    .min(1)
    .max(LABEL_PROGRAM_LIMITS.columns)
    .description('the columns of the file of packed orders, in their order'),
  trackingColumns: bodySchema({
    orderNumber: headingField.description(HEADINGS.orderNumber),
    trackingNumber: headingField.description(HEADINGS.trackingNumber),
    carrier: optionalHeading('carrier'),
    service: optionalHeading('service'),
    trackingUrl: optionalHeading('trackingUrl'),
    shippedAt: optionalHeading('shippedAt'),
    deliveredAt: optionalHeading('deliveredAt'),
  }).description('the headings of the file of tracking numbers; case, spaces and signs do not matter'),
});

const LABEL_PROGRAM = json.resource<LabelProgram>('LabelProgram', {
  orderColumns: [
    json.list(
      json.object<OrderColumn>({ heading: json.string('the heading of the column'), value: json.openEnum(PACKED_ORDER_VALUES, VALUE) }),
      'the columns of the file of packed orders',
    ),
    DEFAULT_LABEL_PROGRAM.orderColumns,
  ],
  trackingColumns: [
    json.object<TrackingColumns>(
      {
        orderNumber: json.string(HEADINGS.orderNumber),
        trackingNumber: json.string(HEADINGS.trackingNumber),
        carrier: json.nullable(json.string(HEADINGS.carrier)),
        service: json.nullable(json.string(HEADINGS.service)),
        trackingUrl: json.nullable(json.string(HEADINGS.trackingUrl)),
        shippedAt: json.nullable(json.string(HEADINGS.shippedAt)),
        deliveredAt: json.nullable(json.string(HEADINGS.deliveredAt)),
      },
      { description: 'the headings of the file of tracking numbers' },
    ),
    DEFAULT_LABEL_PROGRAM.trackingColumns,
  ],
});

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const MAX_BASE64_LENGTH = Math.ceil(TRACKING_FILE_LIMITS.bytes / 3) * 4;

export const trackingFileRequest = bodySchema({
  file: checkedField({ kind: 'like', pattern: BASE64.source }, fileIssue).description('the CSV file, in Base64'),
  dryRun: optional(booleanField()).description('true to list what would happen without recording it'),
});

function fileIssue(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || !BASE64.test(value) || value.length % 4 !== 0) return 'must be a CSV file in Base64';
  return value.length > MAX_BASE64_LENGTH ? `must be a file of at most ${TRACKING_FILE_LIMITS.bytes} bytes` : null;
}

const IMPORT = json.resource<TrackingImport>('TrackingImport', {
  dryRun: [json.boolean('true if nothing was recorded'), true],
  added: [json.integer('the number of parcels that are added'), 1],
  delivered: [json.integer('the number of parcels whose delivery is recorded'), 0],
  unchanged: [json.integer('the number of rows that were recorded before'), 0],
  refused: [json.integer('the number of rows with an error'), 0],
  failed: [json.integer('the number of rows that the service could not record; send the file again'), 0],
  rows: [
    json.list(
      json.object<ImportedRow>(
        {
          row: json.integer('the row of the file; the headings are row 1'),
          orderNumber: json.string('the number of the order; the text of the file if it is none'),
          trackingNumber: json.string(),
          carrier: json.nullable(json.string()),
          deliveredAt: json.nullable(json.time()),
          outcome: json.openEnum(ROW_OUTCOMES, 'what happens or, in a dry run, would happen'),
          error: json.object<NonNullable<ImportedRow['error']>>(
            { code: json.openEnum(ROW_CODES, 'the code of the refusal'), message: json.string('the reason in words') },
            { description: 'why the row was refused or failed' },
          ),
        },
        { optional: ['error'] },
      ),
      'the rows with data, in their order',
    ),
    [{ row: 2, orderNumber: 'P-10001', trackingNumber: 'AP123456789AU', carrier: 'Australia Post', deliveredAt: null, outcome: 'added' }],
  ],
});

const PACKED_FILTERS = { environment: environmentField } as const;

export const LABEL_PROGRAM_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/label-program',
    role: 'floor',
    id: 'getLabelProgram',
    summary: 'Retrieve the columns of the label program’s files',
    response: LABEL_PROGRAM,
    handler: async ({ deps }) => ({ data: await readSetting(deps.database, 'labelProgram') }),
  },
  {
    method: 'PUT',
    path: '/label-program',
    role: 'admin',
    body: labelProgramRequest,
    id: 'changeLabelProgram',
    summary: 'Change the columns of the label program’s files',
    response: LABEL_PROGRAM,
    requestExample: DEFAULT_LABEL_PROGRAM,
    handler: putLabelProgram,
  },
  {
    method: 'GET',
    path: '/packed-orders.csv',
    role: 'floor',
    query: PACKED_FILTERS,
    ...CSV_RESPONSE,
    id: 'exportPackedOrders',
    summary: 'Export packed orders for a label program',
    description:
      "Exports the orders in production that are printed and have no parcel, the oldest first. Orders to collect are left out. The settings of the label program decide the columns. Values are written as they are, except that a formula begins with `'`.",
    handler: getPackedOrders,
  },
  {
    method: 'POST',
    path: '/tracking-files',
    role: 'floor',
    body: trackingFileRequest,
    id: 'importTrackingFile',
    summary: 'Import tracking numbers of a label program',
    description: `Adds a parcel for each order and tracking number, and records deliveries. A dry run lists what would happen. Each row succeeds or fails alone. Repeating the file is safe: it adds no second parcel. A file has at most ${TRACKING_FILE_LIMITS.rows} rows and ${TRACKING_FILE_LIMITS.bytes} bytes. It can be UTF-8 or UTF-16, with commas, semicolons or tabs. Ten orders count as one request.`,
    response: IMPORT,
    requestExample: {
      file: Buffer.from('Order Number,Tracking Number,Carrier\nP-10001,AP123456789AU,Australia Post\n').toString('base64'),
      dryRun: true,
    },
    handler: (request: StudioRequest<BodyOf<typeof trackingFileRequest>>) => postTrackingFile(request),
  },
];

async function putLabelProgram(request: StudioRequest<BodyOf<typeof labelProgramRequest>>): Promise<HandlerResponse> {
  const program = request.body;
  const repeated = repeatedHeading(program.trackingColumns);
  if (repeated !== null)
    throw validationError([{ path: `trackingColumns.${repeated}`, message: 'must not be the heading of another column' }]);
  return replaceSetting(request, 'labelProgram', program, { action: 'label-program.change', present: (columns) => columns });
}

async function getPackedOrders(request: StudioRequest): Promise<HandlerResponse> {
  const { deps } = request;
  const [book, program, stages, timeZone] = await Promise.all([
    bookInForce(request),
    readSetting(deps.database, 'labelProgram'),
    readSetting(deps.database, 'stages'),
    studioTimeZone(request),
  ]);
  const list = {
    name: 'packed-orders',
    find: ({ environment = 'live' }: { environment?: 'live' | 'test' | undefined }, page: Parameters<typeof listPackedOrders>[2]) =>
      listPackedOrders(deps.database, { environment, lastStage: lastUsedStage(stages) }, page),
    cursorOf: ({ created_at: createdAt, id }: { created_at: Date; id: string }) => ({ createdAt, id }),
    present: (order: Parameters<typeof packedRows>[0]) => packedRows(order, methodNameOf(book, order), program),
  };
  return respondWithCsv(request, PACKED_FILTERS, list, packedOrderColumns(program, timeZone));
}

async function postTrackingFile(request: StudioRequest<BodyOf<typeof trackingFileRequest>>): Promise<HandlerResponse> {
  const { file, dryRun = false } = request.body;
  return { data: await importTrackingFile(request, Buffer.from(file, 'base64'), dryRun) };
}
