import type { ShippingAddress } from '../basket/quote-request';
import type { Cut } from '../products/cuts';
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
  /** Null if the destination is unknown. */
  shippingOptions: ShippingOption[] | null;
}

/** The result of pricing: the figures of the Quote resource and the production data of each line. */
export interface PricedQuote extends Omit<PricedBasket, 'shippingOptions'> {
  currency: string;
  pricingVersion: number;
  /** Each line's job for production: known selections as sent, and the artwork URL. */
  jobs: PricedJob[];
  shippingCents: number;
  shippingMethod: string;
  /** Whether the customer collects the order at the studio. */
  isCollection: boolean;
  /** `YYYY-MM-DD`: the promised date, else the end of the standard turnaround. */
  dueDate: string;
  /** Estimated arrival by the chosen method; null if it has no estimate. */
  estimatedDeliveryDates: DeliveryDates | null;
  /** The calculation of every figure, stored with the quote for the studio. Plain JSON. */
  breakdown: unknown;
  /** The address with the country in upper case. */
  shippingAddress: ShippingAddress;
}

export interface PricedJob {
  productSlug: string;
  quantity: number;
  selections: Record<string, string>;
  imageUrl: string | null;
  /** What one unit is cut from. */
  cuts: Cut[];
}
