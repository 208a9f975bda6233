import { Stack, Textarea } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import type { operations } from '../../../generated/studio';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { WhenInput } from '../../../shared/inputs';
import { wordsOf } from '../../../shared/status';
import { instantOf } from '../../../shared/zoned';
import { ACTIONS } from '../action-table';
import { type Order, type OrderAction, pathOf } from '../order';
import { happened, whoIsTold } from '../words';
import { given, useFields } from '../../../shared/fields';
import { Fold } from './fields';

export type MilestoneType = NonNullable<operations['recordMilestone']['requestBody']>['content']['application/json']['type'];

interface MilestoneProps {
  order: Order;
  action: OrderAction & { type: MilestoneType };
  says: readonly string[];
  isNext: boolean;
}

export function Milestone({ order, action: { type, tells }, says, isNext }: MilestoneProps) {
  const { timeZone } = useSession();
  const { fields, typed, clear } = useFields(() => ({ note: '', at: '' }));
  const isCancel = type === 'cancelled';
  const send = (milestoneId: string) =>
    ask(
      studio.POST('/orders/{id}/milestones', {
        params: pathOf(order),
        body: { milestoneId, type, note: given(fields.note), occurredAt: instantOf(fields.at, timeZone) ?? undefined },
      }),
    );
  const note = (
    <Textarea
      label={isCancel ? 'Why' : 'Note'}
      description={isCancel ? 'It stays in the timeline; the client does not see it.' : 'It stays in the timeline, for the studio.'}
      required={isCancel}
      autosize
      minRows={2}
      maxLength={2000}
      {...typed('note')}
    />
  );
  return (
    <Action
      label={ACTIONS[type].label}
      title={`${ACTIONS[type].label}: ${order.orderNumber}`}
      says={[...says, whoIsTold(tells, order)]}
      run={send}
      onOpen={clear}
      ready={!isCancel || fields.note.trim() !== ''}
      done={({ orderNumber, status }) => `${orderNumber}: ${happened(type).toLowerCase()}. It reads “${wordsOf(status).toLowerCase()}”.`}
      danger={isCancel}
      {...(isNext ? { button: { variant: 'filled' } } : {})}
    >
      {isCancel && note}
      <Fold label={isCancel ? 'It happened at another time' : 'Add a note, or another time'}>
        <Stack gap="xs">
          {!isCancel && note}
          <WhenInput label="When it happened" {...typed('at')} />
        </Stack>
      </Fold>
    </Action>
  );
}
