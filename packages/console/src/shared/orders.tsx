import { Badge, Group, Text } from '@mantine/core';
import type { Of } from '../api/types';
import { useMay } from '../session/session';
import { isAboutMoney } from './attention';
import { furtherOf, type Progress } from './pieces';
import { wordsOf } from './status';
import { Day } from './when';
import { To } from './to';

export type OrderRow = Of<'StudioOrderRow'>;

export function OrderLink({ number }: { number: string }) {
  return (
    <To to="/orders/$order" params={{ order: number }} fw={600} className="nowrap">
      {number}
    </To>
  );
}

export function AccountLink({ id, name, ...props }: { id: string; name: string; size?: 'sm'; fw?: number; underline?: 'always' }) {
  return (
    <To to="/accounts/$account" params={{ account: id }} {...props}>
      {name}
    </To>
  );
}

export function NamedOrderLink({ order, children }: { order: string; children: React.ReactNode }) {
  return (
    <To underline="always" to="/orders/$order" params={{ order }}>
      {children}
    </To>
  );
}

export function Due({ of: { dueDate, late } }: { of: Pick<OrderRow, 'dueDate' | 'late'> }) {
  return (
    <span>
      <Day day={dueDate} />
      {late && (
        <Text span inherit fw={700} c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))">
          {' '}
          late
        </Text>
      )}
    </span>
  );
}

export const piecesOf = ({ lines }: Pick<OrderRow, 'lines'>): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** What else to know of an order before it is opened: that it needs a person, is a remake or in a hurry, and whose label goes on it. */
export function Marks({ of: order }: { of: OrderRow }) {
  const mayOffice = useMay('office');
  const codes = [...new Set(order.attention.map(({ code }) => code))].filter((code) => mayOffice || !isAboutMoney(code));
  const marks = [
    ...(order.remakeOf === null ? [] : [`Remake of ${order.remakeOf.orderNumber}`]),
    ...(order.remakes.length === 0 ? [] : ['Made again']),
    ...(order.rushTier === 'standard' ? [] : [`${wordsOf(order.rushTier)} rush`]),
    ...(order.whiteLabel ? ['White label'] : []),
  ];
  if (codes.length + marks.length === 0) return null;
  return (
    <Group gap={4} justify="flex-start">
      {codes.map((code) => (
        <Mark key={code} colour="orange" words={`⚠ ${wordsOf(code)}`} />
      ))}
      {marks.map((words) => (
        <Mark key={words} colour="gray" words={words} />
      ))}
    </Group>
  );
}

function Mark({ colour, words }: { colour: string; words: string }) {
  return (
    <Badge variant="outline" color={colour} tt="none" fw={500} size="sm" className="mark">
      {words}
    </Badge>
  );
}

export function Further({ of: order }: { of: Progress }) {
  const words = furtherOf(order);
  if (words === null) return null;
  return (
    <Badge variant="outline" color="teal" tt="none" fw={500} size="sm" className="mark">
      {words}
    </Badge>
  );
}
