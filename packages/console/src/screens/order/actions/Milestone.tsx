import { type ButtonProps, Stack, Textarea } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import type { BodyOf } from '../../../api/types';
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

export type MilestoneType = BodyOf<'recordMilestone'>['type'];

interface MilestoneProps {
  order: Order;
  action: OrderAction & { type: MilestoneType };
  says: readonly string[];
  /** The line that `artwork_rejected` is about, from 0. */
  line?: number;
  button?: ButtonProps;
}

/** Milestones with a reason that the client sees: whether the API requires it. */
const HAS_REQUIRED_REASON: Partial<Record<MilestoneType, boolean>> = { held: false, artwork_rejected: true };

export function Milestone({ order, action: { type, tells }, says, line, button }: MilestoneProps) {
  const { timeZone } = useSession();
  const { fields, typed, clear } = useFields(() => ({ note: '', at: '', reason: '' }));
  const isReasonRequired = HAS_REQUIRED_REASON[type];
  const isCancel = type === 'cancelled';
  const send = (milestoneId: string) =>
    ask(
      studio.POST('/orders/{id}/milestones', {
        params: pathOf(order),
        body: {
          milestoneId,
          type,
          line,
          reason: given(fields.reason),
          note: given(fields.note),
          occurredAt: instantOf(fields.at, timeZone) ?? undefined,
        },
      }),
    );
  const note = (
    <Textarea
      label={isCancel ? 'Why' : 'Note'}
      description={isCancel ? 'It stays in the timeline; the client does not see it.' : 'It stays in the timeline, for the studio.'}
      required={isCancel}
      maxLength={2000}
      {...typed('note')}
    />
  );
  return (
    <Action
      label={ACTIONS[type].label}
      {...(line === undefined ? {} : { to: `of line ${line + 1}` })}
      title={`${ACTIONS[type].label}: ${order.orderNumber}${line === undefined ? '' : `, line ${line + 1}`}`}
      says={[...says, whoIsTold(tells, order)]}
      run={send}
      onOpen={clear}
      ready={(!isCancel || fields.note.trim() !== '') && (isReasonRequired !== true || fields.reason.trim() !== '')}
      done={({ orderNumber, status }) => `${orderNumber}: ${happened(type).toLowerCase()}. It reads “${wordsOf(status).toLowerCase()}”.`}
      danger={isCancel}
      {...(button === undefined ? {} : { button })}
    >
      {isReasonRequired !== undefined && (
        <Textarea
          label={order.remakeOf === null ? 'Reason for the client' : 'Reason'}
          description={
            order.remakeOf === null
              ? `${order.accountName} sees it on the order.`
              : 'It stays in the timeline. The client does not see issues of a remake.'
          }
          required={isReasonRequired}
          maxLength={500}
          {...typed('reason')}
        />
      )}
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
