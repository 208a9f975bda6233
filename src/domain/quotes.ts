import type { RushTier } from './limits';

/** One item of a quote request after schema validation (specification "Line item"). */
export interface QuoteItem {
  productSlug: string;
  quantity: number;
  /** String to string; unknown keys may be present and are ignored. */
  variantSelections: Record<string, string>;
  imageUrl?: string | null;
  externalReference?: string | null;
}

/** Destination after schema validation (specification "Shipping address"). */
export interface ShippingAddress {
  name: string;
  company?: string | null;
  line1: string;
  line2?: string | null;
  city: string;
  state: string;
  postcode: string;
  country: string;
  phone?: string | null;
  email: string;
}

export interface QuoteRequest {
  items: QuoteItem[];
  shippingMethodId?: string | null;
  shippingAddress: ShippingAddress;
  rushTier?: RushTier;
  whiteLabel?: boolean;
}

/** A priced line as quotes, orders and webhooks show it. Amounts in cents. */
export interface PricedLine {
  externalReference: string | null;
  productSlug: string;
  productName: string;
  quantity: number;
  unitPriceCents: number;
  amountCents: number;
}

/** One way of delivering the basket, with its price (specification "Shipping option"). */
export interface ShippingOption {
  id: string;
  name: string;
  description: string | null;
  estimatedDelivery: string;
  isCollection: boolean;
  priceCents: number;
  requiresQuote: boolean;
}

/** What pricing answers: the figures of the Quote resource and what the studio needs to make each line. */
export interface PricedQuote {
  currency: string;
  pricingVersion: number;
  lines: PricedLine[];
  /** Per line: known selections only, as sent, and the artwork URL: the job for the studio floor. */
  jobs: PricedJob[];
  subtotalCents: number;
  shippingCents: number;
  shippingMethod: string;
  discountCents: number;
  discountReason: string | null;
  discountLabel: string | null;
  rushFeeCents: number;
  promisedReadyDate: string | null;
  totalCents: number;
  gstCents: number;
  /** How every figure came to be, kept with the quote for the studio. Plain JSON. */
  breakdown: unknown;
  /** The address with the country in upper case. */
  shippingAddress: ShippingAddress;
}
export interface PricedJob {
  productSlug: string;
  quantity: number;
  selections: Record<string, string>;
  imageUrl: string | null;
}
