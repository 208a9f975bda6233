import { component } from './documented';
import { emailField, optionalTextField, textField } from './text';

const postcode = textField(1, 20).required().description('in Australia four digits');
const country = textField(0, Number.POSITIVE_INFINITY).required().description('two letters, ISO 3166 alpha-2');

/** As much of an address as delivery is priced by. */
export const destinationField = component('Destination', { postcode, country });

/** Where it goes. That the country exists is judged later, as SHIPPING_ADDRESS_INCOMPLETE (specification "Shipping address", ruling 18). */
export const shippingAddressField = component('ShippingAddress', {
  name: textField(1, 200).required(),
  company: optionalTextField(200),
  line1: textField(1, 200).required(),
  line2: optionalTextField(200),
  city: textField(1, 100).required(),
  state: textField(1, 100).required(),
  postcode,
  country,
  phone: optionalTextField(50),
  email: emailField().required().description("the customer's, which goes to the carrier with the parcel"),
});
