import type { InvoiceReference } from '../db/repositories/invoices';
import { loadInvoice, type LoadedDocument } from '../orders/documents';
import type { PdfContent } from '../documents/pdf-renderer';
import { notFoundError } from '../domain/errors';
import type { HandlerDeps } from './deps';
import * as json from './openapi/json';
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
  return respondWithDocument(request, 'invoice', reference && (await loadInvoice(request.deps, reference)));
}

/** @throws ApiError NOT_FOUND */
export function respondWithDocument(request: RequestDeps, of: string, document: LoadedDocument | null): Promise<HandlerResponse> {
  if (document === null) throw notFoundError(of);
  return respondWithPdf(request, document.name, document.content);
}
