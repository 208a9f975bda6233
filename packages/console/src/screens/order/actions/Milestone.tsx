import { type ButtonProps, Textarea, TextInput } from '@mantine/core';
import { type BodyOf, callApi, studio } from '../../../api/studio';
import { useHasRole, useSession } from '../../../session/session';
import { Action, trimToUndefined, useActionForm } from '../../../shared/action';
import { DateTimeInput } from '../../../shared/inputs';
import { LineChoice } from '../../../shared/line-choice';
import { parseLocalTime } from '../../../shared/local-time';
import { displayStatus } from '../../../shared/progress';
import { isStage, openLines } from '../../../shared/stages';
import { statusLabel } from '../../../shared/words';
import {
  actionLabel,
  actionOf,
  isHandover,
  MAX_NAME_LENGTH,
  type MilestoneType,
  type Order,
  type OrderActionProps,
  pathOf,
} from '../studio-order';
import { scanRefusal } from '../scan-refusal';
import { entryTitle, linesInWords, notificationText } from '../words';
import { consequences } from './consequences';

interface MilestoneProps extends OrderActionProps {
  type: MilestoneType;
  /** The line that `artwork_rejected` is about, from 0. */
  line?: number;
  button?: ButtonProps;
}

interface Sent {
  after: Order;
  milestoneId: string;
}

/** Milestones with a reason that the client sees: whether the API requires it. */
const HAS_REQUIRED_REASON: Partial<Record<MilestoneType, boolean>> = { held: false, artwork_rejected: true };

/** Reads the order past the cache, whose reads can be cancelled. @throws Refusal */
export const readOrder = (order: Order) => callApi(studio.GET('/orders/{id}', { params: pathOf(order) }));

export const sendMilestone = (order: Order, body: BodyOf<'recordMilestone'>) =>
  callApi(studio.POST('/orders/{id}/milestones', { params: pathOf(order), body }));

/** Undoes a milestone; a repeat changes nothing. The floor may do it for 60 seconds. @throws Refusal */
export const undoMilestone = (id: string, milestoneId: string, reason = 'Undone right after it was recorded') =>
  callApi(studio.POST('/orders/{id}/milestones/{milestoneId}/correct', { params: { path: { id, milestoneId } }, body: { reason } }));

const CONFIRMED_BY_SCAN: ReadonlySet<MilestoneType> = new Set(['production_started', 'printed', 'framed', 'checked', 'ready', 'completed']);

export function Milestone({ order, type, line, button = {}, ref }: MilestoneProps) {
  const isOffice = useHasRole('office');
  const { timeZone } = useSession();
  const isReasonRequired = HAS_REQUIRED_REASON[type];
  const isCancel = type === 'cancelled';
  const hasName = isHandover(order, type);
  const form = useActionForm(
    () => ({ note: '', occurredTime: '', reason: '', signedBy: '', lines: [] as number[] }),
    ({ note, reason, signedBy }) => ({
      signedBy: hasName && signedBy.trim() === '' && 'Enter who collects it',
      reason: isReasonRequired === true && reason.trim() === '' && 'Enter a reason',
      note: isCancel && note.trim() === '' && 'Enter a reason',
    }),
  );
  const { note, occurredTime, reason, signedBy, lines } = form.values;
  const open = isStage(type) ? openLines(order, type) : [];
  const send = async (milestoneId: string): Promise<Sent> => {
    const body = {
      milestoneId,
      type,
      line,
      ...(lines.length > 0 && { lines }),
      reason: trimToUndefined(reason),
      signedBy: trimToUndefined(signedBy),
      note: trimToUndefined(note),
      occurredAt: parseLocalTime(occurredTime, timeZone) ?? undefined,
    };
    return { after: await sendMilestone(order, body), milestoneId };
  };
  const label = actionLabel(order, type);
  const title = `${label}: ${order.orderNumber}`;
  return (
    <Action<Sent>
      ref={ref}
      label={label}
      scanConfirms={CONFIRMED_BY_SCAN.has(type) && scanRefusal(order, type) === null}
      {...(line === undefined ? {} : { target: `of line ${line + 1}` })}
      title={line === undefined ? title : `${title}, line ${line + 1}`}
      consequences={[...consequences(order, type, isOffice, lines), notificationText(actionOf(order, type).eventType, order)]}
      subject={`${order.orderId} ${line ?? ''}`}
      run={send}
      find={async (milestoneId) =>
        (await readOrder(order)).timeline.some((entry) => entry.milestoneId === milestoneId && entry.outcome === 'applied')
      }
      {...form.action}
      toast={({ after }) =>
        `${after.orderNumber}: ${entryTitle(type).toLowerCase()}${lines.length > 0 ? `, ${linesInWords(lines)}` : ''}. Status: ${statusLabel(displayStatus(after)).toLowerCase()}.`
      }
      {...(isCancel ? {} : { undo: ({ milestoneId }) => undoMilestone(order.orderId, milestoneId) })}
      danger={isCancel}
      {...(isCancel && { cancel: 'Keep order' })}
      button={button}
    >
      <LineChoice lines={open} jobLines={order.job.lines} chosen={lines} onChange={(chosen) => form.setFieldValue('lines', chosen)} />
      {hasName && (
        <TextInput
          label="Collected by"
          data-scan="name"
          description="The client does not see it."
          required
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          data-autofocus
          {...form.field('signedBy')}
        />
      )}
      {isReasonRequired !== undefined && (
        <Textarea
          label={order.remakeOf === null ? 'Reason for the client' : 'Reason'}
          description={order.remakeOf === null ? 'The client sees it on the order.' : 'The client does not see it.'}
          required={isReasonRequired}
          maxLength={500}
          data-autofocus
          {...form.field('reason')}
        />
      )}
      <Textarea
        label={isCancel ? 'Reason' : 'Note'}
        description="The client does not see it."
        required={isCancel}
        maxLength={2000}
        {...form.field('note')}
      />
      <DateTimeInput label="Time" daysAhead={0} {...form.field('occurredTime')} />
    </Action>
  );
}
