import type { PostalAddress } from '../address-lines';
import type { RushTier } from '../limits';
import type { Metadata } from '../metadata';

/** One item of a quote request after schema validation. */
export interface QuoteItem {
  productSlug: string;
  quantity: number;
  /** String to string. Unknown keys are ignored. */
  variantSelections: Record<string, string>;
  imageUrl?: string | null;
  externalReference?: string | null;
}

/** Destination after schema validation. */
export interface ShippingAddress extends PostalAddress {
  phone?: string | null;
  email: string;
}

/** The part of an address that delivery prices depend on. */
export type Destination = Pick<ShippingAddress, 'country' | 'postcode'>;

/** Everything except delivery that prices depend on. */
export interface Basket {
  items: QuoteItem[];
  rushTier?: RushTier;
}

export interface QuoteRequest extends Basket {
  shippingMethodId?: string | null;
  shippingAddress: ShippingAddress;
  whiteLabel?: boolean;
  metadata?: Metadata | null;
}
