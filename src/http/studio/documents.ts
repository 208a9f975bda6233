import { printedCreditNote } from '../../db/repositories/printed';
import { newestSeller } from '../../db/repositories/sellers';
import { findStudioRecords, type SeenArtwork, type StudioRecords } from '../../db/repositories/studio-orders';
import { creditNote } from '../../documents/invoice';
import { jobSheet } from '../../documents/job-sheet';
import { packingSlip } from '../../documents/packing-slip';
import { printedStatement } from '../../documents/statement';
import { noSuch } from '../../domain/errors';
import { SENT_PARCEL_ID } from '../../domain/order-message';
import { creditNoteNamed, invoiceNamed } from '../../domain/order-number';
import { once, queryError } from '../cursor';
import { methodOf, namesIn } from '../order-names';
import { found, pathId } from '../path-id';
import { invoicePdf, PDF, printed, zoneOf } from '../pdf';
import { textField } from '../schemas/text';
import type { Answer } from '../types';
import { STATEMENT_FILTERS, statementToPrint } from './statement';
import { studioDay } from './support/order-view';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const DOCUMENTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/orders/:id/job-sheet.pdf',
    role: 'floor',
    ...PDF,
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
    ...PDF,
    id: 'printPackingSlip',
    summary: 'What goes into a parcel, as PDF',
    description: 'Of one parcel, or of the whole order. Of a white-label order nothing in it is of the studio: the account is the sender.',
    handler: getPackingSlip,
  },
  {
    method: 'GET',
    path: '/invoices/:id.pdf',
    role: 'office',
    ...PDF,
    id: 'printInvoice',
    summary: 'The tax invoice, as PDF',
    description:
      'With the name, ABN and bank account that the studio had on the day it was issued. Of a test order it is no tax invoice, and asks for no money.',
    handler: getPrintedInvoice,
  },
  {
    method: 'GET',
    path: '/credit-notes/:id.pdf',
    role: 'office',
    ...PDF,
    id: 'printCreditNote',
    summary: 'A credit note, as PDF',
    handler: getPrintedCreditNote,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement.pdf',
    role: 'office',
    query: STATEMENT_FILTERS,
    ...PDF,
    id: 'printStatement',
    summary: "An account's statement, as PDF",
    description:
      'Of the same days as the statement itself. At most 3,000 entries or 400,000 letters, one outside Latin, Greek and Cyrillic ' +
      'counted ten times; VALIDATION_ERROR says which days a PDF holds.',
    handler: getPrintedStatement,
  },
];

/** Ruling 64. */
async function getJobSheet(request: StudioRequest): Promise<Answer> {
  const records = await recordsOf(request);
  const [nameOf, timeZone] = [await namesIn(request, records.order), await zoneOf(request)];
  const methodName = await methodOf(request, records.order);
  const draft = jobSheet({
    records,
    nameOf,
    previews: await previewsOf(request, records.uploads),
    methodName,
    timeZone,
    printedAt: request.deps.clock.now(),
    today: await studioDay(request),
  });
  return printed(request, `job-sheet-${records.order.order_number}`, draft);
}

/** More pictures are more than a sheet is read for, and are in the studio's view of the order. */
const MAX_PREVIEWS = 60;

/** By the URL that lines name their artwork with. Without the store, or before a picture was looked at, a sheet is printed all the same. */
async function previewsOf({ deps, logger }: StudioRequest, uploads: readonly SeenArtwork[]): Promise<Map<string, Buffer>> {
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

async function getPackingSlip(request: StudioRequest): Promise<Answer> {
  const { order, parcels } = await recordsOf(request);
  const parcelId = parcelAsked(request);
  const parcel = parcelId === null ? null : parcels.find(({ id, voided_at }) => id === parcelId && voided_at === null);
  if (parcel === undefined) throw noSuch('parcel on this order, or its label was voided');
  const [studio, timeZone] = [await newestSeller(request.deps.database), await zoneOf(request)];
  const nameOf = await namesIn(request, order);
  const draft = packingSlip({ order, nameOf, parcel, studio, timeZone, printedAt: request.deps.clock.now() });
  return printed(request, `packing-slip-${order.order_number}`, draft);
}

function getPrintedInvoice(request: StudioRequest): Promise<Answer> {
  return invoicePdf(request, invoiceNamed(request.params.id ?? ''));
}

async function getPrintedCreditNote(request: StudioRequest): Promise<Answer> {
  const by = creditNoteNamed(request.params.id ?? '');
  const note = by === null ? null : await printedCreditNote(request.deps.database, by);
  if (note === null) throw noSuch('credit note');
  return printed(request, note.credit_note_number, creditNote(note, await zoneOf(request)));
}

async function getPrintedStatement(request: StudioRequest): Promise<Answer> {
  const { deps } = request;
  const { statement, account } = await statementToPrint(request);
  const [studio, timeZone] = [await newestSeller(deps.database), await zoneOf(request)];
  const draft = printedStatement({ statement, email: account.email, studio, timeZone, printedAt: deps.clock.now() });
  return printed(request, `statement-${statement.from}-${statement.to}`, draft);
}

async function recordsOf(request: StudioRequest): Promise<StudioRecords> {
  return found(request, 'ord', await findStudioRecords(request.deps.database, pathId(request, 'ord')));
}

function parcelAsked({ query }: StudioRequest): string | null {
  const given = once(query, 'parcelId');
  const issue = given === null ? null : SENT_PARCEL_ID.issue(given);
  if (issue !== null) throw queryError('parcelId', issue);
  return given;
}
