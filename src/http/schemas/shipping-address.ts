import { objectComponent } from './json-schema';
import { emailField, nullable, optional, textField } from './text';

const postcode = textField(1, 20).description('the postcode; four digits in Australia');
const country = textField(0, Number.POSITIVE_INFINITY).description(
  'the country, two letters of ISO 3166 alpha-2; a country name is refused',
);

/** The part of an address that determines the delivery price. */
export const destinationField = objectComponent('Destination', { postcode, country });

/** An unknown country is SHIPPING_ADDRESS_INCOMPLETE, checked later. */
export const shippingAddressField = objectComponent('ShippingAddress', {
  name: textField(1, 200).description('the name of the recipient'),
  company: optional(nullable(textField(0, 200))).description('the company of the recipient'),
  line1: textField(1, 200).description('street and number'),
  line2: optional(nullable(textField(0, 200))).description('unit, floor or building'),
  city: textField(1, 100).description('city or suburb'),
  state: textField(1, 100).description('state, province or region'),
  postcode,
  country,
  phone: optional(nullable(textField(0, 50))).description('a phone number for the carrier'),
  email: emailField().description('the e-mail address of the customer, which the carrier receives'),
});
