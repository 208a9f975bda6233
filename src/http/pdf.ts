import type { InvoiceNamed } from '../db/repositories/invoices';
import { printedInvoice } from '../db/repositories/printed';
import { invoice } from '../documents/invoice';
import type { Draft } from '../documents/press';
import { noSuch } from '../domain/errors';
import type { HttpDeps } from './deps';
import * as json from './openapi/json';
import { methodOf, namesIn } from './order-names';
import { PDF_POLICY } from './respond';
import type { Answer } from './types';

/** An answer that is a PDF, outside the envelope; its refusals are in it (ruling 62). */
export const PDF = {
  media: 'application/pdf',
  answer: json.FILE,
  answerHeaders: { 'Content-Disposition': json.string('shown where it is opened, with the name it is saved under') },
};

interface Asked {
  deps: HttpDeps;
}

/** Shown where it is opened, and saved under its name. */
export async function printed({ deps }: Asked, name: string, draft: Draft): Promise<Answer> {
  const bytes = await deps.press.print(draft, deps.clock.now());
  return {
    file: { contentType: 'application/pdf', bytes, policy: PDF_POLICY },
    headers: { 'Content-Disposition': `inline; filename="${name}.pdf"` },
  };
}

export const zoneOf = ({ deps }: Asked): Promise<string> => deps.pricingTerms.timeZone(deps.database, deps.clock.now());

/** The invoice as PDF, with the seller of its day (ruling 64). @throws ApiError NOT_FOUND, also for a name that is malformed */
export async function invoicePdf(asked: Asked, by: InvoiceNamed | null): Promise<Answer> {
  const bill = by === null ? null : await printedInvoice(asked.deps.database, by);
  if (bill === null) throw noSuch('invoice');
  const draft = invoice(bill, await namesIn(asked, bill), await methodOf(asked, bill), await zoneOf(asked));
  return printed(asked, bill.invoice_number, draft);
}
