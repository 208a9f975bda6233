import type { InvoiceReference } from '../db/repositories/invoices';
import { findInvoiceDocument } from '../db/repositories/invoice-documents';
import { createInvoiceContent } from '../documents/invoice';
import type { PdfContent } from '../documents/pdf-renderer';
import { notFoundError } from '../domain/errors';
import type { HandlerDeps } from './deps';
import * as json from './openapi/json';
import { loadShippingMethodName, loadMaterialNames } from './order-lookups';
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
  const invoiceRow = reference === null ? null : await findInvoiceDocument(request.deps.database, reference);
  if (invoiceRow === null) throw notFoundError('invoice');
  const draft = createInvoiceContent(
    invoiceRow,
    await loadMaterialNames(request, invoiceRow),
    await loadShippingMethodName(request, invoiceRow),
    await request.deps.calendar.timeZone(request.deps.database, request.deps.clock.now()),
  );
  return respondWithPdf(request, invoiceRow.invoice_number, draft);
}
