import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { begun, countedFromOne } from '../../shared/attention';

const DELIVERY = /(dlv_[0-9a-f]+)/;

/** What is told of something that needs a person; a webhook it names leads to its attempts. For the office. */
export function Message({ of }: { of: string }) {
  const [before = '', delivery, after = ''] = begun(countedFromOne(of)).split(DELIVERY);
  if (delivery === undefined) return before;
  return (
    // One thing on a phone, where a cell sets what is in it beside each other.
    <span>
      {before}
      <Anchor component={Link} to={`/deliveries/${delivery}`} inherit className="mono short">
        {delivery}
      </Anchor>
      {after}
    </span>
  );
}
