import type { ShippingAddress } from '../basket/quote-request';
import type { DeliveryDates, ShippingOption } from '../shipping/options';

/** A priced line as quotes, orders and webhooks show it. Amounts in cents. */
export interface PricedLine {
  externalReference: string | null;
  productSlug: string;
  productName: string;
  quantity: number;
  unitPriceCents: number;
  amountCents: number;
}

/** The figures of a basket without delivery, in cents. */
export interface PricedBasket {
  lines: PricedLine[];
  subtotalCents: number;
  discountCents: number;
  discountReason: string | null;
  discountLabel: string | null;
  rushFeeCents: number;
  promisedReadyDate: string | null;
  totalCents: number;
  gstCents: number;
  /** Null where it is not known where it goes. */
  shippingOptions: ShippingOption[] | null;
}

/** What pricing answers: the figures of the Quote resource and what the studio needs to make each line. */
export interface PricedQuote extends Omit<PricedBasket, 'shippingOptions'> {
  currency: string;
  pricingVersion: number;
  /** Per line: known selections only, as sent, and the artwork URL: the job for the studio floor. */
  jobs: PricedJob[];
  shippingCents: number;
  shippingMethod: string;
  /** `YYYY-MM-DD`: what is promised, else the end of the standard turnaround (ruling 65). */
  dueDate: string;
  /** When it arrives by the chosen method; null where that has no estimate. */
  estimatedDeliveryDates: DeliveryDates | null;
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
