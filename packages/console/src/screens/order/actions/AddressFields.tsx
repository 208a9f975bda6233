import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import type { Order } from '../order';

type Sent = Order['job']['shippingAddress'];
export type Address = Record<keyof Sent, string>;

const FIELDS: readonly { name: keyof Sent; label: string; optional?: true }[] = [
  { name: 'name', label: 'Name' },
  { name: 'company', label: 'Company', optional: true },
  { name: 'line1', label: 'Street and number' },
  { name: 'line2', label: 'Second line', optional: true },
  { name: 'city', label: 'City' },
  { name: 'state', label: 'State' },
  { name: 'postcode', label: 'Postcode' },
  { name: 'country', label: 'Country (two letters)' },
  { name: 'phone', label: 'Phone', optional: true },
  { name: 'email', label: 'E-mail' },
];

export const typedAddress = (address: Sent): Address =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, address[name] ?? ''])) as Address;

/** As the API takes it: what is empty is left out. */
export function addressOf(typed: Address): Sent {
  const filled = FIELDS.filter(({ name, optional }) => optional !== true || typed[name].trim() !== '');
  return Object.fromEntries(filled.map(({ name }) => [name, typed[name].trim()])) as unknown as Sent;
}

/** Where something goes; the API says what does not fit. */
export function AddressFields({ address, set }: { address: Address; set: (address: Address) => void }) {
  return (
    <Fieldset legend="Where it goes">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {FIELDS.map(({ name, label, optional }) => (
          <TextInput
            key={name}
            label={label}
            required={optional !== true}
            value={address[name]}
            onChange={(event) => set({ ...address, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
