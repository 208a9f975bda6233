import { Badge, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { orderQuery } from '../api/reads';
import type { Schema } from '../api/studio';
import { useHasRole, useSession } from '../session/session';
import { attentionWords, isForOffice } from './attention';
import { isPastDue } from './local-time';
import { describeProgress, type Progress } from './progress';
import { statusLabel } from './words';
import { Day } from './time';
import { TextLink } from './text-link';

export type OrderRow = Schema<'StudioOrderRow'>;

/** The picture of a line, from 0. */
export const previewUrl = (orderNumber: string, line: number, size: 'large' | 'small'): string =>
  `/studio/v1/orders/${orderNumber}/lines/${line}/preview?size=${size}`;

/** An id or another spelling in the address becomes the number of the order: scans are compared with it. */
export function useNumberInAddress(named: string, order: Schema<'StudioOrder'> | undefined, replace: (number: string) => unknown): void {
  const queries = useQueryClient();
  const replaceNow = useEffectEvent(replace);
  useEffect(() => {
    if (order === undefined || order.orderNumber === named) return;
    queries.setQueryData(orderQuery(order.orderNumber).queryKey, order);
    replaceNow(order.orderNumber);
  }, [named, order, queries]);
}

export function OrderLink({ number }: { number: string }) {
  return (
    <TextLink to="/orders/$order" params={{ order: number }} fw={600} className="nowrap">
      {number}
    </TextLink>
  );
}

export function AccountLink({ id, name, ...props }: { id: string; name: string; size?: 'sm'; fw?: number; underline?: 'always' }) {
  return (
    <TextLink to="/accounts/$account" params={{ account: id }} {...props}>
      {name}
    </TextLink>
  );
}

export function OrderLinkWithText({ order, children }: { order: string; children: React.ReactNode }) {
  return (
    <TextLink underline="always" to="/orders/$order" params={{ order }}>
      {children}
    </TextLink>
  );
}

export function DueDate({ of: { dueDate, late } }: { of: Pick<OrderRow, 'dueDate' | 'late'> }) {
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

/** The recipient's name and the client's references, each once. */
export const recipientAndReferences = ({
  recipientName,
  reference,
  lines,
}: Pick<OrderRow, 'recipientName' | 'reference' | 'lines'>): string[] => [
  ...new Set(
    [recipientName, reference ?? '', ...lines.map(({ externalReference }) => externalReference ?? '')].filter((text) => text.trim() !== ''),
  ),
];

export const countPieces = ({ lines }: Pick<OrderRow, 'lines'>): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** Badges for open attention, remakes, rush and an overdue invoice. */
export function OrderBadges({ of: order }: { of: OrderRow }) {
  const isOffice = useHasRole('office');
  const { timeZone } = useSession();
  const codes = [...new Set(order.attention.map(({ code }) => code))].filter((code) => isOffice || !isForOffice(code));
  const notes = [
    ...(order.remakeOf === null ? [] : [`Remake of ${order.remakeOf.orderNumber}`]),
    ...(order.remakes.length === 0 ? [] : ['Remade']),
    ...(order.rushTier === 'standard' ? [] : [`${statusLabel(order.rushTier)} rush`]),
  ];
  return (
    <>
      {codes.map((code) => (
        <Note key={code} color="orange" text={attentionWords(code).title} />
      ))}
      {isOffice && isOverdue(order, timeZone) && <Note color="red" text="Overdue" />}
      {notes.map((text) => (
        <Note key={text} color="gray" text={text} />
      ))}
    </>
  );
}

const isOverdue = ({ invoice }: OrderRow, timeZone: string): boolean =>
  invoice !== null && (invoice.state === 'open' || invoice.state === 'part_paid') && isPastDue(invoice.dueAt, timeZone);

function Note({ color, text }: { color: string; text: string }) {
  return (
    <Badge variant="outline" color={color} c="var(--mantine-color-text)" tt="none" fw={500} size="sm" mr={4}>
      {text}
    </Badge>
  );
}

export function ProgressNote({ of: order }: { of: Progress }) {
  const text = describeProgress(order);
  return text !== null && <Note color="teal" text={text} />;
}
