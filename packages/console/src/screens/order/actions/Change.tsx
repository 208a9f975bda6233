import { Textarea, TextInput } from '@mantine/core';
import { callApi, studio } from '../../../api/studio';
import { Action, trimToUndefined, useActionForm } from '../../../shared/action';
import { ACTIONS, type OrderActionProps, pathOf } from '../studio-order';
import { notificationText } from '../words';
import { ADDRESS_LABELS, AddressInputs, addressOf, typedAddress } from './Address';

/** Changes recipient, address, reference and instructions before production. Sends the changed fields only. */
export function Change({ order, ref }: OrderActionProps) {
  const { shippingAddress, specialInstructions } = order.job;
  const form = useActionForm(() => ({
    address: typedAddress(shippingAddress),
    reference: order.reference ?? '',
    instructions: specialInstructions ?? '',
  }));
  const { address, reference, instructions } = form.values;
  const changes = {
    ...(form.isDirty('address') ? { shippingAddress: addressOf(address) } : {}),
    ...(form.isDirty('reference') ? { reference: trimToUndefined(reference) ?? null } : {}),
    ...(form.isDirty('instructions') ? { specialInstructions: trimToUndefined(instructions) ?? null } : {}),
  };
  return (
    <Action
      ref={ref}
      label={ACTIONS.changed.label}
      confirm="Save"
      title={`Change ${order.orderNumber}`}
      consequences={[
        'The price must stay the same. If it does not, nothing changes.',
        'Later documents have the new values.',
        notificationText(null, order),
      ]}
      subject={order.orderId}
      labels={{ ...ADDRESS_LABELS, reference: 'Client reference', specialInstructions: 'Special instructions' }}
      run={(changeId) => callApi(studio.POST('/orders/{id}/changes', { params: pathOf(order), body: { changeId, ...changes } }))}
      {...form.action}
      ready={Object.keys(changes).length > 0}
      notReadyReason="No changes"
      toast={({ orderNumber }) => `${orderNumber} changed`}
    >
      <AddressInputs inputProps={form.getInputProps} />
      <TextInput label="Client reference" maxLength={128} {...form.field('reference')} />
      <Textarea
        label="Special instructions"
        description="Printed on the job sheet."
        autosize
        maxLength={2000}
        {...form.field('instructions')}
      />
    </Action>
  );
}
