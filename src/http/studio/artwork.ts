import { findLineArtwork, type LineArtworkRow } from '../../db/repositories/order-artwork';
import { ApiError } from '../../domain/errors';
import { formatLine } from '../../domain/line-quantities';
import { BASE_STATUSES, ORDER_STATUSES } from '../../domain/order-status';
import {
  ARTWORK_FILE_STATES,
  artworkFileName,
  type OrderWithArtwork,
  presentOrderArtwork,
  stateOfFile,
} from '../../presenters/artwork-files';
import { SERVED_CONTENT_TYPE } from '../../storage/types';
import * as json from '../openapi/json';
import { ORDER_EXAMPLE } from '../openapi/examples';
import { pathLine } from '../path-id';
import { patternField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { writeZip, type ZipEntry } from '../zip';
import { listOrdersBy, ORDER_FILTERS } from './orders';
import { ACCOUNT_NAME } from './support/examples';
import { defineList } from './support/lists';
import { loadStudioOrder } from './support/order-view';
import { ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

type OrderArtwork = ReturnType<typeof presentOrderArtwork>;

const ORDER_NUMBER = String.raw`[PT]-\d{1,15}(-R\d{1,3})?`;
const ARTWORK_FILTERS = {
  ...ORDER_FILTERS,
  orderNumbers: patternField(
    new RegExp(`^${ORDER_NUMBER}(,${ORDER_NUMBER}){0,49}$`),
    'at most 50 order numbers with commas between them, such as P-10041,P-10042',
  ).description('only these orders: at most 50 numbers with commas between them, such as `P-10041,P-10042`'),
} as const;

const ORDER_ARTWORK = json.resource<OrderArtwork>('OrderArtwork', {
  orderId: [json.id('ord'), ORDER_EXAMPLE.orderId],
  orderNumber: [json.string('the number of the order'), ORDER_EXAMPLE.orderNumber],
  environment: [ENVIRONMENT, 'live'],
  accountName: [json.string(), ACCOUNT_NAME],
  status: [json.openEnum(ORDER_STATUSES), 'in_production'],
  baseStatus: [json.openEnum(BASE_STATUSES, 'the status without live parcels'), 'in_production'],
  printed: [json.boolean('whether the studio reported the order as printed'), false],
  dueDate: [json.nullable(json.date('the promised date, or the end of the standard turnaround')), '2026-03-16'],
  files: json.list(
    json.object<OrderArtwork['files'][number]>({
      line: [json.integer('the line, from 0'), 0],
      name: [
        json.string('the name for the printer: order number, line, printed size in millimeters, material and number of pieces'),
        'P-10041_1_300x400_cotton-rag-310_x2.tif',
      ],
      filename: [json.string("the name of the client's file"), 'dunes.tif'],
      sizeBytes: [json.integer('the size of the file'), 48_211_004],
      checksum: [
        json.nullable(json.string('`sha256:` or `etag:` and the value that the order recorded; null until the file has arrived')),
        'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      ],
      state: [
        json.openEnum(ARTWORK_FILE_STATES, '`rejected` and `unreadable` artwork waits for the client, `missing` artwork has not arrived'),
        'ready',
      ],
      printed: [json.boolean('whether the line is printed'), false],
    }),
    'a file for each line with artwork',
  ),
});

const DOWNLOAD_HEADERS = { 'Content-Disposition': json.string('an attachment with the name for the printer') };

export const ARTWORK_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/orders/artwork',
    role: 'floor',
    filters: ARTWORK_FILTERS,
    id: 'listArtwork',
    summary: 'List the artwork files of orders',
    description: 'The same orders as `GET /orders`, with the artwork of their lines and its name for the printer.',
    entry: ORDER_ARTWORK,
    list: async (request) => {
      const orders = await listOrdersBy(request);
      return {
        cursorOf: orders.cursorOf,
        find: async (filters, page): Promise<OrderWithArtwork[]> => {
          const found = await orders.find(filters, page);
          const files = await findLineArtwork(
            request.deps.database,
            found.map(({ id }) => id),
          );
          return found.map((order) => ({ ...order, artwork: files.filter(({ order_id: id }) => id === order.id) }));
        },
        present: presentOrderArtwork,
      };
    },
  }),
  {
    method: 'GET',
    path: '/orders/:id/artwork.zip',
    role: 'floor',
    id: 'downloadOrderArtwork',
    summary: 'Download the artwork of an order as ZIP',
    description:
      'The file has the artwork of all lines that has arrived, with the names for the printer. Rejected and unreadable artwork is left out. A text file names the lines without artwork. Without any artwork the response is 404. If a file cannot be read completely, the connection breaks.',
    response: json.FILE,
    mediaType: 'application/zip',
    responseHeaders: { 'Content-Disposition': json.string('an attachment with the order number in its name') },
    handler: getOrderArtwork,
  },
  {
    method: 'GET',
    path: '/orders/:id/lines/:n/artwork',
    role: 'floor',
    id: 'downloadLineArtwork',
    summary: 'Download the artwork of a line',
    description:
      'The file is what the client uploaded, with the size and checksum that the order recorded. Without it, or if the store has another file, the response is 404 with the reason.',
    response: json.FILE,
    mediaType: SERVED_CONTENT_TYPE,
    responseHeaders: DOWNLOAD_HEADERS,
    handler: getLineArtwork,
  },
];

async function getOrderArtwork(request: StudioRequest): Promise<HandlerResponse> {
  const { orderNumber, artwork, issues } = await loadArtwork(request);
  const reasons = await Promise.all(
    artwork.map(async (file) => UNUSABLE[stateOfFile(file, issues)] ?? (await missingFileReason(request, file))),
  );
  const stored = artwork.filter((_, at) => reasons[at] === null);
  const leftOut = artwork.flatMap(({ line }, at) => (reasons[at] === null ? [] : [`${formatLine(line)}: ${reasons[at]}\r\n`]));
  if (stored.length === 0) throw new ApiError('NOT_FOUND', `No artwork of ${orderNumber} can be downloaded.`);
  const modifiedAt = request.deps.clock.now();
  const entries: ZipEntry[] = stored.map((file) => ({ name: artworkFileName(file), modifiedAt, open: () => openFile(request, file) }));
  if (leftOut.length > 0) entries.push({ name: `${orderNumber}_left-out.txt`, modifiedAt, open: async () => bytesOf(leftOut.join('')) });
  return {
    file: { contentType: 'application/zip', bytes: writeZip(entries) },
    headers: { 'Content-Disposition': `attachment; filename="artwork-${orderNumber}.zip"` },
  };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function getLineArtwork(request: StudioRequest): Promise<HandlerResponse> {
  const { artwork, lines } = await loadArtwork(request);
  const line = pathLine(request.params['n'], lines);
  const file = artwork.find((each) => each.line === line);
  const reason = file === undefined ? 'it has none' : await missingFileReason(request, file);
  if (file === undefined || reason !== null) throw new ApiError('NOT_FOUND', `There is no artwork of ${formatLine(line)}: ${reason}.`);
  return {
    file: { contentType: SERVED_CONTENT_TYPE, bytes: await openFile(request, file) },
    headers: { 'Content-Disposition': `attachment; filename="${artworkFileName(file)}"`, 'Content-Length': String(file.size_bytes) },
  };
}

/** The artwork of the order in the path. @throws ApiError NOT_FOUND */
async function loadArtwork(request: StudioRequest) {
  const { database } = request.deps;
  const { id, order_number: orderNumber, jobs, issues } = await loadStudioOrder(database, request);
  return { orderNumber, issues, lines: jobs.length, artwork: await findLineArtwork(database, [id]) };
}

/** Artwork that must not be printed. A line's own download has it, because people look at it. */
const UNUSABLE: Partial<Record<string, string>> = {
  rejected: 'its artwork is rejected and waits for other artwork',
  unreadable: 'its artwork is unreadable and waits for other artwork',
};

/** The reason why the store does not have the file that the order recorded; null if it has. */
async function missingFileReason({ deps }: StudioRequest, { storage_key: key, ...file }: LineArtworkRow): Promise<string | null> {
  if (!file.has_arrived) return 'the file has not arrived';
  const stat = await deps.storage.stat(key, file.checksum);
  if (stat === null) return 'the artwork store no longer has it';
  const isRecorded = stat.sizeBytes === file.size_bytes && (file.checksum === null || stat.checksum === file.checksum);
  return isRecorded ? null : 'the artwork store has another file than the order recorded';
}

const openFile = ({ deps }: StudioRequest, { storage_key: key, checksum }: LineArtworkRow) => deps.storage.openRead(key, checksum);
