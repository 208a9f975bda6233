import type { RushTier } from '../limits';
import type { Metadata } from '../metadata';

/** One item of a quote request after schema validation (trade endpoints "LineItem object"). */
export interface QuoteItem {
  productSlug: string;
  quantity: number;
  /** String to string; unknown keys may be present and are ignored. */
  variantSelections: Record<string, string>;
  imageUrl?: string | null;
  externalReference?: string | null;
}

/** Destination after schema validation (trade endpoints "ShippingAddress object"). */
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

/** As much of an address as delivery is priced by. */
export type Destination = Pick<ShippingAddress, 'country' | 'postcode'>;

/** What prices depend on, apart from delivery. */
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
