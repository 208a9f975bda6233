import { Badge } from '@mantine/core';
import { known } from './known';

const COLOURS: Readonly<Record<string, string>> = {
  received: 'indigo',
  in_production: 'violet',
  on_hold: 'yellow',
  shipped: 'teal',
  completed: 'green',
  cancelled: 'gray',
  open: 'indigo',
  part_paid: 'yellow',
  paid: 'green',
  void: 'gray',
  credited: 'gray',
  pending: 'indigo',
  delivered: 'green',
  failed: 'red',
  held: 'yellow',
  active: 'green',
  enabled: 'green',
  disabled: 'red',
  failing: 'red',
  waiting: 'yellow',
  not_used_yet: 'gray',
  works: 'green',
  suspended: 'red',
};

/** As a sentence begins. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `in_production` as people say it: `In production`. */
export function wordsOf(state: string): string {
  return capital(state.replaceAll('_', ' ').toLowerCase());
}

/** A status of an order, invoice, delivery, account or endpoint: its words, never its colour alone. */
export function Status({ of }: { of: string }) {
  return (
    <Badge variant="dot" color={known(COLOURS, of) ?? 'gray'} tt="none" fw={500} miw="max-content">
      {wordsOf(of)}
    </Badge>
  );
}
