import { Badge } from '@mantine/core';
import type { KnownValue, Schema } from '../api/studio';
import type { Health } from '../endpoints/health';
import { ownValue } from './own-value';
import { ORDER_STATUSES } from './progress';
import { statusLabel } from './words';

type State =
  | KnownValue<Schema<'Invoice'>['state'] | Schema<'Delivery'>['state'] | Schema<'Account'>['status'] | Schema<'WebhookEndpoint'>['state']>
  | KnownValue<Schema<'Send'>['state']>
  | 'running'
  | 'paused'
  | Health
  | 'overdue'
  | 'part_shipped';

const COLOURS: Readonly<Record<State, string>> = {
  open: 'indigo',
  overdue: 'red',
  part_paid: 'yellow',
  part_shipped: 'teal',
  paid: 'green',
  void: 'gray',
  credited: 'gray',
  pending: 'indigo',
  sent: 'green',
  refused: 'red',
  skipped: 'gray',
  running: 'indigo',
  paused: 'yellow',
  delivered: 'green',
  failed: 'red',
  held: 'yellow',
  active: 'green',
  enabled: 'green',
  disabled: 'red',
  failing: 'red',
  waiting: 'yellow',
  idle: 'gray',
  working: 'green',
  suspended: 'red',
};

export const statusColor = (state: string): string => ownValue(ORDER_STATUSES, state)?.colour ?? ownValue(COLOURS, state) ?? 'gray';

export function StatusBadge({ of }: { of: string }) {
  return (
    <Badge variant="dot" color={statusColor(of)} tt="none" fw={500} miw="max-content">
      {statusLabel(of)}
    </Badge>
  );
}
