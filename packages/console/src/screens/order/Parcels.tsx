import { Anchor, Group, Text } from '@mantine/core';
import { callApi, studio } from '../../api/studio';
import { useSession } from '../../session/session';
import { Action, ActionButtons, useActionForm } from '../../shared/action';
import { DateTimeInput } from '../../shared/inputs';
import { parseLocalTime } from '../../shared/local-time';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { Panel } from '../../shared/layout';
import { describeLineCounts, unpackedOf } from '../../shared/progress';
import { serviceNow } from '../../shared/service-clock';
import { Time } from '../../shared/time';
import { voidParcel } from './actions/AddParcel';
import { actionOf, ACTIONS, type Order, type Parcel } from './studio-order';
import { notificationText, piecesInWords } from './words';

export function Parcels({ order }: { order: Order }) {
  const slip = `/studio/v1/orders/${order.orderNumber}/packing-slip.pdf`;
  return (
    <Panel
      title="Parcels"
      beside={
        <Anchor size="sm" href={slip} target="_blank">
          Packing slip (PDF)
        </Anchor>
      }
    >
      <StaticTable
        label="Parcels"
        rows={order.parcels}
        keyOf={({ parcelId }) => parcelId}
        empty="No parcels"
        columns={columnsOf(order, slip)}
      />
      <Unpacked order={order} />
    </Panel>
  );
}

const columnsOf = (order: Order, slip: string): readonly RowsColumn<Parcel>[] => [
  { heading: 'Tracking', wrap: true, cell: (parcel) => <Tracking parcel={parcel} /> },
  { heading: 'Carrier', wrap: true, cell: ({ carrier }) => carrier ?? '–' },
  { heading: 'Contents', wrap: true, cell: ({ lines }) => piecesInWords(lines) },
  { heading: 'Shipped', cell: ({ shippedAt }) => <Time at={shippedAt} /> },
  { heading: 'Delivered', cell: ({ deliveredAt }) => <Time at={deliveredAt} /> },
  { heading: 'Actions', cell: (parcel) => <ParcelActions order={order} parcel={parcel} slip={slip} /> },
];

function Tracking({ parcel: { trackingNumber, trackingUrl } }: { parcel: Parcel }) {
  if (trackingUrl === null) return <span className="wraps">{trackingNumber}</span>;
  return (
    <Anchor href={trackingUrl} target="_blank" rel="noreferrer" inherit className="wraps">
      {trackingNumber} ↗
    </Anchor>
  );
}

function ParcelActions({ order, parcel, slip }: { order: Order; parcel: Parcel; slip: string }) {
  const { parcelId, trackingNumber, voidedAt } = parcel;
  return (
    <Group gap="xs">
      {voidedAt === null ? (
        <Anchor
          href={`${slip}?parcelId=${encodeURIComponent(parcelId)}`}
          target="_blank"
          size="sm"
          aria-label={`Packing slip of ${trackingNumber} (PDF)`}
        >
          Packing slip
        </Anchor>
      ) : (
        <span>
          Voided <Time at={voidedAt} />
        </span>
      )}
      <ActionButtons shown={voidedAt === null}>
        {parcel.deliveredAt === null ? <DeliverParcel order={order} parcel={parcel} /> : <UndoDelivery order={order} parcel={parcel} />}
        <VoidParcel order={order} parcel={parcel} />
      </ActionButtons>
    </Group>
  );
}

function VoidParcel({ order, parcel: { parcelId, trackingNumber } }: { order: Order; parcel: Parcel }) {
  const isOnlyParcel = order.facts.liveParcels === 1;
  return (
    <Action
      label={ACTIONS.parcel_voided.label}
      title={`Void parcel ${trackingNumber}`}
      consequences={[
        isOnlyParcel ? 'The order is no longer shipped.' : 'The order stays shipped, because it has another parcel.',
        'You cannot undo this, but you can add another parcel.',
        notificationText(isOnlyParcel ? actionOf(order, 'parcel_voided').eventType : null, order),
      ]}
      retry="safe"
      run={() => voidParcel(order.orderId, parcelId)}
      toast={() => `Parcel ${trackingNumber} voided`}
      danger
    />
  );
}

function DeliverParcel({ order, parcel: { parcelId, trackingNumber } }: { order: Order; parcel: Parcel }) {
  const { timeZone } = useSession();
  const form = useActionForm(() => ({ deliveredTime: '' }));
  return (
    <Action
      label="Mark as delivered"
      title={`Mark parcel ${trackingNumber} as delivered`}
      consequences={['The client sees the time with the parcel.', 'The status stays, and the client is not notified. You can undo this.']}
      retry="safe"
      run={() =>
        setDelivered(order.orderId, parcelId, parseLocalTime(form.values.deliveredTime, timeZone) ?? new Date(serviceNow()).toISOString())
      }
      labels={{ deliveredAt: 'Delivered' }}
      toast={() => `Parcel ${trackingNumber} delivered`}
      {...form.action}
    >
      <DateTimeInput label="Delivered" daysAhead={0} {...form.field('deliveredTime')} />
    </Action>
  );
}

function UndoDelivery({ order, parcel: { parcelId, trackingNumber } }: { order: Order; parcel: Parcel }) {
  return (
    <Action
      label="Undo delivery"
      title={`Undo the delivery of parcel ${trackingNumber}`}
      consequences={['The client no longer sees when the parcel was delivered.']}
      retry="safe"
      run={() => setDelivered(order.orderId, parcelId, null)}
      toast={() => `Delivery of ${trackingNumber} undone`}
    />
  );
}

const setDelivered = (id: string, parcelId: string, deliveredAt: string | null) =>
  callApi(studio.PATCH('/orders/{id}/parcels/{parcelId}', { params: { path: { id, parcelId } }, body: { deliveredAt } }));

function Unpacked({ order }: { order: Order }) {
  if (order.shipments.length === 0 || order.shipments.some(({ lines }) => lines === null)) return null;
  const left = describeLineCounts(unpackedOf(order));
  return (
    <Text size="sm" mt="xs">
      {left === '' ? 'All pieces are in a parcel.' : `Not in a parcel: ${left}.`}
    </Text>
  );
}
