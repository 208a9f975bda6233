import { findCreditNoteDocument } from '../../db/repositories/invoice-documents';
import { findCurrentSeller } from '../../db/repositories/sellers';
import { findStudioRecords, type InspectedArtwork, type StudioRecords } from '../../db/repositories/studio-orders';
import { draftCreditNote } from '../../documents/invoice';
import { draftJobSheet } from '../../documents/job-sheet';
import { draftPackingSlip } from '../../documents/packing-slip';
import { draftStatement } from '../../documents/statement';
import { notFoundError } from '../../domain/errors';
import { EXISTING_PARCEL_ID } from '../../domain/message-fields';
import { parseCreditNoteReference, parseInvoiceReference } from '../../domain/order-number';
import { singleValue, queryError } from '../cursor';
import { loadShippingMethodName, loadMaterialNames } from '../order-lookups';
import { requireFound, pathId } from '../path-id';
import { respondWithInvoicePdf, PDF_RESPONSE, respondWithPdf, studioTimeZone } from '../pdf';
import { textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { STATEMENT_FILTERS, loadPrintableStatement } from './statement';
import { studioToday } from './support/order-view';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const DOCUMENTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/orders/:id/job-sheet.pdf',
    role: 'floor',
    ...PDF_RESPONSE,
    id: 'printJobSheet',
    summary: "The floor's job sheet, as PDF",
    description: 'What to make, with names in place of ids; the order number as Code 128.',
    handler: getJobSheet,
  },
  {
    method: 'GET',
    path: '/orders/:id/packing-slip.pdf',
    role: 'floor',
    query: { parcelId: textField(1, 100).description('of one parcel; the whole order unless sent') },
    ...PDF_RESPONSE,
    id: 'printPackingSlip',
    summary: 'What goes into a parcel, as PDF',
    description: 'Of one parcel, or of the whole order. Of a white-label order nothing in it is of the studio: the account is the sender.',
    handler: getPackingSlip,
  },
  {
    method: 'GET',
    path: '/invoices/:id.pdf',
    role: 'office',
    ...PDF_RESPONSE,
    id: 'printInvoice',
    summary: 'The tax invoice, as PDF',
    description:
      'With the name, ABN and bank account that the studio had on the day it was issued. Of a test order it is no tax invoice, and asks for no money.',
    handler: getInvoicePdf,
  },
  {
    method: 'GET',
    path: '/credit-notes/:id.pdf',
    role: 'office',
    ...PDF_RESPONSE,
    id: 'printCreditNote',
    summary: 'A credit note, as PDF',
    handler: getCreditNotePdf,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement.pdf',
    role: 'office',
    query: STATEMENT_FILTERS,
    ...PDF_RESPONSE,
    id: 'printStatement',
    summary: "An account's statement, as PDF",
    description:
      'Of the same days as the statement itself. At most 3,000 entries or 400,000 letters, one outside Latin, Greek and Cyrillic ' +
      'counted ten times; VALIDATION_ERROR says which days a PDF holds.',
    handler: getStatementPdf,
  },
];

/** Ruling 64. */
async function getJobSheet(request: StudioRequest): Promise<HandlerResponse> {
  const records = await loadRecords(request);
  const [nameOf, timeZone] = [await loadMaterialNames(request, records.order), await studioTimeZone(request)];
  const methodName = await loadShippingMethodName(request, records.order);
  const draft = draftJobSheet({
    records,
    nameOf,
    previews: await loadPreviews(request, records.uploads),
    methodName,
    timeZone,
    printedAt: request.deps.clock.now(),
    today: await studioToday(request),
  });
  return respondWithPdf(request, `job-sheet-${records.order.order_number}`, draft);
}

/** More pictures are more than a sheet is read for, and are in the studio's view of the order. */
const MAX_PREVIEWS = 60;

/** By the URL that lines name their artwork with. Without the store, or before a picture was looked at, a sheet is printed all the same. */
async function loadPreviews({ deps, logger }: StudioRequest, uploads: readonly InspectedArtwork[]): Promise<Map<string, Buffer>> {
  const previews = new Map<string, Buffer>();
  for (const { url, storage_key: key } of uploads.filter(({ inspection }) => inspection?.state === 'ok').slice(0, MAX_PREVIEWS)) {
    const bytes = await deps.storage.readPreview(key).catch((error: unknown) => {
      logger.warn({ err: error, key }, 'a job sheet is printed without this preview');
      return null;
    });
    if (bytes !== null) previews.set(url, bytes);
  }
  return previews;
}

async function getPackingSlip(request: StudioRequest): Promise<HandlerResponse> {
  const { order, parcels } = await loadRecords(request);
  const parcelId = requestedParcelId(request);
  const parcel = parcelId === null ? null : parcels.find(({ id, voided_at }) => id === parcelId && voided_at === null);
  if (parcel === undefined) throw notFoundError('parcel on this order, or its label was voided');
  const [studio, timeZone] = [await findCurrentSeller(request.deps.database), await studioTimeZone(request)];
  const nameOf = await loadMaterialNames(request, order);
  const draft = draftPackingSlip({ order, nameOf, parcel, studio, timeZone, printedAt: request.deps.clock.now() });
  return respondWithPdf(request, `packing-slip-${order.order_number}`, draft);
}

function getInvoicePdf(request: StudioRequest): Promise<HandlerResponse> {
  return respondWithInvoicePdf(request, parseInvoiceReference(request.params.id ?? ''));
}

async function getCreditNotePdf(request: StudioRequest): Promise<HandlerResponse> {
  const reference = parseCreditNoteReference(request.params.id ?? '');
  const note = reference === null ? null : await findCreditNoteDocument(request.deps.database, reference);
  if (note === null) throw notFoundError('credit note');
  return respondWithPdf(request, note.credit_note_number, draftCreditNote(note, await studioTimeZone(request)));
}

async function getStatementPdf(request: StudioRequest): Promise<HandlerResponse> {
  const { deps } = request;
  const { statement, account } = await loadPrintableStatement(request);
  const [studio, timeZone] = [await findCurrentSeller(deps.database), await studioTimeZone(request)];
  const draft = draftStatement({ statement, email: account.email, studio, timeZone, printedAt: deps.clock.now() });
  return respondWithPdf(request, `statement-${statement.from}-${statement.to}`, draft);
}

async function loadRecords(request: StudioRequest): Promise<StudioRecords> {
  return requireFound(request, 'ord', await findStudioRecords(request.deps.database, pathId(request, 'ord')));
}

function requestedParcelId({ query }: StudioRequest): string | null {
  const parcelId = singleValue(query, 'parcelId');
  const issue = parcelId === null ? null : EXISTING_PARCEL_ID.issue(parcelId);
  if (issue !== null) throw queryError('parcelId', issue);
  return parcelId;
}
