import type { InvoiceReference } from '../db/repositories/invoices';
import { findInvoiceDocument } from '../db/repositories/invoice-documents';
import { findEffectiveVersion, methodNameOf } from '../db/repositories/price-book-reader';
import { timeZoneOf } from '../db/repositories/studio-calendar';
import { createInvoiceContent } from '../documents/invoice';
import type { PdfContent } from '../documents/pdf-renderer';
import { notFoundError } from '../domain/errors';
import type { HandlerDeps } from './deps';
import * as json from './openapi/json';
import { loadMaterialNames } from './order-lookups';
import { PDF_POLICY } from './respond';
import type { HandlerResponse } from './types';

/** A PDF outside the envelope; errors use the envelope. */
export const PDF_RESPONSE = {
  mediaType: 'application/pdf',
  response: json.FILE,
  responseHeaders: { 'Content-Disposition': json.string('inline, with the file name') },
};

interface RequestDeps {
  deps: HandlerDeps;
}

export async function respondWithPdf({ deps }: RequestDeps, name: string, draft: PdfContent): Promise<HandlerResponse> {
  const bytes = await deps.pdfRenderer.render(draft, deps.clock.now());
  return {
    file: { contentType: 'application/pdf', bytes, policy: PDF_POLICY },
    headers: { 'Content-Disposition': `inline; filename="${name}.pdf"` },
  };
}

/** The invoice as PDF, with the seller's details at the time of issue. @throws ApiError NOT_FOUND, also for a malformed id */
export async function respondWithInvoicePdf(request: RequestDeps, reference: InvoiceReference | null): Promise<HandlerResponse> {
  const { database, priceBooks, clock } = request.deps;
  if (reference === null) throw notFoundError('invoice');
  const [invoiceRow, version] = await database.snapshot((sql) =>
    Promise.all([findInvoiceDocument(sql, reference), findEffectiveVersion(sql, clock.now())]),
  );
  if (invoiceRow === null) throw notFoundError('invoice');
  const book = version === null ? null : await priceBooks.read(database, version);
  const nameOf = await loadMaterialNames(request, invoiceRow);
  const draft = createInvoiceContent(invoiceRow, nameOf, methodNameOf(book, invoiceRow), timeZoneOf(book));
  return respondWithPdf(request, invoiceRow.invoice_number, draft);
}
