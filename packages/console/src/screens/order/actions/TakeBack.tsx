import { Textarea } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import { wordsOf } from '../../../shared/status';
import type { Order, TimelineEntry } from '../order';
import { happened } from '../words';
import { afterTakingBack } from './afterwards';
import { useFields } from '../../../shared/fields';

interface TakeBackProps {
  order: Order;
  entry: TimelineEntry;
  /** Beside the entry itself; elsewhere the button says which entry it is. */
  isBeside?: boolean;
}

export function TakeBack({ order, entry, isBeside = false }: TakeBackProps) {
  const { milestoneId, type } = entry;
  const { fields, typed, clear } = useFields(() => ({ reason: '' }));
  const what = happened(type).toLowerCase();
  return (
    <Action
      label={isBeside ? 'Take back' : `Take back: ${what}`}
      title={`Take back: ${what}`}
      says={afterTakingBack(order, entry)}
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
      {...(isBeside ? { button: { size: 'compact-xs', mt: 4, 'aria-label': `Take back this entry: ${what}` } } : {})}
    >
      <Textarea
        label="Why"
        placeholder="such as: the wrong sheet was scanned"
        required
        maxLength={2000}
        data-autofocus
        {...typed('reason')}
      />
    </Action>
  );
}
