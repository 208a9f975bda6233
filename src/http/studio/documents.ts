import { findMaterials, findMaterialsOfOrder } from '../../db/repositories/invoice-documents';
import { methodNameOf } from '../../db/repositories/price-book-reader';
import { findCurrentSeller } from '../../db/repositories/sellers';
import { findStudioRecords, type InspectedArtwork, type StudioRecords } from '../../db/repositories/studio-orders';
import { createCuttingListContent, CUTTING_LIST_CSV, groupCuts, type CutOrder } from '../../documents/cutting-list';
import type { NameLookup } from '../../documents/line-facts';
import { loadCreditNote } from '../../orders/documents';
import { countPrintableOrders, createJobSheetsContent, MAX_PRINTED_LINES } from '../../documents/job-sheet';
import { MAX_PRINTED_LETTERS } from '../../documents/printed-letters';
import { createPackingSlipContent } from '../../documents/packing-slip';
import { notFoundError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { EXISTING_PARCEL_ID } from '../../domain/order-messages/parcel-voided';
import { parseCreditNoteReference, parseInvoiceReference, readNumber } from '../../domain/order-number';
import { mapLimited } from '../../runtime/map-limited';
import { singleValue, queryError } from '../cursor';
import { readFilters } from '../filters';
import { csvHead, csvRows } from '../../presenters/csv';
import { requireFound, pathId } from '../path-id';
import { respondWithDocument, respondWithInvoicePdf, PDF_RESPONSE, respondWithPdf } from '../pdf';
import { patternField, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { STATEMENT_FILTERS, loadPrintableStatement } from './statement';
import { chargeBatch, loadBatchOrders } from './support/batches';
import { bookInForce, studioTimeZone, studioToday } from './support/book-in-force';
import { CSV_RESPONSE, csvResponse } from './support/lists';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** An id or a typed number, which can have spaces and any hyphen. */
const ORDER_NAME = `[^,\\u0000-\\u001f]{1,${LIMITS.identifierLength}}`;
const ORDERS_QUERY = {
  orders: patternField(
    new RegExp(`^${ORDER_NAME}(,${ORDER_NAME}){0,${LIMITS.ordersPerBatch - 1}}$`),
    `1 to ${LIMITS.ordersPerBatch} ids or numbers of orders, separated by commas`,
  )
    .required()
    .description('the orders, all of one environment: ids or numbers, separated by commas'),
} as const;

const JOB_SHEETS_PATH = '/job-sheets.pdf';
const CUTTING_LIST = {
  role: 'floor',
  query: ORDERS_QUERY,
  description:
    'The list has the sizes of glass, boards, mats, mouldings, bars, risers and paper, by material. It leaves out cancelled and completed orders, the paper of printed lines, framed lines, and pieces in parcels. `docs/cutting.md` explains it. Ten orders count as one request.',
} as const;

export const DOCUMENTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/orders/:id/job-sheet.pdf',
    role: 'floor',
    ...PDF_RESPONSE,
    id: 'printJobSheet',
    summary: 'Download the job sheet as PDF',
    description: 'The sheet lists the items to make, with names in place of ids, and the order number as a Code 128 barcode.',
    handler: getJobSheet,
  },
  {
    method: 'GET',
    path: JOB_SHEETS_PATH,
    role: 'floor',
    query: ORDERS_QUERY,
    ...PDF_RESPONSE,
    id: 'printJobSheets',
    summary: 'Download the job sheets of many orders as one PDF',
    description:
      'The sheets are in the order of `orders`, each on new pages. Live and test orders need separate documents. Ten orders count as one request.',
    handler: queueJobSheets,
  },
  {
    method: 'GET',
    path: '/cutting-list.pdf',
    ...CUTTING_LIST,
    ...PDF_RESPONSE,
    id: 'printCuttingList',
    summary: 'Download the cutting list of orders as PDF',
    description: `${CUTTING_LIST.description} Each row has the order number as a Code 128 barcode.`,
    handler: (request) => request.deps.slowRequestQueue.run(request.caller.tokenId, () => getCuttingListPdf(request)),
  },
  {
    method: 'GET',
    path: '/cutting-list.csv',
    ...CUTTING_LIST,
    ...CSV_RESPONSE,
    description: CUTTING_LIST.description,
    id: 'exportCuttingList',
    summary: 'Export the cutting list of orders as CSV',
    handler: getCuttingListCsv,
  },
  {
    method: 'GET',
    path: '/orders/:id/packing-slip.pdf',
    role: 'floor',
    query: { parcelId: textField(1, 100).description('the parcel to list; the default is the whole order') },
    ...PDF_RESPONSE,
    id: 'printPackingSlip',
    summary: 'Download the packing slip as PDF',
    description:
      'The slip lists one parcel or the whole order. If the contents of one of several parcels are unknown, it lists the pieces of all and says so. On a white-label order it shows the account as the sender and does not mention the studio.',
    handler: getPackingSlip,
  },
  {
    method: 'GET',
    path: '/invoices/:id.pdf',
    role: 'office',
    ...PDF_RESPONSE,
    id: 'printInvoice',
    summary: 'Download the tax invoice as PDF',
    description:
      'The invoice shows the name, ABN and bank account that the studio had on the day of issue. For a test order it is not a tax invoice and asks for no money.',
    handler: (request) => respondWithInvoicePdf(request, parseInvoiceReference(request.params.id ?? '')),
  },
  {
    method: 'GET',
    path: '/credit-notes/:id.pdf',
    role: 'office',
    ...PDF_RESPONSE,
    id: 'printCreditNote',
    summary: 'Download a credit note as PDF',
    handler: getCreditNotePdf,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement.pdf',
    role: 'office',
    query: STATEMENT_FILTERS,
    ...PDF_RESPONSE,
    id: 'printStatement',
    summary: 'Download a statement as PDF',
    description:
      'Covers the same days as the statement. The PDF holds at most 3,000 entries or 400,000 characters. A character outside Latin, Greek and Cyrillic counts ten times. Otherwise the response is VALIDATION_ERROR with the days that fit.',
    handler: getStatementPdf,
  },
];

async function getJobSheet(request: StudioRequest): Promise<HandlerResponse> {
  const records = await loadRecords(request);
  return respondWithJobSheets(request, `job-sheet-${records.order.order_number}`, [records]);
}

/** One token renders one batch at a time, so it cannot fill the renderer's queue. */
function queueJobSheets(request: StudioRequest): Promise<HandlerResponse> {
  return request.deps.slowRequestQueue.run(request.caller.tokenId, () => getJobSheets(request));
}

async function getJobSheets(request: StudioRequest): Promise<HandlerResponse> {
  request.deps.pdfRenderer.assertCapacity(); // before the orders and pictures are loaded
  return respondWithJobSheets(request, 'job-sheets', await loadNamedOrders(request, JOB_SHEETS_PATH));
}

async function getCuttingListPdf(request: StudioRequest): Promise<HandlerResponse> {
  request.deps.pdfRenderer.assertCapacity();
  const { orders, nameOf } = await loadCutOrders(request, '/cutting-list.pdf');
  const timeZone = await studioTimeZone(request);
  return respondWithPdf(
    request,
    'cutting-list',
    createCuttingListContent(orders, { nameOf, timeZone, printedAt: request.deps.clock.now() }),
  );
}

async function getCuttingListCsv(request: StudioRequest): Promise<HandlerResponse> {
  const { orders, nameOf } = await loadCutOrders(request, '/cutting-list.csv');
  const rows = groupCuts(orders, nameOf).flatMap((group) => group.rows);
  return csvResponse(`cutting-list-${await studioToday(request)}`, [
    csvHead(CUTTING_LIST_CSV),
    csvRows(CUTTING_LIST_CSV, rows, await studioTimeZone(request)),
  ]);
}

async function loadCutOrders(request: StudioRequest, path: string): Promise<{ orders: CutOrder[]; nameOf: NameLookup }> {
  const orders = (await loadNamedOrders(request, path)).map(({ order }) => order);
  const { nameOf } = await findMaterials(
    request.deps.database,
    orders.flatMap(({ jobs }) => jobs),
  );
  return { orders, nameOf };
}

/** The orders of the query `orders`, in its order. @throws ApiError VALIDATION_ERROR */
async function loadNamedOrders(request: StudioRequest, path: string): Promise<StudioRecords[]> {
  const { orders = '' } = readFilters(request.query, ORDERS_QUERY);
  const names = orders.split(',').map((name) => readNumber('order', name, 'live') ?? name);
  await chargeBatch(request, `GET ${path}`, names.length);
  const found = await loadBatchOrders(request, 'query.orders', names);
  const idByName = new Map(found.flatMap(({ id, order_number: number }) => [[id, id] as const, [number, id] as const]));
  const unknown = names.filter((name) => !idByName.has(name));
  if (unknown.length > 0) throw queryError('orders', `names unknown orders: ${unknown.join(', ')}`);
  const ids = names.map((name) => idByName.get(name) ?? '');
  const repeated = names.filter((_, at) => ids.indexOf(ids[at] ?? '') !== at);
  if (repeated.length > 0) throw queryError('orders', `repeats orders: ${repeated.join(', ')}`);
  const records = await mapLimited(ids, ORDERS_AT_ONCE, async (id) =>
    requireFound(request, 'ord', await findStudioRecords(request.deps.database, { id })),
  );
  const printable = countPrintableOrders(records.map(({ order }) => order));
  if (printable < records.length)
    throw queryError(
      'orders',
      `covers more than one document holds, ${MAX_PRINTED_LINES} lines or ${MAX_PRINTED_LETTERS} characters; orders that fit, from the first: ${printable}`,
    );
  return records;
}

async function respondWithJobSheets(request: StudioRequest, name: string, orders: readonly StudioRecords[]): Promise<HandlerResponse> {
  const book = await bookInForce(request);
  const sheets = orders.map((records) => ({ records, methodName: methodNameOf(book, records.order) }));
  const draft = createJobSheetsContent({
    sheets,
    materials: await findMaterials(
      request.deps.database,
      orders.flatMap(({ order }) => order.jobs),
    ),
    previews: await loadPreviews(
      request,
      orders.flatMap(({ uploads }) =>
        uploads.filter(({ inspection }) => inspection?.state === 'ok').slice(0, previewsPerSheet(orders.length)),
      ),
    ),
    timeZone: await studioTimeZone(request),
    printedAt: request.deps.clock.now(),
    today: await studioToday(request),
  });
  return respondWithPdf(request, name, draft);
}

const ORDERS_AT_ONCE = 8;

/** A job sheet has at most this many pictures. The console shows the others. */
const MAX_PREVIEWS = 60;

/** Several sheets share these pictures, because each takes 60 ms and 4 MB. */
const MAX_SHARED_PREVIEWS = 100;

const previewsPerSheet = (sheets: number): number => Math.min(MAX_PREVIEWS, Math.max(1, Math.floor(MAX_SHARED_PREVIEWS / sheets)));

/** Previews by artwork URL. If the store fails or the artwork is not inspected yet, the sheet has no preview. */
async function loadPreviews({ deps, logger }: StudioRequest, uploads: readonly InspectedArtwork[]): Promise<Map<string, Buffer>> {
  const previews = new Map<string, Buffer>();
  for (const { url, storage_key: key } of uploads) {
    const bytes = await deps.storage.readPreview(key, 'large').catch((error: unknown) => {
      logger.warn({ err: error, key }, 'could not read a preview; the job sheet omits it');
      return null;
    });
    if (bytes !== null) previews.set(url, bytes);
  }
  return previews;
}

async function getPackingSlip(request: StudioRequest): Promise<HandlerResponse> {
  const by = { id: pathId(request, 'ord') };
  const [records, { nameOf }, studio] = await request.deps.database.snapshot((sql) =>
    Promise.all([findStudioRecords(sql, by), findMaterialsOfOrder(sql, by), findCurrentSeller(sql)]),
  );
  const { order, parcels } = requireFound(request, 'ord', records);
  const parcelId = requestedParcelId(request);
  const parcel = parcelId === null ? null : parcels.find(({ id, voided_at }) => id === parcelId && voided_at === null);
  if (parcel === undefined) throw notFoundError('parcel with a valid label on this order');
  const timeZone = await studioTimeZone(request);
  const isOneOfSeveral = parcels.filter(({ voided_at }) => voided_at === null).length > 1;
  const draft = createPackingSlipContent({ order, nameOf, parcel, isOneOfSeveral, studio, timeZone, printedAt: request.deps.clock.now() });
  return respondWithPdf(request, `packing-slip-${order.order_number}`, draft);
}

async function getCreditNotePdf(request: StudioRequest): Promise<HandlerResponse> {
  const reference = parseCreditNoteReference(request.params.id ?? '');
  return respondWithDocument(request, 'credit note', reference && (await loadCreditNote(request.deps, reference)));
}

async function getStatementPdf(request: StudioRequest): Promise<HandlerResponse> {
  return respondWithDocument(request, 'account', await loadPrintableStatement(request, readFilters(request.query, STATEMENT_FILTERS)));
}

async function loadRecords(request: StudioRequest): Promise<StudioRecords> {
  return requireFound(request, 'ord', await findStudioRecords(request.deps.database, { id: pathId(request, 'ord') }));
}

function requestedParcelId({ query }: StudioRequest): string | null {
  const parcelId = singleValue(query, 'parcelId');
  const issue = parcelId === null ? null : EXISTING_PARCEL_ID.issue(parcelId);
  if (issue !== null) throw queryError('parcelId', issue);
  return parcelId;
}
