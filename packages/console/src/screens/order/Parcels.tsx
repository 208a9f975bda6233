import { Anchor, Group, Text } from '@mantine/core';
import { ask, studio } from '../../api/studio';
import { Action, Offered } from '../../shared/action';
import { Rows, type RowsColumn } from '../../shared/list';
import { Part } from '../../shared/part';
import { ofLines, unpackedOf } from '../../shared/pieces';
import { When } from '../../shared/when';
import { actionOf, type Order, type Parcel } from './order';
import { piecesInWords, whoIsTold } from './words';

export function Parcels({ order }: { order: Order }) {
  return (
    <Part title="Parcels" beside={<WholeSlip order={order} />}>
      <Rows
        label="Parcels"
        rows={order.parcels}
        keyOf={({ parcelId }) => parcelId}
        empty="Nothing has left yet. “Add a parcel” above tells that one has, and of its tracking number."
        columns={columnsOf(order)}
      />
      <Left order={order} />
    </Part>
  );
}

const columnsOf = (order: Order): readonly RowsColumn<Parcel>[] => [
  { heading: 'Tracking', cell: (parcel) => <Tracking parcel={parcel} /> },
  { heading: 'Carrier', cell: ({ carrier }) => carrier ?? '–' },
  { heading: 'Holds', cell: ({ lines }) => piecesInWords(lines) },
  { heading: 'Left', cell: ({ shippedAt }) => <When at={shippedAt} /> },
  { heading: 'Label', cell: (parcel) => <Label order={order} parcel={parcel} /> },
];

function WholeSlip({ order: { orderNumber } }: { order: Order }) {
  return (
    <Anchor size="sm" href={`/studio/v1/orders/${orderNumber}/packing-slip.pdf`} target="_blank">
      Packing slip of the whole order (PDF)
    </Anchor>
  );
}

function Tracking({ parcel: { trackingNumber, trackingUrl } }: { parcel: Parcel }) {
  if (trackingUrl === null) return <span className="wraps">{trackingNumber}</span>;
  return (
    <Anchor href={trackingUrl} target="_blank" rel="noreferrer" inherit className="wraps">
      {trackingNumber} ↗
    </Anchor>
  );
}

function Label({ order, parcel }: { order: Order; parcel: Parcel }) {
  const { parcelId, trackingNumber, voidedAt } = parcel;
  return (
    <Group gap="xs" className="label">
      {voidedAt === null ? (
        <>
          <Text span inherit>
            valid
          </Text>
          <Anchor
            href={`/studio/v1/orders/${order.orderNumber}/packing-slip.pdf?parcelId=${encodeURIComponent(parcelId)}`}
            target="_blank"
            size="sm"
            aria-label={`Packing slip of ${trackingNumber} (PDF)`}
          >
            Packing slip
          </Anchor>
        </>
      ) : (
        <Text span inherit>
          voided <When at={voidedAt} />
        </Text>
      )}
      <Offered value={voidedAt === null}>
        <Void order={order} parcel={parcel} />
      </Offered>
    </Group>
  );
}

function Void({ order, parcel: { parcelId, trackingNumber } }: { order: Order; parcel: Parcel }) {
  const isLast = order.facts.liveParcels === 1;
  return (
    <Action
      label="Void"
      title={`Void the label of ${trackingNumber}`}
      says={[
        isLast
          ? 'It was the only parcel: the order reads what it did before.'
          : 'The order reads shipped still: another parcel is under way.',
        'A voided label does not come back; a new one is added as another parcel.',
        whoIsTold(isLast ? actionOf(order, 'parcel_voided').tells : null, order),
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/orders/{id}/parcels/{parcelId}', { params: { path: { id: order.orderId, parcelId } } }))}
      done={() => `The label of ${trackingNumber} is void`}
      danger
    />
  );
}

function Left({ order }: { order: Order }) {
  if (order.shipments.length === 0 || order.shipments.some(({ lines }) => lines === null)) return null;
  const left = ofLines(unpackedOf(order));
  return (
    <Text size="sm" mt="xs">
      {left === '' ? 'Every piece is in a parcel.' : `In no parcel yet: ${left}.`}
    </Text>
  );
}
