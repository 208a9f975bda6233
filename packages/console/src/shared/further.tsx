import { Badge } from '@mantine/core';
import { furtherOf, type Progress } from './pieces';

/** Beside an order's status: that it is printed, or how many of its pieces have left. */
export function Further({ of: order }: { of: Progress }) {
  const words = furtherOf(order);
  if (words === null) return null;
  return (
    <Badge variant="outline" color="teal" tt="none" fw={500} size="sm" className="mark">
      {words}
    </Badge>
  );
}
