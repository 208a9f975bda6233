import { Textarea } from '@mantine/core';
import { Action, useReasonForm } from '../../../shared/action';
import { statusLabel } from '../../../shared/words';
import { displayStatus } from '../../../shared/progress';
import type { Order, TimelineEntry } from '../order';
import { entryTitle } from '../words';
import { undoMilestone } from '../../../shared/undo';
import { undoConsequences } from './consequences';

/** Undoes a milestone (ruling 46). Its button is in the timeline. */
export function UndoMilestone({ order, entry }: { order: Order; entry: TimelineEntry }) {
  const form = useReasonForm();
  const title = entryTitle(entry.type).toLowerCase();
  return (
    <Action
      label="Undo"
      target={title}
      title={`Undo ${title}`}
      consequences={undoConsequences(order, entry)}
      repeats="safely"
      run={() => undoMilestone(order.orderId, entry.milestoneId, form.values.reason.trim())}
      {...form.action}
      toast={(after) => `Undone: ${title}. Status: ${statusLabel(displayStatus(after)).toLowerCase()}.`}
      button={{ size: 'compact-xs', mt: 4 }}
    >
      <Textarea label="Reason" placeholder="Wrong job sheet scanned" required maxLength={2000} data-autofocus {...form.field('reason')} />
    </Action>
  );
}
