import { Anchor, Text } from '@mantine/core';
import { useMay } from '../../session/session';
import { Money } from '../../shared/money';
import { FactList, Part } from '../../shared/part';
import { wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import type { Order } from './order';
import { cancelInWords } from './words';

export function Facts({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const { facts, baseStatus, currency, orderId, quoteId, erasedAt } = order;
  return (
    <Part title="Facts">
      <FactList
        facts={{
          'Can the client cancel?': cancelInWords(order, mayOffice),
          Printed: facts.printed ? 'yes' : 'no',
          'Parcels under way or there': String(facts.liveParcels),
          'If every parcel came back it would read': facts.liveParcels > 0 && wordsOf(baseStatus).toLowerCase(),
          Paid: mayOffice && <Money cents={facts.paidCents} currency={currency} />,
          "The customer's data was erased": erasedAt !== null && <When at={erasedAt} />,
          'Order id': <span className="mono">{orderId}</span>,
          Quote: quoteId !== null && <span className="mono">{quoteId}</span>,
        }}
      />
    </Part>
  );
}

export function ShipsTo({ order: { accountName, job } }: { order: Order }) {
  const { shippingAddress: address, specialInstructions, whiteLabel, shippingMethod, shippingMethodName } = job;
  const { name, company, line1, line2, city, state, postcode, country, phone, email } = address;
  const rows = [name, company, line1, line2, `${city} ${state} ${postcode}`, country].filter((row) => (row ?? '').trim() !== '');
  return (
    <Part title="Ships to">
      <Text component="address" fs="normal" size="sm" className="wraps">
        {rows.map((row, at) => (
          // Rows of an address may be alike.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={at}>{row}</div>
        ))}
        {phone ? <Anchor href={`tel:${phone}`}>{phone}</Anchor> : null}
        <div>{email}</div>
      </Text>
      <FactList
        facts={{
          Shipping: shippingMethodName ?? shippingMethod ?? 'not said',
          'Sent as': whiteLabel ? `${accountName}: white label, nothing of ours in the parcel` : 'the studio',
          Remake: job.remake !== null && job.remake,
          'Asked for': specialInstructions ?? 'nothing in particular',
        }}
      />
    </Part>
  );
}
