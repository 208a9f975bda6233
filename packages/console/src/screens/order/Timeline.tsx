import { Text, Textarea, Timeline as MantineTimeline } from '@mantine/core';
import { useHasRole } from '../../session/session';
import { Action, ActionButtons, useReasonForm } from '../../shared/action';
import { formatMoney } from '../../shared/amount';
import { EmptyState } from '../../shared/feedback';
import { ownValue } from '../../shared/own-value';
import { Panel } from '../../shared/layout';
import { displayStatus } from '../../shared/progress';
import { useIsFuture } from '../../shared/today';
import { Time } from '../../shared/time';
import { capitalize, reasonInWords, statusLabel } from '../../shared/words';
import { ACTIONS, COLLECTED, isApplied, type Order, type TimelineEntry, undoneIds } from './studio-order';
import { undoConsequences } from './actions/consequences';
import { undoMilestone } from './actions/Milestone';
import { actorInWords, changeInWords, entryTitle, fitInWords, lineName, linesInWords, piecesInWords, sendInWords } from './words';

/** The entries of the order's timeline, newest last. The floor role does not see entries about money. */
export function Timeline({ order }: { order: Order }) {
  const isOffice = useHasRole('office');
  const entries = order.timeline.filter(({ type }) => isOffice || (ownValue(ACTIONS, type)?.about !== 'money' && type !== 'document_sent'));
  const undone = undoneIds(order);
  return (
    <Panel title="Timeline">
      {entries.length === 0 ? (
        <EmptyState>No entries</EmptyState>
      ) : (
        <MantineTimeline bulletSize={14} lineWidth={2} active={entries.length}>
          {entries.map((entry) => (
            <MantineTimeline.Item
              key={`${entry.milestoneId} ${entry.type} ${entry.recordedAt}`}
              title={titleOf(entry, order, undone.has(entry.milestoneId))}
            >
              <Entry order={order} entry={entry} />
            </MantineTimeline.Item>
          ))}
        </MantineTimeline>
      )}
    </Panel>
  );
}

function titleOf(entry: TimelineEntry, order: Order, isUndone: boolean): React.ReactNode {
  if (entry.sendState !== null) return sendInWords(entry.sendState);
  const corrected = order.timeline.find((each) => each.milestoneId === entry.corrects && isApplied(each));
  const own = entry.carried.signedBy === undefined ? entryTitle(entry.type) : COLLECTED;
  const title = corrected === undefined ? own : `Undone: ${entryTitle(corrected.type).toLowerCase()}`;
  if (!isApplied(entry)) return `Refused: ${title.toLowerCase()}`;
  if (!isUndone) return title;
  return (
    <>
      <s>{title}</s> (undone)
    </>
  );
}

function Entry({ order, entry }: { order: Order; entry: TimelineEntry }) {
  const isOffice = useHasRole('office');
  const isWithinUndoTime = useIsFuture(entry.undoableUntil);
  const { occurredAt, recordedAt, actor, note, reason, carried, lines, change, correctable } = entry;
  return (
    <>
      <Text size="sm">
        <Time at={occurredAt} /> · {actorInWords(actor)}
        {isRecordedLater(occurredAt, recordedAt) && (
          <>
            {' '}
            · recorded <Time at={recordedAt} />
          </>
        )}
      </Text>
      {[...(lines === null ? [] : [capitalize(linesInWords(lines))]), ...detailsInWords(carried, order), ...changeInWords(change)].map(
        (words) => (
          <Text key={words} size="sm" className="wraps">
            {words}
          </Text>
        ),
      )}
      {note !== null && <Text size="sm">Note: {note}</Text>}
      {reason !== null && <Text size="sm">Reason: {reasonInWords(reason)}</Text>}
      <ActionButtons shown={correctable && (isOffice || isWithinUndoTime)}>
        <UndoMilestone order={order} entry={entry} />
      </ActionButtons>
    </>
  );
}

/** Undoes a milestone. Its button is in the timeline. */
function UndoMilestone({ order, entry }: { order: Order; entry: TimelineEntry }) {
  const form = useReasonForm();
  const title = entryTitle(entry.type).toLowerCase();
  return (
    <Action
      label="Undo"
      target={title}
      title={`Undo ${title}`}
      consequences={undoConsequences(order, entry)}
      retry="safe"
      run={() => undoMilestone(order.orderId, entry.milestoneId, form.values.reason.trim())}
      {...form.action}
      toast={(after) => `Undone: ${title}. Status: ${statusLabel(displayStatus(after)).toLowerCase()}.`}
      button={{ size: 'compact-xs', mt: 4 }}
    >
      <Textarea label="Reason" placeholder="Wrong job sheet scanned" required maxLength={2000} data-autofocus {...form.field('reason')} />
    </Action>
  );
}

const MINUTE_MS = 60_000;
const isRecordedLater = (occurredAt: string, recordedAt: string): boolean => Date.parse(recordedAt) - Date.parse(occurredAt) > MINUTE_MS;

function detailsInWords(carried: TimelineEntry['carried'], { currency, parcels, payments }: Order): string[] {
  const { parcelId, trackingNumber, carrier, lines, line, fit, paymentId, reference, signedBy } = carried;
  const parcel = parcels.find((each) => each.parcelId === parcelId);
  const amountCents = carried.amountCents ?? payments.find((each) => each.paymentId === paymentId)?.amountCents;
  const tracking = trackingNumber ?? parcel?.trackingNumber;
  return [
    ...(line === undefined ? [] : [lineName(line)]),
    ...(fit === undefined ? [] : [fitInWords(fit)]),
    ...(tracking === undefined ? [] : [`${tracking}${carrier === undefined ? '' : `, ${carrier}`}`]),
    ...(lines === undefined ? [] : [`Contents: ${piecesInWords(lines)}`]),
    ...(amountCents === undefined ? [] : [formatMoney(amountCents, currency)]),
    ...(reference === undefined ? [] : [`Reference: ${reference}`]),
    ...(signedBy === undefined ? [] : [`Collected by ${signedBy}`]),
  ];
}
