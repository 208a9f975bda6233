import { Badge } from '@mantine/core';
import type { Known, Of } from '../api/types';
import type { Judgement } from '../endpoints/judgement';
import { known } from './known';
import { ORDER_STATUSES } from './order-status';

type State = Known<Of<'Invoice'>['state'] | Of<'Delivery'>['state'] | Of<'Account'>['status'] | Of<'WebhookEndpoint'>['state']> | Judgement;

const COLOURS: Readonly<Record<State, string>> = {
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

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `in_production` as people say it: `In production`. */
export function wordsOf(state: string): string {
  return capital(state.replaceAll('_', ' ').toLowerCase());
}

export const colourOf = (state: string): string => known(ORDER_STATUSES, state)?.colour ?? known(COLOURS, state) ?? 'gray';

export function Status({ of }: { of: string }) {
  return (
    <Badge variant="dot" color={colourOf(of)} tt="none" fw={500} miw="max-content">
      {wordsOf(of)}
    </Badge>
  );
}
