import { objectComponent } from './json-schema';
import { emailField, nullable, textField } from './text';

const postcode = textField(1, 20).required().description('in Australia four digits');
const country = textField(0, Number.POSITIVE_INFINITY).required().description('two letters, ISO 3166 alpha-2; a country name is refused');

/** As much of an address as delivery is priced by. */
export const destinationField = objectComponent('Destination', { postcode, country });

/** Where it goes. That the country exists is judged later, as SHIPPING_ADDRESS_INCOMPLETE (trade endpoints "ShippingAddress object", ruling 18). */
export const shippingAddressField = objectComponent('ShippingAddress', {
  name: textField(1, 200).required().description('who receives it'),
  company: nullable(textField(0, 200)).description('where the recipient works'),
  line1: textField(1, 200).required().description('street and number'),
  line2: nullable(textField(0, 200)).description('unit, floor, building'),
  city: textField(1, 100).required().description('city or suburb'),
  state: textField(1, 100).required().description('state, province or region'),
  postcode,
  country,
  phone: nullable(textField(0, 50)).description('for the carrier'),
  email: emailField().required().description("the customer's, which goes to the carrier with the parcel"),
});
