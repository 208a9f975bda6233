import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import { trimToUndefined } from '../../../shared/action';
import type { Order } from '../studio-order';

type Address = Order['job']['shippingAddress'];
export type TypedAddress = Record<keyof Address, string>;

const ADDRESS_FIELDS: readonly { name: keyof Address; label: string; isOptional?: true }[] = [
  { name: 'name', label: 'Name' },
  { name: 'company', label: 'Company', isOptional: true },
  { name: 'line1', label: 'Address line 1' },
  { name: 'line2', label: 'Address line 2', isOptional: true },
  { name: 'city', label: 'City' },
  { name: 'state', label: 'State' },
  { name: 'postcode', label: 'Postcode' },
  { name: 'country', label: 'Country code' },
  { name: 'phone', label: 'Phone', isOptional: true },
  { name: 'email', label: 'Email' },
];

export const typedAddress = (address: Address): TypedAddress =>
  Object.fromEntries(ADDRESS_FIELDS.map(({ name }) => [name, address[name] ?? ''])) as TypedAddress;

/** The address without its empty fields. The API names those that it requires. */
export const addressOf = (typed: TypedAddress): Address =>
  Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, trimToUndefined(text)])) as unknown as Address;

/** For the API's error messages. */
export const ADDRESS_LABELS = Object.fromEntries(ADDRESS_FIELDS.map(({ name, label }) => [`shippingAddress.${name}`, label]));

/** The inputs of the form's `address`. */
export function AddressInputs({ inputProps }: { inputProps: (path: `address.${keyof Address}`) => object }) {
  return (
    <Fieldset legend="Ship to">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {ADDRESS_FIELDS.map(({ name, label, isOptional }) => (
          <TextInput key={name} label={label} required={isOptional !== true} {...inputProps(`address.${name}`)} />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
