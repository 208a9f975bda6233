import { ApiError } from '../errors';
import { isoCountry } from '../iso-countries';
import type { ShippingAddress } from './quote-request';
import { quoted } from './line';

const FOUR_DIGITS = /^[0-9]{4}$/;
/** Without one of these no parcel can be addressed; a state is not part of every country's addresses. */
const NEVER_BLANK = ['name', 'line1', 'city'] as const;

/** The address with its country in upper case. @throws ApiError SHIPPING_ADDRESS_INCOMPLETE (ruling 18) */
export function checkDestination(address: ShippingAddress): ShippingAddress {
  const country = isoCountry(address.country);
  if (country === null)
    throw incomplete('country', `${quoted(address.country)} is not an ISO 3166 alpha-2 code; send one such as AU or NZ`);
  const blank = NEVER_BLANK.find((field) => address[field].trim() === '');
  if (blank !== undefined) throw incomplete(blank, 'must not be blank');
  if (country === 'AU' && !FOUR_DIGITS.test(address.postcode)) {
    throw incomplete('postcode', `${quoted(address.postcode)} is not an Australian postcode; send four digits such as 3000`);
  }
  return { ...address, country };
}

function incomplete(field: keyof ShippingAddress, text: string): ApiError {
  return new ApiError('SHIPPING_ADDRESS_INCOMPLETE', `shippingAddress.${field}: ${text}`);
}

/** The known fields of an address, null where there is nothing; what else the client sent is not kept. */
export function addressOnly(a: ShippingAddress) {
  return {
    name: a.name,
    company: a.company ?? null,
    line1: a.line1,
    line2: a.line2 ?? null,
    city: a.city,
    state: a.state,
    postcode: a.postcode,
    country: a.country,
    phone: a.phone ?? null,
    email: a.email,
  };
}
