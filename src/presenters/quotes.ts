import type { QuoteRow } from '../db/rows';
import { checkArtworkOfLine, type CheckedArtwork } from '../domain/artwork-checks';
import { fieldsOf } from './fields';
import { presentDeliveryDates, presentLine, presentMetadata } from './orders';

/** A quote in the trade API. */
export function presentQuote(quote: QuoteRow, inspections: CheckedArtwork) {
  return {
    quoteId: quote.id,
    ...fieldsOf(quote, 'currency', 'environment', 'pricing_version', 'expires_at', 'consumed_at', 'reference'),
    lines: quote.lines.map((line, index) => {
      const job = quote.jobs[index];
      return { ...presentLine(line), artworkChecks: job === undefined ? null : checkArtworkOfLine(job, inspections) };
    }),
    ...fieldsOf(quote, 'subtotal_cents', 'shipping_cents', 'shipping_method', 'discount_cents', 'discount_reason', 'discount_label'),
    ...fieldsOf(quote, 'rush_fee_cents', 'promised_ready_date'),
    estimatedDeliveryDates: presentDeliveryDates(quote),
    ...fieldsOf(quote, 'total_cents', 'gst_cents'),
    metadata: presentMetadata(quote.metadata),
  };
}
