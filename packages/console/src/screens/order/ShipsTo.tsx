import { Anchor, Text } from '@mantine/core';
import { Named } from './Named';
import type { Order } from './order';
import { Part } from './Part';

/** Where it goes, how, in whose name, and what was asked for. */
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
      <Named
        rows={[
          ['Shipping', shippingMethodName ?? shippingMethod ?? 'not said'],
          ['Sent as', whiteLabel ? `${accountName}: white label, nothing of ours in the parcel` : 'the studio'],
          ...(job.remake === null ? [] : [['Remake', job.remake] as const]),
          ['Asked for', specialInstructions ?? 'nothing in particular'],
        ]}
      />
    </Part>
  );
}
