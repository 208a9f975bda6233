import { Checkbox, Fieldset, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { callApi, studio } from '../../../api/studio';
import { Action, trimToUndefined, useActionForm } from '../../../shared/action';
import { OrderLinkWithText } from '../../../shared/orders';
import { ACTIONS, type Order, type OrderActionProps, pathOf } from '../order';
import { PieceInputs, piecesOf } from './Pieces';

export function Remake({ order, ref }: OrderActionProps) {
  const form = useActionForm(
    () => ({
      counts: order.job.lines.map((): number | string => 0),
      reason: '',
      hasOtherAddress: false,
      address: typedAddress(order.job.shippingAddress),
    }),
    ({ counts, reason }) => ({
      counts: piecesOf(counts).length === 0 && 'Enter at least one piece',
      reason: reason.trim() === '' && 'Enter a reason',
    }),
  );
  const send = (remakeId: string) => {
    const { counts, reason, hasOtherAddress, address } = form.values;
    const shippingAddress = hasOtherAddress ? addressOf(address) : undefined;
    const body = { remakeId, lines: piecesOf(counts), reason: reason.trim(), shippingAddress };
    return callApi(studio.POST('/orders/{id}/remakes', { params: pathOf(order), body }));
  };
  return (
    <Action
      ref={ref}
      label={ACTIONS.remake.label}
      title={`Remake ${order.orderNumber}`}
      consequences={[
        'The floor gets a new order with the same artwork, free of charge.',
        'The client is not notified, but sees the remake on the order.',
      ]}
      subject={order.orderId}
      run={send}
      {...form.action}
      toast={({ orderNumber }) => `${orderNumber} created`}
      result={({ orderId, orderNumber }) => (
        <Text>
          Remade as <OrderLinkWithText order={orderId}>{orderNumber}</OrderLinkWithText>.
        </Text>
      )}
    >
      <PieceInputs
        legend="Pieces to remake"
        lines={order.job.lines}
        remaining={order.job.lines.map(({ quantity }) => quantity)}
        inputProps={form.getInputProps}
      />
      <Textarea
        label="Reason"
        description="Printed on the job sheet."
        required
        maxLength={500}
        placeholder="Corner crushed in transit"
        {...form.field('reason')}
      />
      <Checkbox label="Ship to another address" {...form.getInputProps('hasOtherAddress', { type: 'checkbox' })} />
      {form.values.hasOtherAddress && (
        <Fieldset legend="Ship to">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {ADDRESS_FIELDS.map(({ name, label, isOptional }) => (
              <TextInput key={name} label={label} required={isOptional !== true} {...form.getInputProps(`address.${name}`)} />
            ))}
          </SimpleGrid>
        </Fieldset>
      )}
    </Action>
  );
}

type Address = Order['job']['shippingAddress'];
type TypedAddress = Record<keyof Address, string>;

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

const typedAddress = (address: Address): TypedAddress =>
  Object.fromEntries(ADDRESS_FIELDS.map(({ name }) => [name, address[name] ?? ''])) as TypedAddress;

/** The address without its empty fields. The API names those that it requires. */
const addressOf = (typed: TypedAddress): Address =>
  Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, trimToUndefined(text)])) as unknown as Address;
