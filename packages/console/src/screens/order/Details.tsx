import { Anchor, Text } from '@mantine/core';
import { useHasRole } from '../../session/session';
import { addressLines } from '../../shared/address-lines';
import { FactList, Panel } from '../../shared/layout';
import { Time } from '../../shared/time';
import type { Order } from './studio-order';
import { cancelInWords } from './words';

export function Details({ order }: { order: Order }) {
  const isOffice = useHasRole('office');
  const { orderId, quoteId, erasedAt, workflowUrl } = order;
  return (
    <Panel title="Details">
      <FactList
        facts={{
          'Client can cancel': cancelInWords(order, isOffice),
          'Customer data erased': erasedAt !== null && <Time at={erasedAt} />,
          'Order id': <span className="mono">{orderId}</span>,
          'Quote id': quoteId !== null && <span className="mono">{quoteId}</span>,
          Workflow: (
            <Anchor inherit underline="always" href={workflowUrl} target="_blank" rel="noreferrer">
              Open in Temporal ↗
            </Anchor>
          ),
        }}
      />
    </Panel>
  );
}

export function ShipTo({ order: { accountName, job } }: { order: Order }) {
  const { shippingAddress: address, whiteLabel, shippingMethod, shippingMethodName } = job;
  const { phone, email } = address;
  return (
    <Panel title="Ship to">
      <Text component="address" fs="normal" size="sm" className="wraps">
        {addressLines(address).map((row, index) => (
          // Rows of an address may be equal.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index}>{row}</div>
        ))}
        {phone ? <Anchor href={`tel:${phone}`}>{phone}</Anchor> : null}
        <div>{email}</div>
      </Text>
      <FactList
        facts={{
          Method: shippingMethodName ?? shippingMethod ?? 'None',
          Sender: whiteLabel ? `${accountName} (white label)` : 'The studio',
        }}
      />
    </Panel>
  );
}
