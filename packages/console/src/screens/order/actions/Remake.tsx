import { Checkbox, Text, Textarea } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import { NamedOrderLink } from '../../../shared/orders';
import { ACTIONS } from '../action-table';
import { type Order, pathOf } from '../order';
import { useFields } from '../../../shared/fields';
import { type Address, AddressFields, addressOf, PieceFields, piecesOf, typedAddress } from './fields';

export function Remake({ order }: { order: Order }) {
  const { fields, set, checkbox, typed, clear } = useFields(() => ({
    counts: order.job.lines.map(() => 0),
    reason: '',
    elsewhere: false,
    address: typedAddress(order.job.shippingAddress) as Address,
  }));
  const lines = piecesOf(fields.counts);
  const send = (remakeId: string) =>
    ask(
      studio.POST('/orders/{id}/remakes', {
        params: pathOf(order),
        body: {
          remakeId,
          lines,
          reason: fields.reason.trim(),
          ...(fields.elsewhere ? { shippingAddress: addressOf(fields.address) } : {}),
        },
      }),
    );
  return (
    <Action
      label={ACTIONS.remake.label}
      title={`Make ${order.orderNumber} again`}
      says={[
        'A new order with the same artwork and selections goes to the floor, at no charge: no price, no invoice.',
        `${order.accountName} is told nothing by itself and nobody gets a mail; their order shows the remake and its parcels.`,
      ]}
      run={send}
      onOpen={clear}
      ready={lines.length > 0 && fields.reason.trim() !== ''}
      done={({ orderNumber }) => `${orderNumber} goes to the floor`}
      result={whereTo}
    >
      <PieceFields
        legend="Pieces to make again"
        lines={order.job.lines}
        most={order.job.lines.map(({ quantity }) => quantity)}
        counts={fields.counts}
        set={(counts) => set('counts', counts)}
      />
      <Textarea
        label="Why"
        description="It stands on the job sheet."
        required
        maxLength={500}
        placeholder="such as: corner crushed in transit"
        {...typed('reason')}
      />
      <Checkbox label="Send it to another address" {...checkbox('elsewhere')} />
      {fields.elsewhere && <AddressFields address={fields.address} set={(address) => set('address', address)} />}
    </Action>
  );
}

const whereTo = ({ orderId, orderNumber }: Order) => (
  <Text>
    It is made again as <NamedOrderLink order={orderId}>{orderNumber}</NamedOrderLink>.
  </Text>
);
