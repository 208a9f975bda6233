import { Textarea } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import { wordsOf } from '../../../shared/status';
import type { Order, TimelineEntry } from '../order';
import { happened, isTold, whoIsTold } from '../words';
import { useFields } from './fields';

/** Takes back a milestone that was told by mistake: the order is then what the others lead to. */
export function TakeBack({ order, entry: { milestoneId, type } }: { order: Order; entry: TimelineEntry }) {
  const { fields, typed, clear } = useFields(() => ({ reason: '' }));
  const what = happened(type).toLowerCase();
  return (
    <Action
      label="Take back"
      title={`Take back: ${what}`}
      says={[
        'The order is then what everything else that happened leads to; parcels and money stay as they are. Both entries stay here.',
        order.remakeOf === null
          ? `Where that changes its status: ${isTold(order, ' of the status it has then')} Otherwise nobody is told.`
          : whoIsTold(null, order),
      ]}
      repeats="safely"
      run={() =>
        ask(
          studio.POST('/orders/{id}/milestones/{milestoneId}/correct', {
            params: { path: { id: order.orderId, milestoneId } },
            body: { reason: fields.reason.trim() },
          }),
        )
      }
      onOpen={clear}
      ready={fields.reason.trim() !== ''}
      done={({ orderNumber, status }) => `Taken back: ${what}. ${orderNumber} reads “${wordsOf(status).toLowerCase()}”.`}
      button={{ size: 'compact-xs', mt: 4, 'aria-label': `Take back: ${what}` }}
    >
      <Textarea
        label="Why"
        placeholder="the wrong sheet was scanned"
        required
        autosize
        minRows={2}
        maxLength={2000}
        data-autofocus
        {...typed('reason')}
      />
    </Action>
  );
}
