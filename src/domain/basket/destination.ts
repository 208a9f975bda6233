import { STUDIO_COUNTRY } from '../address-lines';
import { ApiError } from '../errors';
import { ISO_COUNTRIES, isoCountry } from '../iso-countries';
import type { Destination, ShippingAddress } from './quote-request';
import { checkAll } from './basket-refusal';
import { quoted } from './line';

const FOUR_DIGITS = /^[0-9]{4}$/;
/** The fields that every address needs. In some countries addresses have no state. */
const REQUIRED_FIELDS = ['name', 'line1', 'city'] as const;

/**
 * Checks an address and returns it with its country in upper case.
 * @throws ApiError SHIPPING_ADDRESS_INCOMPLETE
 */
export function checkDestination(address: ShippingAddress): ShippingAddress {
  const [{ country }] = checkAll<[Destination, ...unknown[]]>(
    () => checkRegion(address),
    ...REQUIRED_FIELDS.map((field) => () => {
      if (address[field].trim() === '') throw incompleteAddressError(field, 'must not be blank');
    }),
  );
  return { ...address, country };
}

/**
 * Checks the part of an address that delivery prices depend on, and returns it with its country in upper case.
 * @throws ApiError SHIPPING_ADDRESS_INCOMPLETE
 */
export function checkRegion({ country: sent, postcode }: Destination): Destination {
  const country = isoCountry(sent);
  if (country === null)
    throw incompleteAddressError('country', `${quoted(sent)} is not an ISO 3166 alpha-2 code; send ${suggestedCountry(sent)}`);
  if (country === STUDIO_COUNTRY && !FOUR_DIGITS.test(postcode)) {
    throw incompleteAddressError('postcode', `${quoted(postcode)} is not an Australian postcode; send four digits such as 3000`);
  }
  return { country, postcode };
}

/** What people write in place of an ISO 3166 alpha-2 code, besides country names. */
const OTHER_NAMES = { uk: 'GB', 'great britain': 'GB', england: 'GB', gbr: 'GB', el: 'GR', aus: 'AU', nzl: 'NZ', usa: 'US', deu: 'DE' };

function suggestedCountry(sent: string): string {
  const name = sent.trim().toLowerCase();
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const code = new Map(Object.entries(OTHER_NAMES)).get(name) ?? [...ISO_COUNTRIES].find((one) => names.of(one)?.toLowerCase() === name);
  return isoCountry(name) ?? code ?? 'one such as AU or NZ';
}

function incompleteAddressError(field: keyof ShippingAddress, text: string): ApiError {
  const path = `shippingAddress.${field}`;
  return new ApiError('SHIPPING_ADDRESS_INCOMPLETE', `${path}: ${text}`, { path });
}

/** The known fields of an address, null if empty. Other fields are not stored. */
export function pickAddressFields(address: ShippingAddress) {
  return {
    name: address.name,
    company: address.company ?? null,
    line1: address.line1,
    line2: address.line2 ?? null,
    city: address.city,
    state: address.state,
    postcode: address.postcode,
    country: address.country,
    phone: address.phone ?? null,
    email: address.email,
  };
}
