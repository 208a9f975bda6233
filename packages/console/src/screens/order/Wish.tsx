import { Alert } from '@mantine/core';
import type { Order } from './order';

/** What the client asked for with this order, where nobody overlooks it. */
export function Wish({ order: { job } }: { order: Order }) {
  const wish = job.specialInstructions?.trim() ?? '';
  if (wish === '') return null;
  return (
    <Alert color="yellow" role="note" aria-label="What the client asked for" p="xs" className="wraps">
      <b>Asked for:</b> <span className="lines">{wish}</span>
    </Alert>
  );
}
