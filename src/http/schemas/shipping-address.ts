import { objectComponent } from './json-schema';
import { textIssue } from '../../domain/field-formats';
import { isoCountry } from '../../domain/iso-countries';
import { bodySchema, checkedField, emailField, type Field, nullable, optional, textField } from './text';

/** A text that some countries do not have. The message for an empty one says what to send. One space is accepted (ruling 7). */
function textOrSubstitute(max: number, substitute: string): Field {
  return checkedField({ kind: 'text', min: 1, max }, (value) =>
    value === '' ? `must not be empty; send ${substitute}` : textIssue(value, 1, max),
  );
}

const postcode = textOrSubstitute(20, '00000 if the country has no postcodes').description(
  'the postcode; four digits in Australia, `00000` in a country without postcodes',
);
const country = textField(0, Number.POSITIVE_INFINITY).description(
  'the country, two letters of ISO 3166 alpha-2; a country name is refused',
);

/** The part of an address that determines the delivery price. */
export const destinationField = objectComponent('Destination', { postcode, country });

const street = {
  line1: textField(1, 200).description('street and number'),
  line2: optional(nullable(textField(0, 200))).description('unit, floor or building'),
  city: textField(1, 100).description('city or suburb'),
  state: textOrSubstitute(100, 'the city again if the country has no states').description(
    'state, province or region; the city again in a country without them',
  ),
  postcode,
};

/** An unknown country is SHIPPING_ADDRESS_INCOMPLETE, checked later. */
export const shippingAddressField = objectComponent('ShippingAddress', {
  name: textField(1, 200).description('the name of the recipient'),
  company: optional(nullable(textField(0, 200))).description('the company of the recipient'),
  ...street,
  country,
  phone: optional(nullable(textField(0, 50))).description('a phone number for the carrier'),
  email: emailField().description('the e-mail address of the customer, which the carrier receives'),
});

/** Where an account is invoiced. */
export const billingAddressField = bodySchema({
  ...street,
  country: checkedField({ kind: 'like', pattern: '^[A-Za-z]{2}$' }, (value) =>
    isoCountry(String(value)) === null ? 'must be a country code of ISO 3166 alpha-2, such as AU' : null,
  ).description('the country, two letters of ISO 3166 alpha-2'),
});
