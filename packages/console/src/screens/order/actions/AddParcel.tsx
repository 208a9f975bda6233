import { Checkbox, Group, TextInput } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { WhenInput } from '../../../shared/inputs';
import { instantOf } from '../../../shared/zoned';
import { ACTIONS } from '../action-table';
import { actionOf, leftOver, type Order, pathOf } from '../order';
import { whoIsTold } from '../words';
import { noMoreCancel } from './consequences';
import { Doubt, useDoubt } from '../../../shared/doubt';
import { given, useFields } from '../../../shared/fields';
import { isOrderNumber } from '../../../shared/order-number';
import { PieceFields, piecesOf } from './fields';
import { ordersWith } from './tracking';

export function AddParcel({ order, isNext }: { order: Order; isNext: boolean }) {
  const { timeZone } = useSession();
  const left = leftOver(order);
  const isAnyLeft = left.some((count) => count > 0);
  // What is in such a parcel is not known, and so neither what is left.
  const isUnsaid = order.parcels.some(({ voidedAt, lines: holds }) => voidedAt === null && holds === null);
  const { fields, set, checkbox, typed, clear } = useFields(() => ({
    trackingNumber: '',
    carrier: '',
    trackingUrl: '',
    at: '',
    says: isAnyLeft && !isUnsaid,
    counts: left,
  }));
  const lines = fields.says ? piecesOf(fields.counts) : undefined;
  const trackingNumber = fields.trackingNumber.trim();
  const isNumber = isOrderNumber(trackingNumber);
  const doubt = useDoubt({
    noun: 'tracking',
    about: trackingNumber === '' || isNumber ? null : trackingNumber,
    find: () => ordersWith(trackingNumber, order),
  });
  const send = (parcelId: string) => {
    doubt.setSure(true);
    return ask(
      studio.POST('/orders/{id}/parcels', {
        params: pathOf(order),
        body: {
          parcelId,
          trackingNumber,
          carrier: given(fields.carrier),
          trackingUrl: given(fields.trackingUrl),
          shippedAt: instantOf(fields.at, timeZone) ?? undefined,
          lines,
        },
      }),
    );
  };
  return (
    <Action
      label={ACTIONS.parcel_added.label}
      title={`A parcel of ${order.orderNumber}`}
      says={[
        order.facts.liveParcels === 0
          ? 'The order reads shipped from now on, until its last label is voided.'
          : 'The order reads shipped already, by another parcel.',
        ...noMoreCancel(order),
        whoIsTold(actionOf(order, 'parcel_added').tells, order),
      ]}
      run={send}
      onOpen={() => {
        clear();
        doubt.reset();
      }}
      ready={trackingNumber !== '' && !isNumber && doubt.isReady && lines?.length !== 0}
      labels={{ trackingNumber: 'Tracking number' }}
      done={({ orderNumber }) => `A parcel of ${orderNumber} has left`}
      {...(isNext ? { button: { variant: 'filled' } } : {})}
    >
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label="Tracking number"
          required
          maxLength={200}
          data-autofocus
          error={isNumber && 'This is the number of an order. Enter the number on the carrier’s label.'}
          {...typed('trackingNumber')}
        />
        <TextInput label="Carrier" placeholder="such as Australia Post" maxLength={100} {...typed('carrier')} />
      </Group>
      <Doubt title={`${trackingNumber} is on another parcel`} label="It is right" doubt={doubt}>
        A parcel of {doubt.places.map((number) => (number === order.orderNumber ? 'this order' : number)).join(', ')} already has this
        tracking number.
      </Doubt>
      <TextInput label="Where it can be tracked" placeholder="such as https://…" type="url" {...typed('trackingUrl')} />
      <WhenInput label="When it left" {...typed('at')} />
      <Checkbox
        label="Say what it holds"
        description={isAnyLeft ? 'Then its packing slip lists just that.' : 'Every piece is in a parcel already.'}
        disabled={!isAnyLeft}
        {...checkbox('says')}
      />
      {fields.says && (
        <PieceFields
          legend="Pieces in this parcel"
          lines={order.job.lines}
          most={left}
          counts={fields.counts}
          set={(counts) => set('counts', counts)}
        />
      )}
    </Action>
  );
}
