import { addressLines, type PostalAddress } from './address-lines';

export const CONTACT_ROLES = ['billing', 'production', 'other'] as const;
export type ContactRole = (typeof CONTACT_ROLES)[number];

export const MAX_CONTACTS = 20;

/** Where an account is invoiced. The name above it is the account's. */
export type BillingAddress = Omit<PostalAddress, 'name' | 'company'>;

/** The account on an invoice, as it was at the time of issue (ruling 86). */
export interface Buyer {
  name: string;
  email: string;
  /** Eleven digits. */
  abn: string | null;
  address: BillingAddress | null;
}

interface BuyerSource {
  name: string;
  email: string;
  abn: string | null;
  billing_address: BillingAddress | null;
}

export const buyerOf = ({ name, email, abn, billing_address: address }: BuyerSource): Buyer => ({ name, email, abn, address });

/** The name and the address in the order of its country. */
export const buyerLines = ({ name, address }: Pick<Buyer, 'name' | 'address'>): string[] =>
  address === null ? [name] : addressLines({ ...address, name });
