import { Checkbox, Text, Textarea } from '@mantine/core';
import { callApi, studio } from '../../../api/studio';
import { Action, useActionForm } from '../../../shared/action';
import { OrderLinkWithText } from '../../../shared/orders';
import { ACTIONS, type OrderActionProps, pathOf } from '../studio-order';
import { ADDRESS_LABELS, AddressInputs, addressOf, typedAddress } from './Address';
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
      labels={ADDRESS_LABELS}
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
      {form.values.hasOtherAddress && <AddressInputs inputProps={form.getInputProps} />}
    </Action>
  );
}
