import type { QuoteRow } from '../db/rows';
import { presentDeliveryDates, presentLine, presentMetadata } from './orders';

/** A quote as clients see it (specification "Quote"). */
export function presentQuote(quote: QuoteRow) {
  return {
    quoteId: quote.id,
    currency: quote.currency,
    environment: quote.environment,
    pricingVersion: quote.pricing_version,
    expiresAt: quote.expires_at.toISOString(),
    consumedAt: quote.consumed_at?.toISOString() ?? null,
    lines: quote.lines.map(presentLine),
    subtotalCents: quote.subtotal_cents,
    shippingCents: quote.shipping_cents,
    shippingMethod: quote.shipping_method,
    discountCents: quote.discount_cents,
    discountReason: quote.discount_reason,
    discountLabel: quote.discount_label,
    rushFeeCents: quote.rush_fee_cents,
    promisedReadyDate: quote.promised_ready_date,
    estimatedDeliveryDates: presentDeliveryDates(quote),
    totalCents: quote.total_cents,
    gstCents: quote.gst_cents,
    metadata: presentMetadata(quote.metadata),
  };
}
